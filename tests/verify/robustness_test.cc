#include "icct/verify/robustness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/verify/range.h"
#include "tests/verify/random_policy.h"

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
const Range kAnything = {};

// x0 >= 1 ? 1.5 : x1, cut at [-1, 2].
Policy example() {
  return tree_policy(
      make_split(0, 1, make_leaf({{.bias = 1.5}}), make_leaf({{.terms = {{1, 1.0}}}})),
      Squashing::Clip, 2, 1);
}

RobustnessQuery example_query(double x0, double x1, Range allowed) {
  return {{x0, x1}, {allowed}, {1, 1}, whole_box(2)};
}

Box ball(const RobustnessQuery& query, double e) {
  Box box = query.box;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double move = e * query.weights[i];
    box[i] = intersection(box[i], {query.x[i] - move, query.x[i] + move});
  }
  return box;
}

bool is_allowed(const RobustnessQuery& query, const std::vector<double>& action) {
  for (std::size_t a = 0; a < action.size(); ++a) {
    if (!query.allowed[a].contains(action[a])) return false;
  }
  return true;
}

void expect_safe_inside(const Policy& policy, const RobustnessQuery& query, double e) {
  const auto ranges = action_ranges(policy, ball(query, e));
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    EXPECT_TRUE(query.allowed[a].contains(ranges[a].min.value)) << e;
    EXPECT_TRUE(query.allowed[a].contains(ranges[a].max.value)) << e;
  }
}

void expect_replays(const Policy& policy, const RobustnessQuery& query, const Robustness& result) {
  EXPECT_TRUE(contains(ball(query, *result.radius), result.at));
  EXPECT_EQ(find_leaf(tree_of(policy), result.at), result.leaf);
  EXPECT_FALSE(query.allowed[result.action].contains(act(policy, result.at)[result.action]));
}

RobustnessQuery random_query(const Policy& policy, Rng& rng) {
  RobustnessQuery query;
  query.box = random_box(static_cast<int>(policy.observations.size()), rng);
  if (rng.below(3) == 0) query.box = whole_box(policy.observations.size());
  for (std::size_t i = 0; i < query.box.size(); ++i) {
    query.x.push_back(awkward_value(intersection(query.box[i], {-1.5, 1.5}), rng));
    query.weights.push_back(rng.below(4) == 0 ? 0 : rng.uniform(0.1, 3));
  }
  const std::vector<double> action = act(policy, query.x);
  for (const double value : action)
    query.allowed.push_back({value - rng.uniform(0, 1.5), value + rng.uniform(0, 1.5)});
  return query;
}

TEST(Robustness, IsTheDistanceToTheNearestLeafThatViolates) {
  const auto result = robustness(example(), example_query(0.25, 0, {-1, 1}));
  EXPECT_EQ(result.radius, 0.75);
  EXPECT_EQ(result.at, (std::vector<double>{1, 0}));
  EXPECT_EQ(result.leaf, 0);
}

TEST(Robustness, IsTheWayToAViolationWithinALeaf) {
  const auto result = robustness(example(), example_query(-5, 0, {-1, 0.5}));
  EXPECT_EQ(result.radius, std::nextafter(0.5, 1));
  EXPECT_EQ(result.leaf, 1);
  EXPECT_GT(act(example(), result.at)[0], 0.5);
}

TEST(Robustness, TakesTheLargestDistanceOverTheObservations) {
  // Violates only for x0 >= 1 and x1 >= 3: the farther one decides.
  const Policy policy =
      tree_policy(make_split(0, 1, make_split(1, 3, make_leaf({{.bias = 1}}), make_leaf({{}})),
                             make_leaf({{}})),
                  Squashing::Clip, 2, 1);
  EXPECT_EQ(robustness(policy, example_query(0, 0, {-1, 0.5})).radius, 3);
}

TEST(Robustness, IsZeroWhereTheObservationItselfViolates) {
  const auto result = robustness(example(), example_query(1, 0, {-1, 1}));
  EXPECT_EQ(result.radius, 0);
  EXPECT_EQ(result.at, (std::vector<double>{1, 0}));
}

TEST(Robustness, SeesThatTheThresholdIsOneDoubleAway) {
  const double below = std::nextafter(1.0, 0);
  const auto result = robustness(example(), example_query(below, 0, {-1, 1}));
  // The smallest move that rounds up to 1.
  EXPECT_GT(*result.radius, 0);
  EXPECT_LE(*result.radius, 1 - below);
  EXPECT_EQ(result.at[0], 1);
}

TEST(Robustness, IsNoneIfNothingCanViolate) {
  EXPECT_FALSE(robustness(example(), example_query(0, 0, kAnything)).radius);
  RobustnessQuery query = example_query(0, 0, {-1, 1});
  query.weights = {0, 0};
  EXPECT_FALSE(robustness(example(), query).radius);
  query.weights = {1, 1};
  query.box = {{-1, 0.5}, {-1, 1}};
  EXPECT_FALSE(robustness(example(), query).radius);
}

TEST(Robustness, LeavesFixedObservationsAlone) {
  RobustnessQuery query = example_query(0.25, 0, {-1, 1});
  query.weights = {0, 2};
  const auto result = robustness(example(), query);
  EXPECT_EQ(result.at[0], 0.25);
  EXPECT_EQ(result.radius, std::nextafter(0.5, 1));
}

TEST(Robustness, FindsAstronomicalAndDenormalRadii) {
  const Policy far = tree_policy(make_leaf({{.terms = {{0, 1e-300}}}}), Squashing::Clip, 1, 1);
  const auto large = robustness(far, {{0}, {{-1, 1}}, {1}, whole_box(1)});
  EXPECT_NEAR(*large.radius / 1e300, 1, 1e-12);
  EXPECT_FALSE(robustness(far, {{0}, {{-1, 1}}, {1e-10}, whole_box(1)}).radius);
  const Policy near = tree_policy(
      make_split(0, kSmallest, make_leaf({{.bias = 1}}), make_leaf({{}})), Squashing::Clip, 1, 1);
  EXPECT_EQ(robustness(near, {{0}, {{0, 0}}, {1}, whole_box(1)}).radius, kSmallest);
}

TEST(Robustness, IsExactForRandomTrees) {
  Rng rng(1);
  int found = 0;
  for (int i = 0; i < 3000; ++i) {
    const Policy policy = random_policy({.levels = rng.below(5)}, rng);
    const RobustnessQuery query = random_query(policy, rng);
    const Robustness result = robustness(policy, query);
    if (!result.radius) {
      expect_safe_inside(policy, query, kLargest);
      continue;
    }
    ++found;
    expect_replays(policy, query, result);
    if (*result.radius > 0) expect_safe_inside(policy, query, std::nextafter(*result.radius, 0));
  }
  EXPECT_GT(found, 1000);
}

TEST(Robustness, IsNotContradictedBySampledPerturbations) {
  Rng rng(2);
  for (int i = 0; i < 300; ++i) {
    const Policy policy = random_policy({}, rng);
    const RobustnessQuery query = random_query(policy, rng);
    const double radius = robustness(policy, query).radius.value_or(10);
    if (radius == 0) continue;
    const Box box = ball(query, std::nextafter(radius, 0));
    for (int j = 0; j < 200; ++j)
      EXPECT_TRUE(is_allowed(query, act(policy, awkward_point(box, rng))));
  }
}

TEST(Robustness, RefusesQueriesThatDoNotFit) {
  const auto refuses = [](const RobustnessQuery& query) {
    EXPECT_THROW(robustness(example(), query), Error);
  };
  RobustnessQuery query = example_query(0, 0, {-1, 1});
  query.box[0] = {1, 2};
  refuses(query);
  query = example_query(0, 0, {1, -1});
  refuses(query);
  query = example_query(0, 0, {-1, 1});
  query.weights = {1, -1};
  refuses(query);
  query.weights = {1};
  refuses(query);
}

TEST(RobustnessRadii, AreInfiniteWhereNothingCanViolate) {
  RobustnessQuery query = example_query(0, 0, {-1, 1});
  query.weights = {1, 0};
  query.box[0] = {-1, 2};
  const std::vector<std::vector<double>> observations = {{0.25, 0}, {1, 0}, {0, 0}};
  EXPECT_EQ(robustness_radii(example(), query, observations), (std::vector<double>{0.75, 0, 1}));
  query.allowed = {kAnything};
  EXPECT_EQ(robustness_radii(example(), query, observations)[0],
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace icct
