#include "icct/search/visits.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tracking_environment.h"
#include "tests/weaving_environment.h"

namespace icct {
namespace {

TEST(Visits, AreTheObservationsOfTenEpisodesByLeaf) {
  Tracking environment(true);
  Policy policy = idle_policy(true);
  policy.controller = make_split(1, 0, make_leaf({{}}), make_leaf({{}}));
  const Visits met = visits(environment, policy, 3, 70);
  ASSERT_EQ(met.by_leaf.size(), 2U);
  EXPECT_EQ(met.by_leaf[0].size() + met.by_leaf[1].size(), 10U * 5U);
  for (const auto& x : met.by_leaf[0]) EXPECT_EQ(x[1], 1);
  for (const auto& x : met.by_leaf[1]) EXPECT_EQ(x[1], -1);
  std::vector<double> first(2);
  environment.reset(episode_seed(3, Purpose::Training, 70), first);
  EXPECT_EQ(met.by_leaf[first[1] > 0 ? 0 : 1][0], first);
}

TEST(Visits, AreThoseOfTheBeginningWhereThereIsAHorizon) {
  Tracking environment;
  const Visits whole = visits(environment, idle_policy(), 3, 70);
  const Visits beginning = visits(environment, idle_policy(), 3, 70, 2);
  ASSERT_EQ(beginning.by_leaf[0].size(), 10U * 2U);
  EXPECT_EQ(beginning.by_leaf[0][1], whole.by_leaf[0][1]);
  EXPECT_EQ(beginning.by_leaf[0][2], whole.by_leaf[0][5]);
}

TEST(Visits, SayWhenALeafAnsweredFirst) {
  Tracking environment;
  Policy policy = idle_policy();
  policy.controller = make_split(0, 1e9, make_leaf({{}}), make_leaf({{}}));
  EXPECT_EQ(visits(environment, policy, 3, 70).first_step, (std::vector{kNever, 0}));
}

// Stays in lane 0.
Policy lazy_policy(const Environment& environment) {
  Policy policy;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.controller = make_leaf({{}});
  return policy;
}

TEST(Visits, OfRandomActionsMeetWhatThePolicyDoesNot) {
  Weaving environment(1);
  const Policy lazy = lazy_policy(environment);
  Visits met = visits(environment, lazy, 3, 70);
  const Visits wild = random_visits(environment, lazy, 3, 70);
  EXPECT_TRUE(has_constant_features(met));
  EXPECT_FALSE(has_constant_features(wild));
  EXPECT_EQ(wild.by_leaf, random_visits(environment, lazy, 3, 70).by_leaf);
  const Visits before = met;
  replace_constant_features(met, wild);
  for (std::size_t i = 0; i < met.by_leaf[0].size(); ++i) {
    EXPECT_EQ(met.by_leaf[0][i][0], wild.by_leaf[0][i][0]);
    EXPECT_EQ(met.by_leaf[0][i][1], before.by_leaf[0][i][1]);
  }
}

TEST(Visits, WhatNobodyMetStaysAsItIs) {
  Visits met{{{{1, 2}, {1, 3}}, {}}};
  const Visits before = met;
  replace_constant_features(met, Visits{{{}, {{4, 5}}}});
  EXPECT_EQ(met.by_leaf, before.by_leaf);
}

}  // namespace
}  // namespace icct
