#include "icct/verify/constraint_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/verify/random_question.h"

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

TEST(Solutions, EndAtTheLastDoubleThatFulfilsTheConstraint) {
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const double scale = std::ldexp(1.0, rng.below(2000) - 1000);
    const double gain = rng.below(3) == 0 ? (rng.below(2) == 0 ? 1 : -1) : rng.normal();
    const double bound = (rng.below(3) == 0 ? grid_value(rng) : rng.normal()) * scale;
    const bool strict = rng.below(2) == 0;
    const Range range = solutions(gain, bound, strict);
    const Constraint constraint{.observations = {{0, gain}}, .bound = bound, .strict = strict};
    const auto fulfils = [&](double x) { return holds(constraint, std::vector{x}, {}); };
    const double end = gain > 0 ? range.upper : range.lower;
    const double outward = gain > 0 ? HUGE_VAL : -HUGE_VAL;
    ASSERT_TRUE(fulfils(end)) << gain << " x <= " << bound;
    ASSERT_TRUE(std::isinf(std::nextafter(end, outward)) || !fulfils(std::nextafter(end, outward)))
        << gain << " x <= " << bound;
  }
}

TEST(Solutions, MayBeAllDoublesOrNone) {
  EXPECT_EQ(solutions(1e-300, 1e300, false), Range{});
  EXPECT_TRUE(solutions(1e-300, -1e300, false).empty());
  EXPECT_TRUE(solutions(-1e-300, -1e300, true).empty());
  EXPECT_EQ(solutions(2, 0, true).upper, -std::numeric_limits<double>::denorm_min());
}

TEST(OutputSolutions, UndoTheSquashingToTheLastDouble) {
  Policy policy;
  policy.actions = {{"y", "", -3, 5}};
  for (const auto squashing : {Squashing::Tanh, Squashing::Clip}) {
    policy.squashing = squashing;
    for (const double bound : {-2.9, 0.0, 1.0, 4.999}) {
      const Constraint at_most{.actions = {{0, 1}}, .bound = bound};
      const double last = output_solutions(at_most, policy).upper;
      EXPECT_LE(squash(squashing, last, policy.actions[0]), bound);
      EXPECT_GT(squash(squashing, std::nextafter(last, HUGE_VAL), policy.actions[0]), bound);
      const Constraint above{.actions = {{0, -1}}, .bound = -bound, .strict = true};
      EXPECT_EQ(output_solutions(above, policy).lower, std::nextafter(last, HUGE_VAL));
    }
    EXPECT_TRUE(output_solutions({.actions = {{0, 1}}, .bound = -3.5}, policy).empty());
    EXPECT_EQ(output_solutions({.actions = {{0, 1}}, .bound = 5}, policy).upper, kLargest);
  }
}

}  // namespace
}  // namespace icct
