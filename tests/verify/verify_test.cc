#include "icct/verify/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/complaint.h"
#include "tests/verify/random_question.h"

namespace icct {
namespace {

struct Tally {
  int proven = 0, violated = 0, undecided = 0;
};

// Counts the verdict; a counterexample must be one.
void check_verdict(const Policy& policy, const Property& property, const Box& box,
                   const Verdict& verdict, Tally& tally) {
  if (verdict.answer == Answer::Proven) ++tally.proven;
  if (verdict.answer == Answer::Undecided) ++tally.undecided;
  if (verdict.answer != Answer::Violated) return;
  ++tally.violated;
  ASSERT_TRUE(contains(box, verdict.x));
  ASSERT_EQ(act(policy, verdict.x), verdict.action);
  ASSERT_EQ(find_leaf(tree_of(policy), verdict.x), verdict.leaf);
  const Property one{.violations = {property.violations[verdict.violated_case]}};
  ASSERT_TRUE(violates(policy, one, verdict.x));
}

TEST(Verify, IsNeverContradictedByObservationsTried) {
  Rng rng(1);
  Tally tally;
  for (int i = 0; i < 60'000; ++i) {
    const int observations = 1 + rng.below(12), actions = 1 + rng.below(2);
    const int leaves = i % 10 == 0 ? 1 + rng.below(64) : 1 + rng.below(8);
    const Policy policy = random_policy(rng, leaves, observations, actions);
    const Property property = random_property(rng, observations, actions);
    const Box box = random_box(rng, observations);
    const Verdict verdict = verify(policy, property, box, {.effort = 300});
    ASSERT_NO_FATAL_FAILURE(check_verdict(policy, property, box, verdict, tally)) << i;
    for (int k = 0; verdict.answer == Answer::Proven && k < 20; ++k)
      ASSERT_FALSE(violates(policy, property, random_point(rng, box))) << i;
  }
  EXPECT_GT(tally.proven, 10'000);
  EXPECT_GT(tally.violated, 10'000);
  EXPECT_LT(tally.undecided, 600) << "the undecided are few";
}

// Every observation of a box that spans only a few doubles in each direction.
std::vector<std::vector<double>> all_points(const Box& box) {
  std::vector<std::vector<double>> points = {{}};
  for (const Range& range : box) {
    std::vector<std::vector<double>> longer;
    for (const auto& point : points) {
      for (double x = range.lower; x <= range.upper; x = std::nextafter(x, HUGE_VAL)) {
        longer.push_back(point);
        longer.back().push_back(x);
      }
    }
    points = std::move(longer);
  }
  return points;
}

TEST(Verify, IsRightAboutEveryDoubleOfSmallBoxesAtThresholds) {
  Rng rng(2);
  Tally tally;
  const double far[] = {0, 1e-310, 1e300, -1e300, 4.9e-324};
  for (int i = 0; i < 60'000; ++i) {
    const int observations = 1 + rng.below(3), actions = 1 + rng.below(2);
    const Policy policy = random_policy(rng, 1 + rng.below(8), observations, actions);
    const Property property = random_property(rng, observations, actions);
    Box box;
    for (int k = 0; k < observations; ++k) {
      double lower = rng.below(8) == 0 ? far[rng.below(5)] : grid_value(rng);
      for (int step = rng.below(3); step > 0; --step) lower = std::nextafter(lower, -HUGE_VAL);
      double upper = lower;
      for (int step = rng.below(4); step > 0; --step) upper = std::nextafter(upper, HUGE_VAL);
      box.push_back({lower, upper});
    }
    const Verdict verdict = verify(policy, property, box, {.effort = 3'000});
    ASSERT_NO_FATAL_FAILURE(check_verdict(policy, property, box, verdict, tally)) << i;
    if (verdict.answer != Answer::Proven) continue;
    for (const auto& x : all_points(box)) ASSERT_FALSE(violates(policy, property, x)) << i;
  }
  EXPECT_GT(tally.proven, 10'000);
  EXPECT_GT(tally.violated, 10'000);
  EXPECT_EQ(tally.undecided, 0) << "the boxes can be taken apart to the last double";
}

TEST(Verify, DecidesLinearConditionsThatOnlyTogetherAreImpossible) {
  Policy policy;
  policy.observations = {{"a", "", -10, 10}, {"b", "", -10, 10}};
  policy.actions = {{"y", "", -100, 100}};
  policy.squashing = Squashing::Clip;
  policy.controller = make_leaf({{.bias = 0, .terms = {{0, 1}, {1, 1}}}});
  // a + b <= 1 and y = a + b >= 1.001 cannot be; with 0.999 it can.
  const auto property = [](double at_least) {
    return Property{.violations = {{{.observations = {{0, 1}, {1, 1}}, .bound = 1},
                                    {.actions = {{0, -1}}, .bound = -at_least}}}};
  };
  const Verdict proven =
      verify(policy, property(1.001), declared_box(policy), {.keep_proof = true});
  ASSERT_EQ(proven.answer, Answer::Proven);
  EXPECT_FALSE(proven.proof.cases[0].reasons[0].multipliers.empty()) << "by a linear program";
  EXPECT_EQ(verify(policy, property(0.999), declared_box(policy)).answer, Answer::Violated);
}

TEST(Verify, SaysUndecidedRatherThanGuess) {
  Policy policy;
  policy.observations = {{"a", "", -10, 10}, {"b", "", -10, 10}};
  policy.actions = {{"y", "", -1, 1}, {"z", "", -1, 1}};
  policy.controller = make_leaf(
      {{.bias = 0, .terms = {{0, 1}, {1, 0.3}}}, {.bias = 0, .terms = {{0, 1}, {1, 0.3}}}});
  // y - z is exactly 0 everywhere; bounds of both alone cannot show that.
  const Property property{.violations = {{{.actions = {{0, -1}, {1, 1}}, .bound = -1e-9}}}};
  const Verdict verdict = verify(policy, property, declared_box(policy), {.effort = 200});
  EXPECT_EQ(verdict.answer, Answer::Undecided);
  EXPECT_NE(verdict.reason, "");
  EXPECT_TRUE(verdict.x.empty());
}

TEST(Verify, RefusesWhatDoesNotFit) {
  Rng rng(3);
  const Policy policy = random_policy(rng, 2, 2, 1);
  const Property unknown{.violations = {{{.actions = {{1, 1}}}}}};
  EXPECT_THAT(complaint([&] { verify(policy, unknown, whole_box(2)); }),
              testing::HasSubstr("action 1"));
  EXPECT_THAT(complaint([&] { verify(policy, {}, whole_box(3)); }), testing::HasSubstr("3 ranges"));
  EXPECT_THAT(complaint([&] {
                verify(policy, {}, {{0, 1}, {1, 0}});
              }),
              testing::HasSubstr("'x1' is empty"));
}

}  // namespace
}  // namespace icct
