#include "icct/search/nudges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "icct/search/active_numbers.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr double kSpread[] = {30};

// x >= 10? a = 2 : a = 0.5 + 0.01 x
Policy policy() {
  return tracking_policy(make_split(0, 10, make_leaf({{.bias = 2}}),
                                    make_leaf({{.bias = 0.5, .terms = {{0, 0.01}}}})));
}

std::vector<double> numbers_of(const Policy& policy) {
  return active_numbers(tree_of(policy));
}

std::vector<Change> all_of(const Policy& policy) {
  Rng rng(1);
  return number_changes(policy, kSpread, 1000, rng);
}

// The policy with one number moved, as it comes out of a race.
Winner moved(std::size_t number, double value, double gain, double error = 0.1) {
  std::vector<double> numbers = numbers_of(policy());
  numbers[number] = value;
  Winner winner{{policy(), "number"}, gain, error};
  set_active_numbers(std::get<Tree>(winner.policy.controller), numbers);
  return winner;
}

TEST(Nudges, EachMovesOneNumberAndAllMoveBothWays) {
  const std::vector<double> before = numbers_of(policy());
  ASSERT_EQ(before.size(), 4U);
  std::vector<std::set<double>> moves(before.size());
  for (const Change& change : all_of(policy())) {
    const std::vector<double> after = numbers_of(change.policy);
    int changed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (after[i] == before[i]) continue;
      ++changed;
      moves[i].insert(after[i] - before[i]);
    }
    EXPECT_EQ(changed, 1) << change.what;
  }
  // The threshold in units of the spread, biases of one, the gain of one over the spread.
  const double units[] = {30, 1, 1, 1.0 / 30};
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(moves[i].size(), 6U);
    EXPECT_NEAR(*moves[i].begin(), -0.5 * units[i], 1e-12);
    EXPECT_NEAR(*moves[i].rbegin(), 0.5 * units[i], 1e-12);
  }
}

TEST(Nudges, LargeNumbersMoveByAShareOfThemselves) {
  const Policy large = tracking_policy(make_leaf({{.bias = 80}}));
  double farthest = 0;
  for (const Change& change : all_of(large))
    farthest = std::max(farthest, std::abs(numbers_of(change.policy)[0] - 80));
  EXPECT_NEAR(farthest, 0.5 * 8, 1e-12);
}

TEST(Nudges, SomeAreDrawnIfAllAreTooMany) {
  Rng rng(1), other(2);
  const std::vector<Change> some = number_changes(policy(), kSpread, 5, rng);
  EXPECT_EQ(some.size(), 5U);
  std::set<std::string> different;
  for (const Change& change : some) different.insert(change.what);
  EXPECT_EQ(different.size(), 5U);
  EXPECT_NE(number_changes(policy(), kSpread, 5, other)[0].what, some[0].what);
}

TEST(Nudges, WhatHelpedAloneIsPutTogetherTheBestFirst) {
  const std::vector<Winner> winners = {moved(2, 0.7, 3), moved(0, 12, 2), moved(2, 0.9, 1.5),
                                       moved(1, 1.9, 1)};
  const std::vector<Change> changes = put_together(policy(), winners);
  ASSERT_EQ(changes.size(), 3U);
  EXPECT_EQ(numbers_of(changes[0].policy), (std::vector{10.0, 2.0, 0.7, 0.01}));
  EXPECT_EQ(numbers_of(changes[1].policy), (std::vector{12.0, 2.0, 0.7, 0.01}));
  EXPECT_EQ(numbers_of(changes[2].policy), (std::vector{12.0, 1.9, 0.7, 0.01}));
}

TEST(Nudges, WhatMayBeLuckIsLeftOut) {
  const std::vector<Winner> winners = {moved(0, 12, 0.5, 0.6), moved(1, 2.1, 0, 0),
                                       moved(2, 0.6, -1, 0.1), moved(3, 0.02, 0.3, 0.1)};
  const std::vector<Change> changes = put_together(policy(), winners);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(numbers_of(changes[0].policy), (std::vector{10.0, 2.0, 0.5, 0.02}));
  EXPECT_TRUE(put_together(policy(), std::span(winners).first(3)).empty());
}

}  // namespace
}  // namespace icct
