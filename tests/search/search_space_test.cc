#include "icct/search/search_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/search/active_numbers.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

// x >= 0: bias 1, gain 0.5; else a constant.
Policy example() {
  return tracking_policy(
      make_split(0, 0, make_leaf({{.bias = 1, .terms = {{0, 0.5}}}}), make_leaf({{.bias = 4}})));
}

// The first leaf meets 8 and 12, the other one -10 and -30.
Visits example_visits() {
  return {.by_leaf = {{{8}, {12}}, {{-10}, {-30}}}};
}

TEST(EvenSpace, IsTheNumbersThemselvesOverTheirScales) {
  const Policy policy = example();
  const SearchSpace space = even_space(tree_of(policy), std::vector<double>{10});
  EXPECT_EQ(coordinates(space, tree_of(policy)), (std::vector<double>{0, 1, 5, 4}));
  EXPECT_EQ(tree_of(policy_at(space, policy, std::vector<double>{2, 1, 5, 4})).splits[0].threshold,
            20);
}

TEST(LocalSpace, GoesThereAndBack) {
  const Policy policy = example();
  const SearchSpace space = local_space(tree_of(policy), example_visits());
  const std::vector<double> x = coordinates(space, tree_of(policy));
  const std::vector<double> numbers = active_numbers(tree_of(policy_at(space, policy, x)));
  const std::vector<double> before = active_numbers(tree_of(policy));
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], before[i], 1e-12);
}

TEST(LocalSpace, AGainTurnsItsControllerAboutWhatTheLeafMeetsInTheMean) {
  const Policy policy = example();
  const SearchSpace space = local_space(tree_of(policy), example_visits());
  std::vector<double> x = coordinates(space, tree_of(policy));
  const auto output = [&](double at) {
    const Policy there = policy_at(space, policy, x);
    return evaluate(tree_of(there).leaves[0].controllers[0], std::vector<double>{at});
  };
  const double middle = output(10), right = output(12);
  x[2] += 1;
  EXPECT_NEAR(output(10), middle, 1e-12);
  // By the standard deviation of its output, at one standard deviation of the feature.
  EXPECT_NEAR(output(12), right + 1, 1e-12);
}

TEST(LocalSpace, AThresholdMovesByTheSpreadOfWhatItsSplitMeets) {
  const Policy policy = example();
  const SearchSpace space = local_space(tree_of(policy), example_visits());
  EXPECT_NEAR(space.scales[0], std::sqrt((13 * 13 + 17 * 17 + 5 * 5 + 25 * 25) / 4.0), 1e-12);
}

TEST(LocalSpace, ALeafThatNobodyVisitsCountsAsOneThatIsVisitedEverywhere) {
  const Policy policy = example();
  const SearchSpace space =
      local_space(tree_of(policy), {.by_leaf = {{}, {{8}, {12}, {-10}, {-30}}}});
  EXPECT_EQ(space.scales[1], 1);
  EXPECT_EQ(space.pivots[2], -5);
}

TEST(RestrictTo, LeavesTheOtherNumbersAloneToTheLastBit) {
  const Policy policy = example();
  SearchSpace space = local_space(tree_of(policy), {.by_leaf = {{{0.1}, {0.3}}, {{-0.7}}}});
  restrict_to(space, {true, false, false, true});
  const Tree tree = tree_of(policy_at(space, policy, std::vector<double>{1, 2}));
  EXPECT_EQ(tree.leaves[0], tree_of(policy).leaves[0]);
  EXPECT_NE(tree.splits[0], tree_of(policy).splits[0]);
  EXPECT_NE(tree.leaves[1], tree_of(policy).leaves[1]);
}

}  // namespace
}  // namespace icct
