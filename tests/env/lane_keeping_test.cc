#include "icct/env/highway/lane_keeping.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/env/conformance/recording.h"

namespace icct {
namespace {

TEST(LaneKeeping, LastsFiveHundredStepsAndIsTruncatedNotTerminated) {
  LaneKeeping environment;
  const Recording episode = record(environment, 1, constant_action({0}), 1000);
  ASSERT_EQ(episode.steps.size(), 500U);
  for (const Step& step : episode.steps) EXPECT_FALSE(step.terminated);
  EXPECT_TRUE(episode.steps.back().truncated);
}

TEST(LaneKeeping, ActionsAreClippedToTheirBounds) {
  LaneKeeping environment;
  EXPECT_EQ(record(environment, 1, constant_action({1}), 50),
            record(environment, 1, constant_action({1.5}), 50));
  EXPECT_EQ(record(environment, 1, constant_action({-1}), 50),
            record(environment, 1, constant_action({-100}), 50));
}

TEST(LaneKeeping, EpisodesDifferOnlyInTheirNoise) {
  LaneKeeping environment;
  const Recording one = record(environment, 1, constant_action({0.1}), 100);
  const Recording two = record(environment, 2, constant_action({0.1}), 100);
  EXPECT_EQ(one.steps, two.steps);
  for (std::size_t t = 0; t < one.observations.size(); ++t) {
    for (std::size_t i = 0; i < one.observations[t].size(); ++i) {
      const double difference = std::abs(one.observations[t][i] - two.observations[t][i]);
      EXPECT_LE(difference, 0.1 + 1e-9);
      EXPECT_EQ(difference == 0, i >= 4 && i < 8) << "the lane is seen without noise";
    }
  }
}

TEST(LaneKeepingDynamics, TheObservationLagsOneStepBehindTheCar) {
  LaneKeepingDynamics dynamics;
  std::vector<double> first(LaneKeepingDynamics::kObservations);
  std::vector<double> second = first;
  dynamics.reset({}, first);
  dynamics.step(0.5, {}, second);
  // The state is the old one; only the accelerations know about the steering.
  for (std::size_t i = 4; i < first.size(); ++i) EXPECT_EQ(first[i], second[i]);
  EXPECT_EQ(first[2], 0);
  EXPECT_GT(second[2], 0);
  EXPECT_NE(dynamics.car().y, second[8]);
}

TEST(LaneKeepingDynamics, LeavesTheStraightLaneForGood) {
  LaneKeepingDynamics dynamics;
  std::vector<double> observation(LaneKeepingDynamics::kObservations);
  dynamics.reset({}, observation);
  bool left = false;
  for (int t = 0; t < 500; ++t) {
    dynamics.step(0.3, {}, observation);  // a circle that comes back
    left = left || !dynamics.on_straight_lane();
    EXPECT_NE(left, dynamics.on_straight_lane());
  }
  EXPECT_TRUE(left);
}

TEST(LaneKeeping, ObservationsStayInBoundsUnderViolentSteering) {
  LaneKeeping environment;
  for (int period = 1; period <= 60; ++period) {
    int step = 0;
    const Recording episode = record(
        environment, 1,
        [&](std::span<double> action) { action[0] = (step++ / period) % 2 == 0 ? 1 : -1; }, 500);
    for (const auto& observation : episode.observations) {
      for (std::size_t i = 0; i < observation.size(); ++i) {
        EXPECT_GE(observation[i], environment.observations()[i].lower);
        EXPECT_LE(observation[i], environment.observations()[i].upper);
      }
    }
  }
}

}  // namespace
}  // namespace icct
