#include "examples/approximate/approximate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "examples/approximate/picture.h"

namespace icct {
namespace {

constexpr int kMostLeaves = 1024;

// Between 8 and 1024 leaves the slope may differ from the theory's by this share: the coarsest of
// these trees still have leaves as wide as a bend of the function.
constexpr double kMargin = 0.06;

void expect_predicted_slope(const Target& target, LeafKind leaf) {
  const Curve curve = measure_curve(target, leaf, kMostLeaves);
  const double predicted = predicted_slope(leaf, target.inputs);
  EXPECT_NEAR(observed_slope(curve, kSlopeFrom), predicted, kMargin * std::abs(predicted));
  for (std::size_t i = 1; i < curve.errors.size(); ++i)
    EXPECT_LT(curve.errors[i], curve.errors[i - 1]) << curve.leaves[i] << " leaves";
}

TEST(Approximate, TheoryPredictsOneOverTheLeavesAndItsSquareAndTheirRootsInTwoDimensions) {
  EXPECT_EQ(predicted_slope(LeafKind::Static, 1), -1);
  EXPECT_EQ(predicted_slope(LeafKind::Complete, 1), -2);
  EXPECT_EQ(predicted_slope(LeafKind::Static, 2), -0.5);
  EXPECT_EQ(predicted_slope(LeafKind::Complete, 2), -1);
}

TEST(Approximate, StaticLeavesOfOneInputHalveTheErrorWhenTheyDouble) {
  expect_predicted_slope(wave(), LeafKind::Static);
}

TEST(Approximate, LinearLeavesOfOneInputQuarterTheErrorWhenTheyDouble) {
  expect_predicted_slope(wave(), LeafKind::Complete);
}

TEST(Approximate, StaticLeavesOfTwoInputsHalveTheErrorWhenTheyQuadruple) {
  expect_predicted_slope(surface(), LeafKind::Static);
}

TEST(Approximate, LinearLeavesOfTwoInputsHalveTheErrorWhenTheyDouble) {
  expect_predicted_slope(surface(), LeafKind::Complete);
}

TEST(Approximate, EveryFittedTreeIsValidAndHasTheLeavesAskedFor) {
  const std::vector<int> sizes = {1, 2, 3, 7, 64, 1024};
  for (const Target& target : {wave(), surface()}) {
    for (const LeafKind leaf : {LeafKind::Static, LeafKind::Complete}) {
      const auto trees = fit_trees(target, leaf, sizes);
      ASSERT_EQ(trees.size(), sizes.size());
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_NO_THROW(validate(trees[i], target.inputs, 1));
        EXPECT_EQ(trees[i].leaves.size(), static_cast<std::size_t>(sizes[i]));
      }
    }
  }
}

TEST(Approximate, StaticLeavesHaveNoGainsAndLinearLeavesOneForEveryInput) {
  const std::vector<int> sizes = {16};
  const auto constant = fit_trees(surface(), LeafKind::Static, sizes);
  const auto linear = fit_trees(surface(), LeafKind::Complete, sizes);
  for (const Leaf& leaf : constant[0].leaves) EXPECT_TRUE(leaf.controllers[0].terms.empty());
  for (const Leaf& leaf : linear[0].leaves) EXPECT_EQ(leaf.controllers[0].terms.size(), 2);
}

TEST(Approximate, OneLinearLeafIsEnoughForALinearFunction) {
  const Target plane{"1 + 2 x - 3 y", 2,
                     [](std::span<const double> x) { return 1 + 2 * x[0] - 3 * x[1]; }};
  const std::vector<int> one = {1};
  EXPECT_LT(sup_error(fit_trees(plane, LeafKind::Complete, one)[0], plane, 11), 1e-14);
}

TEST(Approximate, TheBestConstantForARampIsItsMiddle) {
  const Target ramp{"x", 1, [](std::span<const double> x) { return x[0]; }};
  const std::vector<int> sizes = {1, 2};
  const auto trees = fit_trees(ramp, LeafKind::Static, sizes);
  EXPECT_DOUBLE_EQ(sup_error(trees[0], ramp, 101), 0.5);
  EXPECT_DOUBLE_EQ(sup_error(trees[1], ramp, 101), 0.25);
}

TEST(Approximate, TheErrorIsMeasuredUpToTheLastCornerOfTheCube) {
  const Target corner{"x y", 2, [](std::span<const double> x) { return x[0] * x[1]; }};
  EXPECT_EQ(sup_error(make_leaf({{.bias = 0}}), corner, 7), 1);
}

TEST(Approximate, ThePictureNamesEveryCurveWithItsSlopes) {
  const Curve curves[] = {{LeafKind::Static, 1, {8, 16}, {1, 0.5}},
                          {LeafKind::Complete, 2, {8, 16}, {0.5, 0.25}}};
  const std::string svg = draw_picture(wave(), curves);
  EXPECT_EQ(svg.find("<svg"), 0);
  EXPECT_NE(svg.find("static, 1 input"), std::string::npos);
  EXPECT_NE(svg.find("linear, 2 inputs"), std::string::npos);
  EXPECT_NE(svg.find("slope \xE2\x88\x92"
                     "1.00, theory \xE2\x88\x92"
                     "1.00"),
            std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace
}  // namespace icct
