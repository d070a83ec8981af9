#include "icct/search/active_numbers.h"

#include <gtest/gtest.h>

#include "tests/complaint.h"

namespace icct {
namespace {

Tree example() {
  return make_split(1, 0.5, make_leaf({{.bias = 1, .terms = {{0, 2}, {1, 3}}}}),
                    make_leaf({{.bias = 4}}));
}

TEST(ActiveNumbers, AreThresholdsThenBiasesAndGainsLeafByLeaf) {
  EXPECT_EQ(active_numbers(example()), (std::vector<double>{0.5, 1, 2, 3, 4}));
}

TEST(ActiveNumbers, SettingThemChangesNothingElse) {
  Tree tree = example();
  set_active_numbers(tree, std::vector<double>{9, 8, 7, 6, 5});
  EXPECT_EQ(active_numbers(tree), (std::vector<double>{9, 8, 7, 6, 5}));
  set_active_numbers(tree, active_numbers(example()));
  EXPECT_EQ(tree, example());
}

TEST(NamedNumbers, AreThoseOfSplitsLeavesAndActionsWithTheseNames) {
  Policy policy;
  policy.observations = {{.name = "x", .unit = ""}, {.name = "y", .unit = ""}};
  policy.actions = {{.name = "push", .unit = ""}, {.name = "turn", .unit = ""}};
  Tree tree = make_split(1, 0.5, make_leaf({{.bias = 1, .terms = {{0, 2}}}, {.bias = 3}}),
                         make_leaf({{.bias = 4}, {.bias = 5}}));
  tree.leaves[1].name = "far";
  policy.controller = tree;
  const auto named = [&policy](const std::vector<std::string>& names) {
    return named_numbers(policy, names);
  };
  EXPECT_EQ(named({}), (std::vector{false, false, false, false, false, false}));
  EXPECT_EQ(named({"node0"}), (std::vector{true, false, false, false, false, false}));
  EXPECT_EQ(named({"far"}), (std::vector{false, false, false, false, true, true}));
  EXPECT_EQ(named({"push", "node0"}), (std::vector{true, true, true, false, true, false}));
  EXPECT_EQ(complaint([&] {
              named({"push", "pull"});
            }),
            "the tree has no split, leaf or action 'pull'; it has: far, leaf0, node0, push, turn");
}

TEST(DecidingNumbers, AreThoseOfVisitedLeavesAndTheThresholdsBetweenThem) {
  // Thresholds: inner and outer, in the order of the splits; then one bias or more per leaf.
  const Tree tree = make_split(0, 0.5, example(), make_leaf({{.bias = 5, .terms = {{0, 6}}}}));
  const auto deciding = [&tree](const std::vector<bool>& visited) {
    const std::vector<bool> yes = deciding_numbers(tree, visited);
    const std::vector<double> numbers = active_numbers(tree);
    std::vector<double> result;
    for (std::size_t i = 0; i < yes.size(); ++i) {
      if (yes[i]) result.push_back(numbers[i]);
    }
    return result;
  };
  EXPECT_EQ(deciding({true, true, true}).size(), active_numbers(tree).size());
  EXPECT_EQ(deciding({true, true, false}), (std::vector<double>{0.5, 1, 2, 3, 4}));
  EXPECT_EQ(deciding({false, true, true}), (std::vector<double>{0.5, 4, 5, 6}));
  EXPECT_EQ(deciding({false, false, true}), (std::vector<double>{5, 6}));
}

TEST(ActiveScales, MoveThresholdsWithTheSpreadOfTheirFeatureAndGainsAgainstIt) {
  EXPECT_EQ(active_scales(example(), std::vector<double>{10, 0.5}),
            (std::vector<double>{0.5, 1, 0.1, 2, 1}));
}

}  // namespace
}  // namespace icct
