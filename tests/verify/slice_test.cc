#include "icct/verify/slice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "icct/base/error.h"
#include "icct/verify/action_colour.h"
#include "icct/verify/svg_axis.h"
#include "tests/verify/random_policy.h"

namespace icct {
namespace {

// Left of 0.5 a slope in the second observation, right of it a constant.
Policy example() {
  Policy policy = tree_policy(
      make_split(0, 0.5, make_leaf({{.bias = 1}}), make_leaf({{.terms = {{1, 1.0}, {2, 5.0}}}})),
      Squashing::Clip, 3, 1);
  policy.observations[0].name = "speed";
  policy.observations[0].unit = "m/s";
  policy.observations[1].name = "gap < 1";
  return policy;
}

Slice example_slice(std::optional<std::size_t> action) {
  return {0, 1, {0, 1}, {-1, 2}, {0, 0, 0.1}, action};
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(SliceSvg, ShowsEveryReachedLeafAsARectangleInItsPlace) {
  const std::string svg = slice_svg(example(), example_slice({}));
  // The plot is 468 wide from 92; the leaves meet in its middle.
  expect_contains(svg, "<rect x=\"326\" y=\"59\" width=\"234\" height=\"400\"");
  expect_contains(svg, "<rect x=\"92\" y=\"59\" width=\"234\" height=\"400\"");
  Slice slice = example_slice({});
  slice.x_range = {0.6, 1};
  EXPECT_EQ(count(slice_svg(example(), slice), ">leaf1<"), 0);
}

TEST(SliceSvg, NamesLeavesAxesUnitsAndFixedObservations) {
  const std::string svg = slice_svg(example(), example_slice({}));
  expect_contains(svg, ">leaf0</text>");
  expect_contains(svg, ">speed [m/s]</text>");
  expect_contains(svg, ">gap &lt; 1</text>");
  expect_contains(svg, ">at x3 = 0.1</text>");
  expect_contains(svg, ">test: leaves</text>");
}

TEST(SliceSvg, LabelsOnlyWhatHasRoom) {
  Slice slice = example_slice({});
  slice.x_range = {0.49, 2};
  // Once in its rectangle and once in the legend; too narrow, only in the legend.
  EXPECT_EQ(count(slice_svg(example(), slice), ">leaf0</text>"), 2);
  EXPECT_EQ(count(slice_svg(example(), slice), ">leaf1</text>"), 1);
}

TEST(SliceSvg, ColoursTheActionByAGradientWhereItChanges) {
  const std::string svg = slice_svg(example(), example_slice(0));
  EXPECT_EQ(count(svg, "<linearGradient id=\"leaf"), 1);
  // From y = -1 at the bottom, where the action is -0.5, straight up.
  expect_contains(svg, "x1=\"92\" y1=\"459\" x2=\"92\" y2=\"59\"");
  expect_contains(svg, "<stop offset=\"0%\" stop-color=\"" +
                           action_colour(example().actions[0], -0.5) + "\"/>");
  expect_contains(svg, "fill=\"" + action_colour(example().actions[0], 1) + "\"");
}

TEST(SliceSvg, HasNumbersOfOrdinarySizeForAnyTree) {
  Rng rng(1);
  const std::regex number("[xy12]+=\"(-?[0-9.e+-]+|nan|inf|-nan|-inf)\"");
  for (int i = 0; i < 100; ++i) {
    Policy policy = random_policy({.levels = 4}, rng);
    Tree tree = tree_of(policy);
    for (Leaf& leaf : tree.leaves) {
      for (Term& term : leaf.controllers[0].terms)
        term.gain = std::ldexp(term.gain, rng.below(1800) - 900);
    }
    policy.controller = tree;
    const double size = std::ldexp(1, rng.below(1800) - 900);
    const std::string svg = slice_svg(policy, {0, 1, {-size, size}, {-1, 1}, {0, 0, 0.5}, 0});
    for (std::sregex_iterator at(svg.begin(), svg.end(), number), end; at != end; ++at)
      EXPECT_LT(std::abs(std::stod((*at)[1])), 2000) << (*at)[0];
  }
}

TEST(SliceSvg, RefusesSlicesThatDoNotFit) {
  const auto refuses = [](const auto& change) {
    Slice slice = example_slice(0);
    change(slice);
    EXPECT_THROW(slice_svg(example(), slice), Error);
  };
  refuses([](Slice& slice) { slice.y = 0; });
  refuses([](Slice& slice) { slice.x = 3; });
  refuses([](Slice& slice) { slice.action = 1; });
  refuses([](Slice& slice) { slice.at = {0, 0}; });
  refuses([](Slice& slice) { slice.at[2] = std::nan(""); });
  refuses([](Slice& slice) { slice.x_range = {1, 1}; });
  refuses([](Slice& slice) { slice.x_range = {}; });
}

TEST(ActionColour, IsWhiteAtZeroBlueBelowAndRedAbove) {
  const Dimension action{.name = "a", .unit = "", .lower = -1, .upper = 3};
  EXPECT_EQ(action_colour(action, -1), "#2166ac");
  EXPECT_EQ(action_colour(action, 0), "#f7f7f7");
  EXPECT_EQ(action_colour(action, 3), "#b2182b");
  const Dimension positive{.name = "a", .unit = "", .lower = 1, .upper = 3};
  EXPECT_EQ(action_colour(positive, 2), "#f7f7f7");
}

TEST(RoundNumbers, StandInsideTheRangeAndAreFew) {
  EXPECT_EQ(round_numbers(-1, 1, 4), (std::vector<double>{-1, -0.5, 0, 0.5, 1}));
  for (const Range range : {Range{0, 1e-300}, {-1e300, 1e300}, {1e15, 1e15 + 1}, {5, 5.1}}) {
    const auto numbers = round_numbers(range.lower, range.upper, 8);
    EXPECT_FALSE(numbers.empty());
    EXPECT_LE(numbers.size(), 9U);
    for (const double number : numbers) EXPECT_TRUE(range.contains(number));
  }
  EXPECT_EQ(round_number_text({123456.5, 123456.75}, 123456.55), "123456.55");
  EXPECT_EQ(round_number_text({-1000, 2000}, -1000), "−1000");
}

TEST(SvgFitting, CutsWholeLetters) {
  EXPECT_EQ(svg_fitting("speed", 100, 10), "speed");
  EXPECT_EQ(svg_fitting("größer", 24, 10), "grö…");
}

}  // namespace
}  // namespace icct
