#include "icct/rollout/together.h"

#include <gtest/gtest.h>

#include <numeric>

#include "icct/env/traffic.h"
#include "icct/rollout/workers.h"
#include "tests/env/troubled_environment.h"

namespace icct {
namespace {

// All actions are 1, but for the last one while observation 0 is at least `from`.
Policy tree_that_turns(const Environment& environment, double from, double value) {
  Policy policy;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.squashing = Squashing::Clip;
  const std::vector<Controller> usual(policy.actions.size(), {.bias = 1});
  std::vector<Controller> turned = usual;
  turned.back().bias = value;
  policy.controller = make_split(0, from, make_leaf(turned), make_leaf(usual));
  return policy;
}

std::vector<const Policy*> pointers(const std::vector<Policy>& policies) {
  std::vector<const Policy*> list;
  for (const Policy& policy : policies) list.push_back(&policy);
  return list;
}

void expect_same(const Episode& a, const Episode& b) {
  EXPECT_EQ(a.total_reward, b.total_reward);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.terminated, b.terminated);
  EXPECT_EQ(a.metrics, b.metrics);
}

int simulated(const std::vector<Episode>& episodes) {
  return std::accumulate(episodes.begin(), episodes.end(), 0,
                         [](int sum, const Episode& each) { return sum + each.simulated; });
}

TEST(Together, DrivesOfTrafficAreThoseOfEachAloneAndTheirBeginningIsSimulatedOnce) {
  const auto road = make_traffic(ICCT_SOURCE_DIR "/examples/merge.json");
  ASSERT_EQ(road->observations()[0].name, "speed");
  std::vector<Policy> policies;
  for (const double from : {15, 20, 25}) {
    for (const double value : {-1.0, 0.0, 0.0, 1.0})
      policies.push_back(tree_that_turns(*road, from, value));
  }
  const std::vector<Episode> together = run_together(*road, pointers(policies), 3);
  std::vector<Episode> alone;
  for (const Policy& policy : policies) alone.push_back(run_episode(*road, policy, 3));
  for (std::size_t i = 0; i < policies.size(); ++i) expect_same(together[i], alone[i]);
  EXPECT_NE(alone[0].total_reward, alone[3].total_reward) << "they part";
  EXPECT_EQ(alone[0].simulated, alone[0].steps);
  EXPECT_LT(simulated(together), 0.7 * simulated(alone));
}

TEST(Together, ThoseThatNeverPartAreOneEpisode) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const std::vector<Policy> policies(3, tree_that_turns(environment, 0, 0.1));
  const std::vector<Episode> episodes = run_together(environment, pointers(policies), 5);
  EXPECT_EQ(episodes[0].simulated, 30);
  EXPECT_EQ(simulated(episodes), 30);
  for (const Episode& episode : episodes) EXPECT_EQ(episode.steps, 30);
}

// Twenty, of which every fifth acts alike; the others part in the first step.
std::vector<Policy> of_five_kinds(const Environment& environment) {
  std::vector<Policy> policies;
  for (int i = 0; i < 20; ++i)
    policies.push_back(tree_that_turns(environment, -1e9, 0.01 * (i % 5)));
  return policies;
}

TEST(Together, WorkersDoTheSameAsAloneHoweverManyTheyAre) {
  const SharedTrouble trouble;
  const auto make = [&trouble](int snapshots) {
    return [&trouble, snapshots] {
      return std::make_unique<IsolatedEnvironment>(
          [&trouble] { return std::make_unique<Troubled>(&*trouble); },
          IsolationOptions{.warm_up_seconds = 0, .snapshots = snapshots});
    };
  };
  Workers alone(make(0), 1);
  Workers one(make(4), 1);
  Workers two(make(4), 2);
  const std::vector<Policy> policies = of_five_kinds(alone.environment());
  std::vector<Workers::Task> tasks;
  for (const Policy& policy : policies) {
    for (const std::uint64_t seed : {1U, 2U})
      tasks.push_back({&policy, seed, 10 + 5 * (seed == 1)});
  }
  const std::vector<Episode> expected = alone.run(tasks);
  const std::vector<Episode> first = one.run(tasks);
  const std::vector<Episode> second = two.run(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    expect_same(first[i], expected[i]);
    expect_same(second[i], expected[i]);
    EXPECT_EQ(first[i].simulated, second[i].simulated);
  }
  EXPECT_EQ(alone.steps_played(), 20 * (10 + 15));
  EXPECT_EQ(one.steps_played(), (5 + 5 + 4) * (10 + 15)) << "eight at a time";
  EXPECT_EQ(two.steps_played(), one.steps_played());
  EXPECT_EQ(two.episodes_played(), 20 * 2);
}

TEST(Together, OnesThatAreLostAreTriedOnceMore) {
  const SharedTrouble trouble;
  Workers workers(
      [&trouble] {
        return std::make_unique<IsolatedEnvironment>(
            [&trouble] { return std::make_unique<Troubled>(&*trouble); },
            IsolationOptions{.warm_up_seconds = 0, .snapshots = 2});
      },
      1);
  const std::vector<Policy> policies = of_five_kinds(workers.environment());
  const std::vector<Workers::Task> tasks = {
      {&policies[0], 1}, {&policies[1], 1}, {&policies[2], 1}};
  const std::vector<Episode> expected = workers.run(tasks);
  *trouble = {.throw_at_step = 20, .times = 2};
  const std::vector<Episode> again = workers.run(tasks);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    EXPECT_FALSE(again[i].lost);
    expect_same(again[i], expected[i]);
    EXPECT_EQ(again[i].simulated, expected[i].simulated);
  }
  EXPECT_EQ(trouble->times, 0);
}

}  // namespace
}  // namespace icct
