#include "icct/rl/actor_release.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

TEST(ActorRelease, AnActorThatNeedNotWaitHasItsFullRateAtOnce) {
  EXPECT_EQ(released_share(0, 0), 1);
  EXPECT_EQ(released_share(1'000'000, 0), 1);
}

TEST(ActorRelease, AWaitingActorIsLetGoLittleByLittle) {
  EXPECT_EQ(released_share(-100, 100), 0);
  EXPECT_EQ(released_share(-1, 100), 0);
  EXPECT_EQ(released_share(0, 100), 1.0 / 500);
  EXPECT_EQ(released_share(249, 100), 0.5);
  EXPECT_EQ(released_share(499, 100), 1);
  EXPECT_EQ(released_share(1'000'000, 100), 1);
}

}  // namespace
}  // namespace icct
