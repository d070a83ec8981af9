#include "icct/env/mujoco/inverted_pendulum.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/base/error.h"
#include "icct/env/conformance/recording.h"

namespace icct {
namespace {

// Steps with a linear feedback that balances until `until`, then with `then`.
Recording balance(InvertedPendulum& environment, std::uint64_t seed, int until, double then) {
  Recording episode = record(environment, seed, constant_action({0}), 0);
  while (!episode.ended()) {
    const auto& o = episode.observations.back();
    const int steps = static_cast<int>(episode.steps.size());
    const double push = steps < until ? 0.05 * o[0] + 4 * o[1] + 0.1 * o[2] + 0.7 * o[3] : then;
    continue_recording(environment, episode, constant_action({push}), steps + 1);
  }
  return episode;
}

TEST(InvertedPendulum, ABalancedPoleIsTruncatedAfterAThousandSteps) {
  InvertedPendulum environment;
  const Recording episode = balance(environment, 1, 1000, 0);
  ASSERT_EQ(episode.steps.size(), 1000U);
  EXPECT_EQ(episode.steps.back(), (Step{1, false, true}));
}

TEST(InvertedPendulum, AFallTerminatesAndStillEarnsItsReward) {
  InvertedPendulum environment;
  const Recording episode = record(environment, 1, constant_action({3}), 1000);
  EXPECT_EQ(episode.steps.back(), (Step{1, true, false}));
  EXPECT_GT(std::abs(episode.observations.back()[1]), 0.2);
  EXPECT_LE(std::abs(episode.observations[episode.observations.size() - 2][1]), 0.2);
}

TEST(InvertedPendulum, AFallInTheLastStepTerminatesInsteadOfTruncating) {
  InvertedPendulum environment;
  // A full push needs a few steps to tip the pole: begin just as early.
  const std::size_t lead = balance(environment, 1, 900, 3).steps.size() - 900;
  const Recording episode = balance(environment, 1, static_cast<int>(1000 - lead), 3);
  ASSERT_EQ(episode.steps.size(), 1000U);
  EXPECT_EQ(episode.steps.back(), (Step{1, true, false}));
}

TEST(InvertedPendulum, StartsWithinACentimetreAndAHundredthRadian) {
  InvertedPendulum environment;
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<double> start(4);
    environment.reset(seed, start);
    for (const double value : start) largest = std::max(largest, std::abs(value));
  }
  EXPECT_LE(largest, 0.01);
  EXPECT_GT(largest, 0.0099);
}

TEST(InvertedPendulum, ActionsAreNotClipped) {
  InvertedPendulum environment;
  const Recording at = record(environment, 1, constant_action({3}), 1);
  const Recording past = record(environment, 1, constant_action({6}), 1);
  EXPECT_NEAR(past.observations[1][2] / at.observations[1][2], 2, 0.1);
}

TEST(InvertedPendulum, AnAbsurdActionIsRefusedBeforeTheSimulatorSeesIt) {
  InvertedPendulum environment;
  EXPECT_THROW(record(environment, 1, constant_action({1e12}), 1), Error);
  const Recording largest = record(environment, 1, constant_action({1e6}), 1);
  for (const double value : largest.observations.back()) EXPECT_TRUE(std::isfinite(value));
}

TEST(PendulumDynamics, SettingTheStateForgetsTheSolversPast) {
  PendulumDynamics dynamics;
  const PendulumState against_the_stop = {1.05, 0.1, 2, 0};
  dynamics.set_state(against_the_stop);
  dynamics.step(3);
  const PendulumState first = dynamics.state();
  EXPECT_GT(dynamics.active_limits(), 0);
  for (int i = 0; i < 20; ++i) dynamics.step(3);
  dynamics.set_state(against_the_stop);
  dynamics.step(3);
  EXPECT_EQ(dynamics.state(), first);
}

}  // namespace
}  // namespace icct
