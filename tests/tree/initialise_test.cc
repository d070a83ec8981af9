#include "icct/tree/initialise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "icct/tree/batched_tree.h"

namespace icct {
namespace {

TreeOptions options(LeafKind leaf, int leaves, int m = 8, int actions = 2) {
  TreeOptions o;
  o.leaf = leaf;
  o.leaves = leaves;
  o.observations = m;
  o.actions = actions;
  return o;
}

FuzzyTree<double> published(const TreeOptions& o, std::uint64_t seed) {
  FuzzyTree<double> tree(o);
  Rng rng(seed);
  initialise_published(tree, rng);
  return tree;
}

// The numbers of one block of the parameter vector.
std::vector<double> block(const FuzzyTree<double>& tree, const std::string& name) {
  for (const ParameterBlock& b : parameter_blocks(tree.options())) {
    if (b.name != name) continue;
    std::size_t size = 1;
    for (const int length : b.shape) size *= static_cast<std::size_t>(length);
    const auto part = tree.parameters().subspan(b.offset, size);
    return {part.begin(), part.end()};
  }
  ADD_FAILURE() << "no block " << name;
  return {};
}

void expect_uniform(const std::vector<double>& values, double low, double high) {
  const double count = static_cast<double>(values.size());
  const double width = high - low;
  EXPECT_GE(*std::min_element(values.begin(), values.end()), low);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), high);
  EXPECT_LT(*std::min_element(values.begin(), values.end()), low + 20 * width / count);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), high - 20 * width / count);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  EXPECT_NEAR(mean, (low + high) / 2, 5 * width / std::sqrt(12 * count));
}

void expect_normal(const std::vector<double>& values, double std_dev) {
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double square = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  EXPECT_NEAR(mean, 0, 5 * std_dev / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(square / count), std_dev, 5 * std_dev / std::sqrt(2 * count));
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 2 * std_dev);
}

TEST(InitialisePublished, GivesNodesPositiveWeightsNormalThresholdsAndSteepnessOne) {
  const FuzzyTree<double> tree = published(options(LeafKind::Static, 256), 1);
  expect_uniform(block(tree, "node_weights"), 0, 1);
  expect_normal(block(tree, "thresholds"), 1);
  for (const double alpha : block(tree, "steepness")) EXPECT_EQ(alpha, 1);
}

TEST(InitialisePublished, DrawsStaticMeansAndSpreadsXavierUniform) {
  const FuzzyTree<double> tree = published(options(LeafKind::Static, 256), 2);
  const double bound = std::sqrt(6.0 / (256 + 2));
  expect_uniform(block(tree, "leaf_bias"), -bound, bound);
  expect_uniform(block(tree, "log_std"), -bound, bound);
}

TEST(InitialisePublished, DrawsCompleteControllersWithinOneOverTheRootOfTheInputs) {
  const FuzzyTree<double> tree = published(options(LeafKind::Complete, 256), 3);
  const double bound = 1 / std::sqrt(8.0);
  expect_uniform(block(tree, "leaf_bias"), -bound, bound);
  expect_uniform(block(tree, "gains"), -bound, bound);
}

TEST(InitialisePublished, DrawsSparseControllersXavierNormal) {
  const FuzzyTree<double> tree = published(options(LeafKind::Sparse, 256), 4);
  const double std_dev = std::sqrt(2.0 / (8 * (2 + 256)));
  for (const char* name : {"gains", "selectors", "feature_biases"})
    expect_normal(block(tree, name), std_dev);
}

TEST(InitialisePublished, IsDecidedByTheSeed) {
  for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete}) {
    const auto numbers = [leaf](std::uint64_t seed) {
      const FuzzyTree<double> tree = published(options(leaf, 8), seed);
      return std::vector<double>(tree.parameters().begin(), tree.parameters().end());
    };
    EXPECT_EQ(numbers(5), numbers(5));
    EXPECT_NE(numbers(5), numbers(6));
  }
}

TEST(InitialisePublished, SetsASharedSteepness) {
  TreeOptions o = options(LeafKind::Static, 8);
  o.shared_steepness = true;
  EXPECT_EQ(block(published(o, 1), "steepness"), std::vector<double>{1});
}

// Speeds around 22 m/s, positions of a few hundred metres, a small angle and a constant.
std::vector<double> odd_scaled_data(int rows) {
  Rng rng(7);
  std::vector<double> x;
  for (int i = 0; i < rows; ++i) {
    for (const double value :
         {22 + 5 * rng.normal(), rng.uniform(100, 600), 0.01 * rng.normal(), 3.0})
      x.push_back(value);
  }
  return x;
}

// The share of the rows of x that reaches each leaf.
template <class T>
std::vector<T> shares(const FuzzyTree<T>& tree, const std::vector<T>& x) {
  const int m = tree.options().observations;
  const int rows = static_cast<int>(x.size()) / m;
  const int actions = tree.options().actions;
  std::vector<T> mean(rows * actions), log_std(rows * actions), result(tree.leaves());
  BatchedTree<T> pass(tree.options(), rows);
  pass.forward(tree, {x.data(), rows, m}, {mean.data(), rows, actions},
               {log_std.data(), rows, actions});
  pass.leaf_probabilities(result);
  return result;
}

FuzzyTree<double> balanced(const TreeOptions& o, const std::vector<double>& x, std::uint64_t seed) {
  FuzzyTree<double> tree(o);
  Rng rng(seed);
  const int rows = static_cast<int>(x.size()) / o.observations;
  initialise_balanced<double>(tree, {x.data(), rows, o.observations}, rng);
  return tree;
}

TEST(InitialiseBalanced, GivesEveryLeafAFairShareWhereThePublishedOneDoesNot) {
  const std::vector<double> x = odd_scaled_data(1600);
  const TreeOptions o = options(LeafKind::Sparse, 16, 4);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (const double share : shares(balanced(o, x, seed), x)) EXPECT_NEAR(share, 1.0 / 16, 0.002);
    const std::vector<double> before = shares(published(o, seed), x);
    EXPECT_GT(std::count(before.begin(), before.end(), 0.0), 8);
  }
}

TEST(InitialiseBalanced, IsDecidedByTheSeed) {
  const std::vector<double> x = odd_scaled_data(100);
  const TreeOptions o = options(LeafKind::Complete, 8, 4);
  const auto numbers = [&](std::uint64_t seed) {
    const FuzzyTree<double> tree = balanced(o, x, seed);
    return std::vector<double>(tree.parameters().begin(), tree.parameters().end());
  };
  EXPECT_EQ(numbers(1), numbers(1));
  EXPECT_NE(numbers(1), numbers(2));
}

TEST(InitialiseBalanced, KeepsTheSplittingWeightLargestAndSetsTheSteepnessToOneOverTheSpread) {
  const std::vector<double> x = odd_scaled_data(2000);
  TreeOptions o = options(LeafKind::Static, 2, 4);
  const std::vector<double> spread = {5, 500 / std::sqrt(12.0), 0.01};
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const FuzzyTree<double> tree = balanced(o, x, seed);
    const auto w = tree.view().node_weights(0);
    const auto feature = std::max_element(w.begin(), w.end()) - w.begin();
    ASSERT_LT(feature, 3) << "the constant feature cannot split";
    EXPECT_EQ(w[feature], 1);
    EXPECT_EQ(std::count_if(w.begin(), w.end(), [](double weight) { return weight <= 0.5; }), 3);
    EXPECT_NEAR(tree.view().steepness(0) * spread[feature], 1, 0.1);
  }
}

TEST(InitialiseBalanced, LeavesASharedSteepnessAtOne) {
  TreeOptions o = options(LeafKind::Static, 8, 4);
  o.shared_steepness = true;
  EXPECT_EQ(block(balanced(o, odd_scaled_data(100), 1), "steepness"), std::vector<double>{1});
}

void expect_finite(const FuzzyTree<double>& tree) {
  for (const double value : tree.parameters()) EXPECT_TRUE(std::isfinite(value));
}

TEST(InitialiseBalanced, CopesWithConstantsDuplicatesAndOneSample) {
  const TreeOptions o = options(LeafKind::Sparse, 16, 4);
  expect_finite(balanced(o, {22, 300, 0.1, 3}, 1));                      // one sample
  expect_finite(balanced(o, std::vector<double>(400, 7.0), 1));          // nothing varies
  const std::vector<double> two = {1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 2};  // two values, one feature
  const FuzzyTree<double> tree = balanced(o, two, 1);
  expect_finite(tree);
  EXPECT_EQ(tree.view().node_weights(0)[3], 1);
  EXPECT_EQ(tree.view().threshold(0), 1.5);
}

TEST(InitialiseBalanced, SplitsValuesThatLieNextToEachOther) {
  const double next = std::nextafter(1.0, 2.0);
  const std::vector<double> x = {1, next, 1, next};
  const FuzzyTree<double> tree = balanced(options(LeafKind::Static, 2, 1), x, 1);
  EXPECT_EQ(shares(tree, x), (std::vector<double>{0.5, 0.5}));
}

// Spreads so small that one over them is too large for a float.
TEST(InitialiseBalanced, StaysFiniteForTinySpreads) {
  const TreeOptions o = options(LeafKind::Static, 2, 1);
  expect_finite(balanced(o, {0, 1e-310, 0, 1e-310}, 1));
  expect_finite(balanced(o, {0, 1e-200, 0, 1e-200}, 1));
  FuzzyTree<float> tree(o);
  Rng rng(1);
  const std::vector<float> x = {0, 1e-40F, 0, 1e-40F};
  initialise_balanced<float>(tree, {x.data(), 4, 1}, rng);
  for (const float value : tree.parameters()) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace icct
