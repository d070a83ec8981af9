#include <gtest/gtest.h>

#include <algorithm>

#include "tests/env/processes.h"
#include "tests/env/troubled_environment.h"

namespace icct {
namespace {

// Ten steps with actions of their own, then to the end with other ones.
Recording without_moments(std::uint64_t seed, std::uint64_t later) {
  Trouble none;
  Troubled environment(&none);
  Recording recording = record(environment, seed, random_actions(environment.actions(), 1), 10);
  continue_recording(environment, recording, random_actions(environment.actions(), later), 30);
  return recording;
}

Recording begin(Environment& environment, std::uint64_t seed) {
  return record(environment, seed, random_actions(environment.actions(), 1), 10);
}

Recording go_on(Environment& environment, Recording recording, std::uint64_t later) {
  continue_recording(environment, recording, random_actions(environment.actions(), later), 30);
  return recording;
}

TEST(Moments, AnEpisodeGoesOnFromOneInSeveralWays) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const Recording begun = begin(environment, 7);
  for (const std::uint64_t later : {2U, 3U, 4U}) {
    environment.keep_moment();
    EXPECT_EQ(go_on(environment, begun, later), without_moments(7, later));
    EXPECT_EQ(environment.metrics()[0].value, 30);
    environment.return_to_moment();
    EXPECT_EQ(environment.metrics()[0].value, 10);
  }
  EXPECT_EQ(go_on(environment, begun, 5), without_moments(7, 5));
  EXPECT_EQ(trouble->resets, 1);
  EXPECT_TRUE(environment.incidents().empty());
}

TEST(Moments, AreReturnedToFromTheLastToTheFirst) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const ActionChooser actions = random_actions(environment.actions(), 1);
  Recording recording = record(environment, 7, actions, 1);
  for (int i = 1; i < 9; ++i) {
    environment.keep_moment();
    continue_recording(environment, recording, actions, 3 * i);
  }
  for (int i = 8; i > 0; --i) {
    environment.return_to_moment();
    EXPECT_EQ(environment.metrics()[0].value, std::max(1, 3 * (i - 1)));
  }
}

TEST(Moments, AResetForgetsThemAndEndsTheirProcesses) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  begin(environment, 7);
  const pid_t kept = trouble->stepped_by;
  environment.keep_moment();
  ASSERT_FALSE(has_ended(kept));
  begin(environment, 7);
  EXPECT_TRUE(ends(kept));
  EXPECT_EQ(play(environment, 8), without_trouble(8));
  EXPECT_TRUE(environment.incidents().empty());
}

TEST(Moments, AWorkerThatDiesAfterOneIsReplacedAndTheMomentReachedAgain) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const Recording begun = begin(environment, 7);
  *trouble = {.abort_at_step = 20, .times = 1};
  for (const std::uint64_t later : {2U, 3U}) {
    environment.keep_moment();
    EXPECT_EQ(go_on(environment, begun, later), without_moments(7, later));
    environment.return_to_moment();
  }
  EXPECT_EQ(environment.incidents().size(), 1U);
  EXPECT_EQ(trouble->resets, 1) << "to recover; the reset is kept for returning";
}

TEST(Moments, AWayThatIsLostLeavesTheOthers) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const Recording begun = begin(environment, 7);
  *trouble = {.throw_at_step = 20, .times = 2};
  environment.keep_moment();
  EXPECT_TRUE(go_on(environment, begun, 2).steps.back().lost);
  environment.return_to_moment();
  EXPECT_EQ(go_on(environment, begun, 3), without_moments(7, 3));
  EXPECT_EQ(environment.lost_episodes(), 1);
}

TEST(Moments, AnEpisodeThatIsLostStaysSo) {
  const SharedTrouble trouble;
  trouble->bad_seeds_below = 3;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  std::vector<double> x(environment.observations().size());
  environment.reset(1, x);
  const std::vector<double> action = middle_action(environment.actions());
  for (int i = 0; i < 2; ++i) {
    environment.keep_moment();
    EXPECT_TRUE(environment.step(action, x).lost);
    environment.return_to_moment();
  }
  EXPECT_EQ(trouble->resets, 2);
}

}  // namespace
}  // namespace icct
