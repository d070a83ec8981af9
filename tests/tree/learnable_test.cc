#include "icct/tree/learnable.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "icct/base/rng.h"
#include "icct/tree/crispify.h"
#include "tests/complaint.h"

namespace icct {
namespace {

constexpr int kObservations = 5;
constexpr int kActions = 2;

// An uneven tree with both directions, constants and controllers of up to `terms` features.
Tree random_tree(int decisions, int terms, Rng& rng) {
  if (decisions == 0) {
    std::vector<Controller> controllers(kActions);
    for (Controller& controller : controllers) {
      controller.bias = rng.normal();
      for (int j = 0; j < kObservations && static_cast<int>(controller.terms.size()) < terms; ++j) {
        if (rng.below(2) == 0) controller.terms.push_back({j, rng.normal()});
      }
    }
    return make_leaf(std::move(controllers));
  }
  const int yes = rng.below(decisions);
  const Tree left = random_tree(yes, terms, rng);
  const Tree right = random_tree(decisions - 1 - yes, terms, rng);
  const int feature = rng.below(kObservations);
  return rng.below(2) == 0 ? make_split(feature, rng.normal(), left, right)
                           : make_split_less(feature, rng.normal(), left, right);
}

// Mostly random, sometimes exactly on a threshold.
std::vector<double> observation(const Tree& tree, Rng& rng) {
  std::vector<double> x(kObservations);
  for (double& value : x) value = rng.normal();
  if (!tree.splits.empty() && rng.below(3) == 0) {
    const Split& split = tree.splits[rng.below(static_cast<int>(tree.splits.size()))];
    x[split.feature] = split.threshold;
  }
  return x;
}

std::vector<double> outputs(const Tree& tree, const std::vector<double>& x) {
  std::vector<double> result;
  for (const Controller& controller : tree.leaves[find_leaf(tree, x)].controllers)
    result.push_back(evaluate(controller, x));
  return result;
}

TEST(Learnable, ComputesExactlyTheSameFunctionAsTheCrispTree) {
  Rng rng(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Tree tree = random_tree(rng.below(8), rng.below(kObservations + 1), rng);
    const TreeOptions options =
        learnable_options(tree, kObservations, kActions, 1 + rng.below(20), rng.below(4));
    const Tree back = crispify(learnable(tree, options, -1));
    validate(back, kObservations, kActions);
    for (int i = 0; i < 50; ++i) {
      const std::vector<double> x = observation(tree, rng);
      EXPECT_EQ(outputs(back, x), outputs(tree, x)) << trial;
    }
  }
}

std::size_t terms_of(const Tree& tree) {
  std::size_t count = 0;
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers) count += controller.terms.size();
  }
  return count;
}

TEST(Learnable, GivesBackATreeOfTheSameSize) {
  Rng rng(2);
  for (int decisions = 0; decisions < 8; ++decisions) {
    const Tree tree = random_tree(decisions, 2, rng);
    const TreeOptions options = learnable_options(tree, kObservations, kActions, 1, 0);
    EXPECT_EQ(options.leaves, 1 << depth(tree));
    const Tree back = crispify(learnable(tree, options, -1));
    EXPECT_EQ(back.leaves.size(), tree.leaves.size());
    EXPECT_EQ(terms_of(back), terms_of(tree));
  }
}

TEST(Learnable, KeepsTheSpreadOfLeavesThatHaveOne) {
  Tree tree = make_split(0, 0.5, make_leaf({{.bias = 1}, {}}), make_leaf({{.bias = 2}, {}}));
  tree.leaves[1].log_std = {-0.25, 1};
  const TreeOptions options = learnable_options(tree, kObservations, kActions, 1, 0);
  EXPECT_EQ(options.leaf, LeafKind::Static);
  const Tree back = crispify(learnable(tree, options, -2.5));
  EXPECT_EQ(back.leaves[0].log_std, (std::vector<double>{-2.5, -2.5}));
  EXPECT_EQ(back.leaves[1].log_std, (std::vector<double>{-0.25, 1}));
}

TEST(KeepNames, NamesWhatStandsInTheSamePlaceAndStillAsksTheSame) {
  const Tree leaf = make_leaf({{}, {}});
  Tree start = make_split(0, 1, leaf, make_split(1, 2, leaf, leaf));
  start.splits[0].name = "high";
  start.splits[1].name = "fast";
  start.leaves[0].name = "brake";
  start.leaves[1].name = "leaf2";  // would be another one's number
  start.leaves[2].name = "leaf";
  Tree learned = make_split(0, 7, leaf, make_split_less(1, 2, leaf, leaf));
  keep_names(start, learned);
  EXPECT_EQ(learned.splits[0].name, "high");
  EXPECT_EQ(learned.splits[1].name, "");
  EXPECT_EQ(learned.leaves[0].name, "brake");
  EXPECT_EQ(learned.leaves[1].name, "");
  EXPECT_EQ(learned.leaves[2].name, "leaf");
}

TEST(Learnable, RefusesATreeThatIsTooDeep) {
  Tree chain = make_leaf({{}, {}});
  for (int i = 0; i <= kMaxLearnableDepth; ++i)
    chain = make_split(0, i, make_leaf({{.bias = 1.0 * i}, {}}), chain);
  EXPECT_EQ(complaint([&] { learnable_options(chain, kObservations, kActions, 1, 0); }),
            "the tree has a path of 13 decisions; gradients can begin from at most 12, direct "
            "search from any");
}

}  // namespace
}  // namespace icct
