#include "icct/tree/algorithms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace icct {
namespace {

using Numbers = std::vector<double>;

CrispNode<double> crisp(const Numbers& w, double b, double alpha, const Numbers& noise = {}) {
  Numbers scratch(w.size());
  return node_crisp<double>({w, b, alpha, noise}, scratch);
}

std::vector<int> picks_of(const Numbers& theta, std::size_t e, const Numbers& noise = {}) {
  std::vector<int> picks(e);
  Numbers scratch(theta.size());
  enforce_sparsity<double>({theta, theta, theta, noise}, picks, scratch);
  return picks;
}

TEST(NodeCrisp, KeepsTheLargestWeightAndItsSign) {
  const CrispNode<double> node = crisp({0.2, -0.9, 0.4}, 0.45, 1);
  EXPECT_EQ(node.feature, 1);
  EXPECT_EQ(node.direction, -1);
  EXPECT_EQ(node.bound, 0.5);
  EXPECT_EQ(node.steepness, 1);
}

TEST(NodeCrisp, KeepsTheFirstOfEqualMagnitudes) {
  EXPECT_EQ(crisp({0.1, -0.7, 0.7}, 0, 1).feature, 1);
  EXPECT_EQ(crisp({0, 0, 0}, 0, 1).feature, 0);
}

TEST(NodeCrisp, TurnsTheDirectionAroundForANegativeSteepness) {
  const CrispNode<double> node = crisp({0, 2}, 3, -5);
  EXPECT_EQ(node.direction, -1);
  EXPECT_EQ(node.bound, -1.5);
  EXPECT_EQ(node.steepness, 5);
  EXPECT_EQ(crisp({0, -2}, 3, -5).direction, 1);
}

TEST(NodeCrisp, HasTheValueOfTheFuzzyNodeDividedByTheWeightItKeeps) {
  const Numbers w = {0.3, -1.25, 0.5}, x = {7, 0.75, -2};
  for (const double alpha : {2.0, -0.5}) {
    const double fuzzy = alpha * (w[1] * x[1] - 0.4) / std::abs(w[1]);
    EXPECT_NEAR(crisp(w, 0.4, alpha).value(x[1]), fuzzy, 1e-15);
  }
}

TEST(NodeCrisp, DoesNotDivideByAZeroWeight) {
  const CrispNode<double> node = crisp({0, 0}, 0.7, 2);
  EXPECT_EQ(node.direction, 0);
  EXPECT_EQ(node.bound, 0.7);
}

TEST(NodeCrisp, ChoosesByWeightPlusNoise) {
  EXPECT_EQ(crisp({0.5, -0.4, 0.1}, 0, 1, {0, 0.05, 0}).feature, 0);
  EXPECT_EQ(crisp({0.5, -0.4, 0.1}, 0, 1, {0, 0.2, 0}).feature, 1);
  EXPECT_EQ(crisp({0.5, -0.4, 0.1}, 0, 1, {0, 0.2, 5}).feature, 2);
}

TEST(OutcomeCrisp, GoesLeftOnEqualityInBothDirections) {
  for (const double alpha : {1.0, -1.0}) {
    const CrispNode<double> node = crisp({0, 0.5}, 0.15, alpha);
    const double threshold = 0.15 / 0.5;
    EXPECT_TRUE(outcome_crisp(node, threshold));
    EXPECT_EQ(outcome_crisp(node, std::nextafter(threshold, 1)), alpha > 0);
    EXPECT_EQ(outcome_crisp(node, std::nextafter(threshold, 0)), alpha < 0);
  }
}

TEST(OutcomeCrisp, FollowsTheThresholdAloneWhenAllWeightsAreZero) {
  for (const double x : {-1e300, 0.0, 1e300}) {
    EXPECT_FALSE(outcome_crisp(crisp({0, 0}, 0.1, 1), x));  // alpha (0 - b) < 0
    EXPECT_TRUE(outcome_crisp(crisp({0, 0}, 0.1, -1), x));
    EXPECT_TRUE(outcome_crisp(crisp({0, 0}, -0.1, 1), x));
    EXPECT_TRUE(outcome_crisp(crisp({0, 0}, 0, 1), x));
  }
}

TEST(OutcomeCrisp, GoesLeftWhenTheSteepnessIsZero) {
  for (const double x : {-1e300, 0.0, 1e300}) {
    EXPECT_TRUE(outcome_crisp(crisp({1, 2}, 3, 0), x));
    EXPECT_TRUE(outcome_crisp(crisp({1, 2}, -3, 0), x));
  }
}

TEST(OutcomeCrisp, AddsNoiseToTheValue) {
  const CrispNode<double> node = crisp({1}, 0, 2);
  EXPECT_TRUE(outcome_crisp(node, -1.0, 2.0));  // equality
  EXPECT_FALSE(outcome_crisp(node, -1.0, 1.9));
  EXPECT_FALSE(outcome_crisp(node, 1.0, -2.1));
}

TEST(OutcomeCrisp, BackwardIsTheSlopeOfTheSigmoidAlsoFarOut) {
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  for (const double value : {-3.0, -0.2, 0.0, 1.5}) {
    const double slope = (sigmoid((value + 1e-5) / 0.5) - sigmoid((value - 1e-5) / 0.5)) / 2e-5;
    EXPECT_NEAR(outcome_crisp_backward(value, 0.5, 3.0), 3 * slope, 1e-8);
  }
  for (const double value : {-1e4, 1e4}) EXPECT_EQ(outcome_crisp_backward(value, 0.5, 3.0), 0);
}

TEST(DiffArgmax, TakesTheLowestIndexOnTies) {
  EXPECT_EQ(diff_argmax<double>(Numbers{1, 3, 2, 3}, 1, {}), 1);
  EXPECT_EQ(diff_argmax<double>(Numbers{0, 0}, 1, {}), 0);
}

TEST(DiffArgmax, GivesTheSoftmaxAtItsTemperature) {
  Numbers soft(2);
  EXPECT_EQ(diff_argmax<double>(Numbers{0, std::log(3)}, 1, soft), 1);
  EXPECT_NEAR(soft[1], 0.75, 1e-15);
  diff_argmax<double>(Numbers{0, std::log(3)}, 0.5, soft);
  EXPECT_NEAR(soft[1], 0.9, 1e-15);
}

TEST(DiffArgmax, DoesNotOverflowForHugeLogits) {
  Numbers soft(3);
  EXPECT_EQ(diff_argmax<double>(Numbers{1e308, 0, 1e308}, 1e-3, soft), 0);
  EXPECT_EQ(soft, (Numbers{0.5, 0, 0.5}));
}

// Section 3 of the paper: x = (2, 3), w = (2, 1), b = 1, alpha = 1.
TEST(WorkedExample, ComesOutAsInThePaper) {
  const CrispNode<double> node = crisp({2, 1}, 1, 1);
  EXPECT_EQ(node.feature, 0);
  EXPECT_TRUE(outcome_crisp(node, 2.0));
  // The paper prints the value before the division by the weight: 2 * 2 - 1.
  const double value = 2 * node.value(2.0);
  EXPECT_EQ(value, 3);
  Numbers soft(2);
  EXPECT_EQ(diff_argmax<double>(Numbers{value, 0}, 1, soft), 0);
  EXPECT_NEAR(soft[0], 0.95, 0.005);
  EXPECT_NEAR(soft[1], 0.05, 0.005);
}

TEST(EnforceSparsity, PicksTheLargestSelectorsInOrder) {
  EXPECT_EQ(picks_of({0.1, -3, 0.5, 2}, 3), (std::vector<int>{1, 3, 2}));
}

TEST(EnforceSparsity, PicksDistinctFeaturesAlsoAmongZeros) {
  EXPECT_EQ(picks_of({0, 0, 0}, 3), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(picks_of({0, 0, 5}, 3), (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(picks_of({0, 1, 0, 0}, 2), (std::vector<int>{1, 0}));
}

TEST(EnforceSparsity, PicksAFeatureAgainIfNoiseSaysSo) {
  EXPECT_EQ(picks_of({1, 2, 3}, 2, {0, 5, 0, 0, 5, 0}), (std::vector<int>{1, 1}));
  // A picked selector counts as zero: its noise alone decides.
  EXPECT_EQ(picks_of({1, 2, 3}, 2, {0, 5, 0, 0, 2.5, 0}), (std::vector<int>{1, 2}));
}

TEST(SelectedController, ListsFeaturesInAscendingOrderAndAddsTheirBiases) {
  const Numbers theta(4), beta = {10, 20, 30, 40}, phi = {1, 2, 4, 8};
  const std::vector<int> picks = {3, 0, 2};
  std::vector<SparseTerm<double>> terms(3);
  for (const auto form : {SelectorGradient::PerPick, SelectorGradient::Combined}) {
    EXPECT_EQ(selected_controller<double>({theta, beta, phi}, picks, form, terms), 13);
    const std::vector<int> features = {0, 2, 3};
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(terms[i].feature, features[i]);
      EXPECT_EQ(terms[i].gain, beta[features[i]]);
    }
  }
}

TEST(SelectedController, CountsARepeatedPickOncePerPickOrSquared) {
  const Numbers theta(2), beta = {10, 20}, phi = {1, 2};
  const std::vector<int> picks = {1, 1};
  std::vector<SparseTerm<double>> terms(2);
  const auto total = [&](SelectorGradient form) {
    EXPECT_EQ(selected_controller<double>({theta, beta, phi}, picks, form, terms), 4);
    return terms[0].gain + terms[1].gain;
  };
  EXPECT_EQ(total(SelectorGradient::PerPick), 2 * 20);
  EXPECT_EQ(total(SelectorGradient::Combined), 4 * 20);
}

// x0 >= 2 leads to (1 + 3 x1, 5 - x0), else to constants.
FuzzyTree<double> two_leaf_tree() {
  TreeOptions o;
  o.leaves = 2;
  o.observations = 2;
  o.actions = 2;
  o.features = 1;
  FuzzyTree<double> tree(o);
  const auto view = tree.view();
  const auto fill = [](std::span<double> target, const Numbers& values) {
    std::copy(values.begin(), values.end(), target.begin());
  };
  fill(view.node_weights(0), {0.5, 0.25});
  view.threshold(0) = 1;
  view.steepness(0) = 1;
  fill(view.selectors(0, 0), {0.1, -0.2});
  fill(view.gains(0, 0), {100, 3});
  fill(view.feature_biases(0, 0), {100, 1});
  fill(view.selectors(0, 1), {0.3, 0.2});
  fill(view.gains(0, 1), {-1, 100});
  fill(view.feature_biases(0, 1), {5, 100});
  fill(view.log_std(0), {std::log(0.5), 7});
  fill(view.log_std(1), {-30, 0});
  fill(view.feature_biases(1, 0), {-7, 0});
  fill(view.feature_biases(1, 1), {8, 0});
  return tree;
}

TEST(DetermineAction, IsTheMeanOfTheLeafReached) {
  const FuzzyTree<double> tree = two_leaf_tree();
  Numbers action(2);
  determine_action<double>(tree, Numbers{2, 10}, nullptr, action);
  EXPECT_EQ(action, (Numbers{31, 3}));
  determine_action<double>(tree, Numbers{1.9, 10}, nullptr, action);
  EXPECT_EQ(action, (Numbers{-7, 8}));
}

TEST(DetermineAction, DrawsAroundTheMeanWithTheClampedSpreadOfTheLeaf) {
  const FuzzyTree<double> tree = two_leaf_tree();
  Rng rng(3);
  const int count = 20000;
  Numbers sum(2), sum_of_squares(2), action(2);
  for (int i = 0; i < count; ++i) {
    determine_action<double>(tree, Numbers{2, 10}, &rng, action);
    for (int a = 0; a < 2; ++a) {
      const double deviation = action[a] - (a == 0 ? 31 : 3);
      sum[a] += deviation;
      sum_of_squares[a] += deviation * deviation;
    }
  }
  const Numbers spread = {0.5, std::exp(2)};  // the second is clamped
  for (int a = 0; a < 2; ++a) {
    EXPECT_NEAR(sum[a] / count, 0, 4 * spread[a] / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(sum_of_squares[a] / count), spread[a], 0.02 * spread[a]);
  }
}

TEST(DetermineAction, HardlyDeviatesAtTheSmallestSpread) {
  const FuzzyTree<double> tree = two_leaf_tree();
  Rng rng(4);
  Numbers action(2);
  determine_action<double>(tree, Numbers{0, 0}, &rng, action);
  EXPECT_NE(action[0], -7);
  EXPECT_NEAR(action[0], -7, 10 * std::exp(-20));
}

}  // namespace
}  // namespace icct
