#include "icct/tree/crispify.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/rng.h"
#include "icct/tree/algorithms.h"
#include "icct/tree/batched_tree.h"

namespace icct {
namespace {

TreeOptions options(LeafKind leaf, int leaves, int m = 5) {
  TreeOptions o;
  o.leaf = leaf;
  o.leaves = leaves;
  o.observations = m;
  o.actions = 2;
  return o;
}

// Some nodes have no weights, some no steepness. The biases of different leaves lie far apart, so
// that an output shows its leaf.
template <class T>
FuzzyTree<T> random_tree(const TreeOptions& o, Rng& rng) {
  FuzzyTree<T> tree(o);
  for (T& value : tree.parameters()) value = static_cast<T>(rng.normal());
  const auto view = tree.view();
  for (int node = 0; node < tree.nodes(); ++node) {
    if (rng.below(8) == 0) std::fill_n(view.node_weights(node).data(), o.observations, T(0));
    if (rng.below(8) == 0) view.steepness(node) = 0;
  }
  for (int leaf = 0; leaf < o.leaves; ++leaf) {
    for (int a = 0; a < o.actions; ++a) {
      if (o.leaf != LeafKind::Sparse) {
        view.leaf_bias(leaf)[a] += static_cast<T>(100 * leaf);
      } else {
        for (T& bias : view.feature_biases(leaf, a)) bias += static_cast<T>(100 * leaf);
      }
    }
  }
  return tree;
}

// Random observations, and for every split the ones exactly at its threshold and next to it.
template <class T>
std::vector<std::vector<T>> observations_around(const Tree& tree, int m, Rng& rng) {
  std::vector<std::vector<T>> result;
  const auto add_random = [&] {
    result.emplace_back(m);
    for (T& value : result.back()) value = static_cast<T>(rng.normal());
  };
  for (int i = 0; i < 20; ++i) add_random();
  for (const Split& split : tree.splits) {
    const T threshold = static_cast<T>(split.threshold);
    const T infinity = std::numeric_limits<T>::infinity();
    for (const T value :
         {threshold, std::nextafter(threshold, infinity), std::nextafter(threshold, -infinity)}) {
      add_random();
      result.back()[split.feature] = value;
    }
  }
  return result;
}

std::vector<double> crisp_action(const Tree& tree, const std::vector<double>& x) {
  std::vector<double> action;
  for (const Controller& controller : tree.leaves[find_leaf(tree, x)].controllers)
    action.push_back(evaluate(controller, x));
  return action;
}

template <class T, class Compare>
void compare_many_trees(const Compare& compare) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete})
      for (const int leaves : {1, 2, 4, 8, 16, 32}) {
        const FuzzyTree<T> fuzzy = random_tree<T>(options(leaf, leaves), rng);
        const Tree tree = crispify(fuzzy);
        for (const std::vector<T>& x : observations_around<T>(tree, 5, rng)) {
          std::vector<T> expected(2);
          determine_action<T>(fuzzy, x, nullptr, expected);
          compare(crisp_action(tree, {x.begin(), x.end()}), expected);
        }
      }
  }
}

TEST(Crispify, GivesTheSameFunctionBitForBitInDouble) {
  compare_many_trees<double>([](const auto& actual, const auto& expected) {
    for (std::size_t a = 0; a < 2; ++a)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(actual[a]), std::bit_cast<std::uint64_t>(expected[a]));
  });
}

// A wrong leaf would be 100 off.
TEST(Crispify, RoutesFloatsAlikeAndDiffersByRoundingOnly) {
  compare_many_trees<float>([](const auto& actual, const auto& expected) {
    for (std::size_t a = 0; a < 2; ++a) {
      const double value = static_cast<double>(expected[a]);
      ASSERT_NEAR(actual[a], value, 1e-6 * (20 + std::abs(value)));
    }
  });
}

TEST(Crispify, KeepsTheClampedSpread) {
  FuzzyTree<double> fuzzy(options(LeafKind::Static, 1));
  fuzzy.view().log_std(0)[0] = 3;
  fuzzy.view().log_std(0)[1] = -0.5;
  EXPECT_EQ(crispify(fuzzy).leaves[0].log_std, (std::vector<double>{2, -0.5}));
}

TEST(Crispify, MakesASingleLeafOfASingleLeaf) {
  FuzzyTree<float> fuzzy(options(LeafKind::Complete, 1, 2));
  fuzzy.view().leaf_bias(0)[1] = 4;
  fuzzy.view().gains(0, 1)[1] = -3;
  const Tree tree = crispify(fuzzy);
  EXPECT_TRUE(tree.splits.empty());
  ASSERT_EQ(tree.leaves.size(), 1U);
  EXPECT_EQ(tree.leaves[0].controllers[1], (Controller{.bias = 4, .terms = {{1, -3}}}));
}

TEST(Crispify, ListsTheSelectedFeaturesOnly) {
  FuzzyTree<double> fuzzy(options(LeafKind::Sparse, 1));
  const std::vector<double> selectors = {0, -4, 0, 2, 1}, gains = {1, 2, 3, 4, 5};
  for (int j = 0; j < 5; ++j) {
    fuzzy.view().selectors(0, 0)[j] = selectors[j];
    fuzzy.view().gains(0, 0)[j] = gains[j];
    fuzzy.view().feature_biases(0, 0)[j] = 10 * gains[j];
  }
  EXPECT_EQ(crispify(fuzzy).leaves[0].controllers[0],
            (Controller{.bias = 20 + 40, .terms = {{1, 2}, {3, 4}}}));
}

// Four leaves with the constants 0, 1, 2, 3; every node asks x0 >= 0.
FuzzyTree<double> plain_tree() {
  TreeOptions o = options(LeafKind::Static, 4, 2);
  o.actions = 1;
  FuzzyTree<double> fuzzy(o);
  for (int node = 0; node < 3; ++node) {
    fuzzy.view().node_weights(node)[0] = 1;
    fuzzy.view().steepness(node) = 1;
  }
  for (int leaf = 0; leaf < 4; ++leaf) fuzzy.view().leaf_bias(leaf)[0] = leaf;
  return fuzzy;
}

std::vector<double> leaf_constants(const Tree& tree) {
  std::vector<double> constants;
  for (const Leaf& leaf : tree.leaves) constants.push_back(leaf.controllers[0].bias);
  return constants;
}

TEST(Crispify, DropsNodesThatNeverDepend) {
  FuzzyTree<double> fuzzy = plain_tree();
  EXPECT_EQ(leaf_constants(crispify(fuzzy)), (std::vector<double>{0, 1, 2, 3}));
  fuzzy.view().node_weights(0)[0] = 0;
  fuzzy.view().threshold(0) = 0.5;  // 0 >= 0.5: always right
  EXPECT_EQ(leaf_constants(crispify(fuzzy)), (std::vector<double>{2, 3}));
  fuzzy.view().steepness(2) = 0;  // always left
  EXPECT_EQ(leaf_constants(crispify(fuzzy)), std::vector<double>{2});
}

// Finite parameters whose quotient overflows.
TEST(Crispify, DropsNodesWhoseThresholdIsBeyondAllNumbers) {
  for (const double b : {1e300, -1e300})
    for (const double w : {1e-300, -1e-300})
      for (const double alpha : {2.0, -2.0}) {
        FuzzyTree<double> fuzzy = plain_tree();
        fuzzy.view().node_weights(0)[0] = w;
        fuzzy.view().threshold(0) = b;
        fuzzy.view().steepness(0) = alpha;
        const Tree tree = crispify(fuzzy);
        const bool left = -alpha * b > 0;
        EXPECT_EQ(leaf_constants(tree),
                  left ? (std::vector<double>{0, 1}) : (std::vector<double>{2, 3}));
        for (const double x : {-1e308, 0.0, 1e308}) {
          std::vector<double> expected(1);
          determine_action<double>(fuzzy, std::vector<double>{x, 0}, nullptr, expected);
          EXPECT_EQ(crisp_action(tree, {x, 0}), expected);
        }
      }
}

TEST(Crispify, WritesAThresholdOfMinusZeroAsZero) {
  FuzzyTree<double> fuzzy = plain_tree();
  fuzzy.view().steepness(0) = -1;
  const Tree tree = crispify(fuzzy);
  EXPECT_TRUE(tree.splits[0].less);
  EXPECT_FALSE(std::signbit(tree.splits[0].threshold));
}

TEST(CrispifySoft, KeepsTheLargestWeightOfEachNode) {
  TreeOptions o = options(LeafKind::Static, 2);
  o.nodes = NodeKind::Soft;
  FuzzyTree<double> fuzzy(o);
  const std::vector<double> w = {0.5, 1, -2, 0, 1.5};
  std::copy(w.begin(), w.end(), fuzzy.view().node_weights(0).begin());
  fuzzy.view().threshold(0) = 3;
  for (const double alpha : {4.0, -4.0}) {
    fuzzy.view().steepness(0) = alpha;
    const Split split = crispify(fuzzy).splits[0];
    EXPECT_EQ(split.feature, 2);
    EXPECT_EQ(split.threshold, -1.5);
    EXPECT_EQ(split.less, alpha > 0);
  }
}

TEST(CrispifySoft, ChangesTheFunction) {
  TreeOptions o = options(LeafKind::Complete, 8);
  o.nodes = NodeKind::Soft;
  Rng rng(1);
  const FuzzyTree<double> fuzzy = random_tree<double>(o, rng);
  std::vector<double> x = {1, 2, 3, 4, 5}, mean(2), log_std(2);
  BatchedTree<double> pass(o, 1);
  pass.forward(fuzzy, {x.data(), 1, 5}, {mean.data(), 1, 2}, {log_std.data(), 1, 2});
  const std::vector<double> crisp = crisp_action(crispify(fuzzy), x);
  EXPECT_GT(std::abs(crisp[0] - mean[0]), 1e-3);
}

TEST(Crispify, RefusesEveryParameterThatIsNotFinite) {
  for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete}) {
    Rng rng(2);
    FuzzyTree<double> fuzzy = random_tree<double>(options(leaf, 2, 3), rng);
    for (const ParameterBlock& block : parameter_blocks(fuzzy.options())) {
      for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        double& parameter = fuzzy.parameters()[block.offset];
        const double good = parameter;
        parameter = bad;
        try {
          crispify(fuzzy);
          ADD_FAILURE() << "accepted " << bad << " in " << block.name;
        } catch (const Error& error) {
          EXPECT_NE(std::string(error.what()).find("diverged"), std::string::npos) << error.what();
        }
        parameter = good;
      }
    }
  }
}

}  // namespace
}  // namespace icct
