#include "icct/verify/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "tests/verify/random_policy.h"

namespace icct {
namespace {

constexpr double kSpan = 3;  // of the actions in random_policy.h

Policy leaf_policy(const Controller& controller, Squashing squashing, int observations) {
  return tree_policy(make_leaf({controller}), squashing, observations, 1);
}

double difference_at(const Policy& a, const Policy& b, const std::vector<double>& x,
                     std::size_t action) {
  return std::abs(act(a, x)[action] - act(b, x)[action]);
}

// The largest of many differences of policies with a single observation.
double sampled(const Policy& a, const Policy& b, const Range& range) {
  constexpr int kSamples = 30'000;
  double largest = 0;
  for (int i = 0; i <= kSamples; ++i) {
    const double x = range.lower + i * ((range.upper - range.lower) / kSamples);
    largest = std::max(largest, difference_at(a, b, {std::clamp(x, range.lower, range.upper)}, 0));
  }
  return largest;
}

void expect_replays(const Policy& a, const Policy& b, const Box& box,
                    const std::vector<Difference>& result) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    EXPECT_TRUE(contains(box, result[i].at));
    EXPECT_EQ(difference_at(a, b, result[i].at, i), result[i].largest);
    EXPECT_EQ(find_leaf(tree_of(a), result[i].at), result[i].leaf_a);
    EXPECT_EQ(find_leaf(tree_of(b), result[i].at), result[i].leaf_b);
    EXPECT_LE(result[i].largest, result[i].proven);
  }
}

void expect_not_exceeded(const Policy& a, const Policy& b, const Box& box, int samples,
                         const std::vector<Difference>& result, Rng& rng) {
  for (int j = 0; j < samples; ++j) {
    const std::vector<double> x = awkward_point(box, rng);
    for (std::size_t i = 0; i < result.size(); ++i)
      EXPECT_LE(difference_at(a, b, x, i), result[i].proven);
  }
}

// The gains of a, somewhat changed, so that observations move both outputs together.
Controller neighbour(Controller controller, double change, Rng& rng) {
  controller.bias += change * rng.normal();
  for (Term& term : controller.terms) term.gain += change * rng.normal();
  return controller;
}

Tree neighbour(Tree tree, double change, Rng& rng) {
  for (Leaf& leaf : tree.leaves) {
    for (Controller& controller : leaf.controllers) controller = neighbour(controller, change, rng);
  }
  return tree;
}

TEST(LargestDifferences, AreZeroForTheSameTree) {
  Rng rng(1);
  const Policy policy = random_policy({.levels = 4}, rng);
  for (const Difference& difference : largest_differences(policy, policy, whole_box(3))) {
    EXPECT_EQ(difference.largest, 0);
    EXPECT_EQ(difference.proven, 0);
  }
}

TEST(LargestDifferences, OfConstantsAreExact) {
  const Policy a = leaf_policy({.bias = 0.25}, Squashing::Clip, 1);
  const Policy b = leaf_policy({.bias = 1}, Squashing::Clip, 1);
  const Difference difference = largest_differences(a, b, whole_box(1))[0];
  EXPECT_EQ(difference.largest, 0.75);
  EXPECT_EQ(difference.proven, 0.75);
}

TEST(LargestDifferences, AreFoundInsideTheBoxAndNotOnlyAtItsCorners) {
  // tanh(2 x) is farthest above tanh(x) in between: at x = 0.8 or so.
  const Policy a = leaf_policy({.terms = {{0, 2.0}}}, Squashing::Tanh, 1);
  const Policy b = leaf_policy({.terms = {{0, 1.0}}}, Squashing::Tanh, 1);
  const double dense = sampled(a, b, {0, 2});
  for (const Box& box : {Box{{-5, 5}}, whole_box(1)}) {
    const Difference difference = largest_differences(a, b, box)[0];
    EXPECT_NEAR(difference.largest, dense, 1e-6);
    EXPECT_LE(difference.proven, difference.largest + 2e-9 * kSpan);
  }
}

TEST(LargestDifferences, SettleADifferenceThatIsTheSameEverywhere) {
  const Policy a = leaf_policy({.terms = {{0, 1.0}, {1, 1.0}}}, Squashing::Clip, 2);
  const Policy b = leaf_policy({.bias = 0.1, .terms = {{0, 1.0}, {1, 1.0}}}, Squashing::Clip, 2);
  const Difference difference = largest_differences(a, b, {{-2, 2}, {-2, 2}})[0];
  EXPECT_NEAR(difference.largest, 0.1, 1e-14);
  EXPECT_LE(difference.proven, 0.1 + 1e-8);
}

TEST(LargestDifferences, SeeOneObservationBesideAThreshold) {
  const Policy a = tree_policy(make_split(0, 0.5, make_leaf({{.bias = 1}}), make_leaf({{}})),
                               Squashing::Clip, 1, 1);
  const Policy b = tree_policy(make_split_less(0, 0.5, make_leaf({{}}), make_leaf({{.bias = 1}})),
                               Squashing::Clip, 1, 1);
  // They disagree at 0.5 itself and nowhere else.
  const Difference difference = largest_differences(a, b, whole_box(1))[0];
  EXPECT_EQ(difference.largest, 1);
  EXPECT_EQ(difference.at, std::vector<double>{0.5});
  EXPECT_EQ(largest_differences(a, b, {{0.6, 1}})[0].proven, 0);
}

TEST(LargestDifferences, ComparePoliciesThatSquashDifferently) {
  const Policy a = leaf_policy({.terms = {{0, 1.0}}}, Squashing::Tanh, 1);
  const Policy b = leaf_policy({.terms = {{0, 1.0}}}, Squashing::Clip, 1);
  const Box box = {{-3, 3}};
  const auto result = largest_differences(a, b, box);
  const double dense = sampled(a, b, {-3, 3});
  EXPECT_NEAR(result[0].largest, dense, 1e-3);
  EXPECT_GE(result[0].proven, dense);
  EXPECT_LE(result[0].proven, result[0].largest + 2e-9 * kSpan);
}

TEST(LargestDifferences, AreNeverExceededBySamples) {
  Rng rng(3);
  for (int i = 0; i < 300; ++i) {
    const int levels = rng.below(4);
    const Policy a = random_policy({.levels = levels}, rng);
    Policy b = random_policy({.levels = levels}, rng);
    if (i % 2 == 0) b.controller = neighbour(tree_of(a), std::pow(10, -rng.below(9)), rng);
    if (i % 3 != 0) b.squashing = a.squashing;
    const Box box = random_box(3, rng);
    const auto result = largest_differences(a, b, box);
    expect_replays(a, b, box, result);
    expect_not_exceeded(a, b, box, 500, result, rng);
    for (const Difference& difference : result)
      EXPECT_LE(difference.proven, difference.largest + 1.1e-9 * kSpan);
  }
}

TEST(LargestDifferences, AreNeverExceededByNeighboursOfTheWorstCase) {
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    const Policy a = random_policy({.observations = 4, .actions = 1, .levels = 1}, rng);
    Policy b = a;
    b.controller = neighbour(tree_of(a), 0.3, rng);
    const Box box(4, Range{-1, 1});
    const Difference worst = largest_differences(a, b, box)[0];
    for (int j = 0; j < 300; ++j) {
      std::vector<double> x = worst.at;
      for (std::size_t k = 0; k < x.size(); ++k)
        x[k] = std::clamp(x[k] + std::ldexp(rng.normal(), -rng.below(54)), -1.0, 1.0);
      EXPECT_LE(difference_at(a, b, x, 0), worst.proven);
    }
  }
}

TEST(LargestDifferences, HoldForAstronomicalAndTinyNumbers) {
  Rng rng(5);
  for (int i = 0; i < 300; ++i) {
    const Policy a = random_policy({.observations = 2, .levels = 1}, rng);
    Tree tree = neighbour(tree_of(a), 0.1, rng);
    for (Leaf& leaf : tree.leaves) {
      for (Term& term : leaf.controllers[0].terms)
        term.gain = std::ldexp(term.gain, rng.below(2000) - 1000);
    }
    Policy b = a;
    b.controller = tree;
    Box box = whole_box(2);
    if (i % 3 == 0) box[0] = {0, std::numeric_limits<double>::denorm_min()};
    if (i % 3 == 1) box[0] = {-1e300, 1e-300};
    const auto result = largest_differences(a, b, box);
    expect_replays(a, b, box, result);
    for (int j = 0; j < 300; ++j) {
      std::vector<double> x;
      for (const Range& range : box) {
        const double any = std::ldexp(rng.normal(), rng.below(2000) - 1000);
        x.push_back(std::clamp(any, range.lower, range.upper));
      }
      for (std::size_t k = 0; k < 2; ++k) EXPECT_LE(difference_at(a, b, x, k), result[k].proven);
    }
  }
}

TEST(LargestDifferences, IncludeTheRoundingOfLargeNumbers) {
  // The same sum but for the order of what rounds: 1e16 swallows ones.
  const Policy a = leaf_policy({.terms = {{0, 1.0}, {1, 1.0}, {2, 1.0}}}, Squashing::Clip, 3);
  const Policy b =
      leaf_policy({.bias = 1e-9, .terms = {{0, 1.0}, {1, 1.0}, {2, 1.0}}}, Squashing::Clip, 3);
  const Box box = {{-1e16, 1e16}, {-1, 1}, {-1e16, 1e16}};
  const auto result = largest_differences(a, b, box);
  Rng rng(6);
  for (int i = 0; i < 2000; ++i) {
    const double big = std::floor(rng.uniform(-1e16, 1e16));
    const std::vector<double> x = {big, rng.uniform(-1, 1), -big};
    EXPECT_LE(difference_at(a, b, x, 0), result[0].proven);
  }
}

TEST(LargestDifferences, RefuseDifferentSpaces) {
  Rng rng(7);
  const Policy a = random_policy({.observations = 2}, rng);
  const Policy b = random_policy({.observations = 3}, rng);
  Policy c = a;
  c.actions[0].upper = 5;
  EXPECT_THROW(largest_differences(a, b, whole_box(2)), Error);
  EXPECT_THROW(largest_differences(a, c, whole_box(2)), Error);
  EXPECT_THROW(largest_differences(a, a, whole_box(3)), Error);
  EXPECT_THROW(largest_differences(a, a, {{1, 0}, {}}), Error);
}

}  // namespace
}  // namespace icct
