#include "icct/tree/l1_penalty.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "icct/tree/batched_tree.h"

namespace icct {
namespace {

using Numbers = std::vector<double>;

FuzzyTree<double> random_tree(NodeKind nodes = NodeKind::Crisp) {
  TreeOptions o;
  o.observations = 3;
  o.actions = 2;
  o.leaves = 4;
  o.nodes = nodes;
  o.leaf = LeafKind::Complete;
  FuzzyTree<double> tree(o);
  Rng rng(1);
  for (double& value : tree.parameters()) value = rng.normal();
  return tree;
}

TEST(L1Penalty, IsTheAttentionWeightedSumOfAbsoluteGainsTimesTheLeaves) {
  const FuzzyTree<double> tree = random_tree();
  const Numbers attention = {0.5, 0.25, 0.25, 0};
  double expected = 0;
  for (int leaf = 0; leaf < 4; ++leaf)
    for (int a = 0; a < 2; ++a)
      for (int j = 0; j < 3; ++j)
        expected += 0.01 * 4 * attention[leaf] * std::abs(tree.view().gains(leaf, a)[j]);
  EXPECT_NEAR(l1_penalty<double>(tree, attention, 0.01), expected, 1e-15);
}

TEST(L1Penalty, LeavesBiasesOut) {
  FuzzyTree<double> tree = random_tree();
  const Numbers attention(4, 0.25);
  const double before = l1_penalty<double>(tree, attention, 1);
  for (int leaf = 0; leaf < 4; ++leaf) {
    for (double& bias : tree.view().leaf_bias(leaf)) bias += 100;
  }
  EXPECT_EQ(l1_penalty<double>(tree, attention, 1), before);
}

TEST(L1Penalty, ScalesWithTheAttentionOfEachLeaf) {
  const FuzzyTree<double> tree = random_tree();
  const double first = l1_penalty<double>(tree, Numbers{1, 0, 0, 0}, 1);
  const double third = l1_penalty<double>(tree, Numbers{0, 0, 1, 0}, 1);
  EXPECT_NE(first, third);
  EXPECT_NEAR(l1_penalty<double>(tree, Numbers{0.2, 0, 0.7, 0}, 1), 0.2 * first + 0.7 * third,
              1e-14);
}

TEST(L1Penalty, BackwardMatchesFiniteDifferences) {
  FuzzyTree<double> tree = random_tree();
  const Numbers attention = {0.5, 0.125, 0.25, 0.125};
  Numbers gradient(tree.parameters().size());
  l1_penalty_backward<double>(tree, attention, 0.3, gradient);
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& parameter = tree.parameters()[i];
    const double middle = parameter;
    parameter = middle + 1e-6;
    const double above = l1_penalty<double>(tree, attention, 0.3);
    parameter = middle - 1e-6;
    const double below = l1_penalty<double>(tree, attention, 0.3);
    parameter = middle;
    EXPECT_NEAR(gradient[i], (above - below) / 2e-6, 1e-8) << "parameter " << i;
  }
}

TEST(L1Penalty, BackwardAddsToWhatIsThereAndLeavesZeroGainsAlone) {
  FuzzyTree<double> tree = random_tree();
  for (double& gain : tree.view().gains(1, 0)) gain = 0;
  Numbers gradient(tree.parameters().size(), 5);
  l1_penalty_backward<double>(tree, Numbers(4, 1), 1, gradient);
  const TreeView<double> view(tree.options(), gradient);
  for (const double value : view.gains(1, 0)) EXPECT_EQ(value, 5);
  for (const double value : view.leaf_bias(0)) EXPECT_EQ(value, 5);
  for (const double value : view.gains(0, 0)) EXPECT_EQ(std::abs(value - 5), 4);
}

TEST(OneLeafAttention, IsOneHot) {
  Rng rng(1);
  Numbers probabilities = {0.25, 0.25, 0.25, 0.25};
  one_leaf_attention<double>(probabilities, rng);
  EXPECT_EQ(std::count(probabilities.begin(), probabilities.end(), 1.0), 1);
  EXPECT_EQ(std::count(probabilities.begin(), probabilities.end(), 0.0), 3);
}

TEST(OneLeafAttention, DrawsLeavesAsOftenAsTheirProbability) {
  Rng rng(2);
  const Numbers expected = {0, 0.6, 0.1, 0, 0.3};
  Numbers frequency(5);
  const int count = 20000;
  for (int i = 0; i < count; ++i) {
    Numbers probabilities = expected;
    one_leaf_attention<double>(probabilities, rng);
    for (std::size_t leaf = 0; leaf < 5; ++leaf) frequency[leaf] += probabilities[leaf] / count;
  }
  for (std::size_t leaf = 0; leaf < 5; ++leaf) EXPECT_NEAR(frequency[leaf], expected[leaf], 0.015);
  EXPECT_EQ(frequency[0], 0);
  EXPECT_EQ(frequency[3], 0);
}

// Rounded probabilities may add up to less than the number drawn.
TEST(OneLeafAttention, FallsBackOnALeafWithAProbability) {
  Rng rng(3);
  for (int i = 0; i < 100; ++i) {
    std::vector<float> probabilities = {0, 1e-6F, 0};
    one_leaf_attention<float>(probabilities, rng);
    EXPECT_EQ(probabilities, (std::vector<float>{0, 1, 0}));
  }
}

TEST(LeafProbabilities, SumToOneInBothKindsOfTree) {
  for (const auto nodes : {NodeKind::Crisp, NodeKind::Soft}) {
    const FuzzyTree<double> tree = random_tree(nodes);
    const int batch = 50;
    Numbers x(batch * 3), mean(batch * 2), log_std(batch * 2), probabilities(4, 9);
    Rng rng(4);
    for (double& value : x) value = rng.normal();
    BatchedTree<double> pass(tree.options(), batch);
    pass.forward(tree, {x.data(), batch, 3}, {mean.data(), batch, 2}, {log_std.data(), batch, 2});
    pass.leaf_probabilities(probabilities);
    EXPECT_NEAR(std::accumulate(probabilities.begin(), probabilities.end(), 0.0), 1, 1e-12);
    for (const double p : probabilities) EXPECT_GE(p, 0);
  }
}

// One node that half of the samples pass to the left.
TEST(LeafProbabilities, AreTheSharesOfTheSamples) {
  TreeOptions o;
  o.leaves = 2;
  o.leaf = LeafKind::Static;
  for (const auto nodes : {NodeKind::Crisp, NodeKind::Soft}) {
    o.nodes = nodes;
    FuzzyTree<double> tree(o);
    tree.view().node_weights(0)[0] = 1;
    tree.view().steepness(0) = 1;
    const Numbers x = {std::log(3), std::log(3), std::log(3), -std::log(4)};
    Numbers mean(4), log_std(4), probabilities(2);
    BatchedTree<double> pass(o, 4);
    pass.forward(tree, {x.data(), 4, 1}, {mean.data(), 4, 1}, {log_std.data(), 4, 1});
    pass.leaf_probabilities(probabilities);
    const double left = nodes == NodeKind::Crisp ? 0.75 : (3 * 0.75 + 0.2) / 4;
    EXPECT_NEAR(probabilities[0], left, 1e-12);
    EXPECT_NEAR(probabilities[1], 1 - left, 1e-12);
  }
}

}  // namespace
}  // namespace icct
