#include "icct/search/active_numbers.h"

#include <gtest/gtest.h>

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

TEST(ActiveScales, MoveThresholdsWithTheSpreadOfTheirFeatureAndGainsAgainstIt) {
  EXPECT_EQ(active_scales(example(), std::vector<double>{10, 0.5}),
            (std::vector<double>{0.5, 1, 0.1, 2, 1}));
}

}  // namespace
}  // namespace icct
