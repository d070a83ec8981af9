#include "icct/env/box2d/lunar_lander.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>

#include "icct/env/conformance/recording.h"

namespace icct {
namespace {

// Holds the lander at `height` and tilted by `lean`, rad to the left.
std::vector<double> hover(const std::vector<double>& o, double height, double lean) {
  return {(height - o[1]) * 10 - o[3] * 10, (o[4] - lean) * 10 + o[5] * 20};
}

// The tilt that brings the lander back over the pad.
double homeward(const std::vector<double>& o) {
  return std::clamp(0.5 * o[0] + o[2], -0.4, 0.4);
}

template <class Lean>
Recording fly(LunarLander& environment, std::uint64_t seed, Lean lean) {
  Recording episode = record(environment, seed, constant_action({0, 0}), 0);
  while (!episode.ended()) {
    const auto& o = episode.observations.back();
    continue_recording(environment, episode, constant_action(hover(o, 0.8, lean(o))),
                       static_cast<int>(episode.steps.size()) + 1);
  }
  return episode;
}

std::size_t heap_bytes() {
  const auto heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

TEST(LunarLander, HoveringIsTruncatedAfterAThousandSteps) {
  LunarLander environment;
  const Recording episode = fly(environment, 1, homeward);
  ASSERT_EQ(episode.steps.size(), 1000U);
  EXPECT_TRUE(episode.steps.back().truncated);
  EXPECT_FALSE(episode.steps.back().terminated);
}

TEST(LunarLander, FallingTerminatesWithMinusOneHundred) {
  LunarLander environment;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Recording episode = record(environment, seed, constant_action({0, 0}), 1000);
    EXPECT_EQ(episode.steps.back(), (Step{-100, true, false})) << seed;
  }
}

TEST(LunarLander, LeavingSidewaysTerminatesWithMinusOneHundred) {
  LunarLander environment;
  const Recording episode = fly(environment, 1, [](const std::vector<double>&) { return 0.3; });
  EXPECT_EQ(episode.steps.back(), (Step{-100, true, false}));
  EXPECT_LE(episode.observations.back()[0], -1);
}

TEST(LunarLander, ActionsAreClippedToTheirBounds) {
  LunarLander environment;
  EXPECT_EQ(record(environment, 1, constant_action({1, -1}), 200),
            record(environment, 1, constant_action({1.5, -20}), 200));
}

TEST(LunarLander, WeakThrottlesDoNothing) {
  LunarLander environment;
  EXPECT_EQ(record(environment, 1, constant_action({0, 0}), 200),
            record(environment, 1, constant_action({-1, 0.5}), 200));
}

TEST(LunarLander, ObservationsAreThirtyTwoBitNumbers) {
  LunarLander environment;
  const Recording episode = record(environment, 1, random_actions(environment.actions(), 1), 200);
  for (const auto& observation : episode.observations) {
    for (const double value : observation) EXPECT_EQ(value, static_cast<float>(value));
  }
}

TEST(LunarLander, TheSameEpisodeRepeatsAfterContactsAndAbandonedEpisodes) {
  LunarLander environment;
  const Recording first = record(environment, 4, random_actions(environment.actions(), 4), 1000);
  record(environment, 5, constant_action({0, 0}), 1000);  // ends in a crash
  record(environment, 6, constant_action({0, 0}), 30);    // abandoned in the air
  EXPECT_EQ(record(environment, 4, random_actions(environment.actions(), 4), 1000), first);
}

// Counts what is allocated; a sanitizer build, which has its own heap, looks for leaks itself.
TEST(LunarLander, TenThousandShortEpisodesLeaveNothingBehind) {
  LunarLander environment;
  std::vector<double> observation(environment.observations().size());
  const std::vector<double> action = {1, 1};
  std::size_t settled = 0;
  for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
    environment.reset(seed, observation);
    for (int t = 0; t < 2; ++t) environment.step(action, observation);
    if (seed == 100) settled = heap_bytes();
  }
  EXPECT_LE(heap_bytes(), settled + 4096);
}

}  // namespace
}  // namespace icct
