#include "icct/verify/simplify.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/base/error.h"
#include "icct/verify/difference.h"
#include "icct/verify/range.h"
#include "tests/verify/random_policy.h"

namespace icct {
namespace {

Tree constant(double value) {
  return make_leaf({{.bias = value}});
}

Policy policy_of(const Tree& tree, int observations = 2) {
  return tree_policy(tree, Squashing::Clip, observations, 1);
}

void expect_same_actions(const Policy& a, const Policy& b, const Box& box, int samples, Rng& rng) {
  for (int i = 0; i < samples; ++i) {
    const std::vector<double> x = awkward_point(box, rng);
    EXPECT_EQ(act(a, x), act(b, x));
  }
}

TEST(Simplify, LeavesATreeAloneThatIsAsSmallAsItCanBe) {
  const Policy policy = policy_of(make_split(0, 0.5, constant(1), constant(0)));
  const Simplified result = simplify(policy, whole_box(2), 0.001);
  EXPECT_EQ(result.policy, policy);
  EXPECT_TRUE(result.changes.empty());
  EXPECT_EQ(result.bounds, std::vector<double>{0});
}

TEST(Simplify, RemovesBranchesThatTheBoxCannotReach) {
  const Policy policy =
      policy_of(make_split(0, 0.5, make_split_less(0, 0.25, constant(1), constant(2)),
                           make_split(1, 3, constant(0), constant(-1))));
  const Simplified inside = simplify(policy, whole_box(2));
  EXPECT_EQ(tree_of(inside.policy).leaves.size(), 3U);
  EXPECT_EQ(inside.changes, std::vector<std::string>{"removed node1 (x1 <= 0.25): always no"});
  const Simplified part = simplify(policy, {{0, 0.4}, {3, 5}});
  EXPECT_EQ(tree_of(part.policy).splits.size(), 0U);
  EXPECT_EQ(act(part.policy, std::vector<double>{0, 4}), std::vector<double>{0});
}

TEST(Simplify, KeepsABranchForASingleObservation) {
  const Policy policy = policy_of(make_split(0, 0.5, constant(1), constant(0)));
  EXPECT_EQ(simplify(policy, {{0, 0.5}, {}}).policy, policy);
  const Box below = {{0, std::nextafter(0.5, 0)}, {}};
  EXPECT_EQ(tree_of(simplify(policy, below).policy).leaves.size(), 1U);
}

TEST(Simplify, ReplacesASplitWhoseTwoSidesAreTheSame) {
  const Tree same = make_split(1, 0, constant(1), constant(0));
  const Simplified result = simplify(policy_of(make_split(0, 0.5, same, same)), whole_box(2));
  EXPECT_EQ(result.changes,
            std::vector<std::string>{"removed node0 (x1 >= 0.5): yes and no do the same"});
  EXPECT_EQ(tree_of(result.policy).leaves.size(), 2U);
}

TEST(Simplify, SeesSidesThatAreTheSameOnlyOnceTheyAreSimplified) {
  const Tree tree =
      make_split(0, 0.5, make_split(0, 0, constant(1), constant(7)),
                 make_split(0, 1, constant(8), make_split(1, 2, constant(1), constant(1))));
  const Simplified result = simplify(policy_of(tree), whole_box(2));
  EXPECT_EQ(tree_of(result.policy).leaves.size(), 1U);
  EXPECT_EQ(act(result.policy, std::vector<double>{0.5, 0}), std::vector<double>{1});
}

TEST(Simplify, KeepsTheNamesAndSpreadsOfWhatStays) {
  Policy policy =
      policy_of(make_split(0, 5, constant(1), make_split(1, 0, constant(0), constant(2))));
  Tree tree = tree_of(policy);
  tree.splits[1].name = "high";
  tree.leaves[2].name = "brake";
  tree.leaves[2].log_std = {-3};
  policy.controller = tree;
  const Simplified result = simplify(policy, {{0, 1}, {-1, 1}});
  const Tree& small = tree_of(result.policy);
  EXPECT_EQ(name_of(small, small.root), "high");
  EXPECT_EQ(name_of(small, {0, true}), "leaf1");
  EXPECT_EQ(small.leaves[1].name, "brake");
  EXPECT_EQ(small.leaves[1].log_std, std::vector<double>{-3});
}

TEST(Simplify, TurnsAnActionThatIsAlwaysTheSameIntoAConstant) {
  const Policy policy = policy_of(make_leaf({{.bias = 5, .terms = {{0, 1.0}, {1, 0.0}}}}));
  const Simplified result = simplify(policy, {{-3, 3}, {}});
  EXPECT_TRUE(tree_of(result.policy).leaves[0].controllers[0].terms.empty());
  EXPECT_EQ(result.changes, std::vector<std::string>{"leaf0: a1 is always 2, without terms"});
  EXPECT_EQ(result.bounds, std::vector<double>{0});
  EXPECT_EQ(act(result.policy, std::vector<double>{0, 0}), std::vector<double>{2});
}

TEST(Simplify, RemovesTermsWithAGainOfZero) {
  const Policy policy = policy_of(make_leaf({{.terms = {{0, 0.0}, {1, 1.0}}}}));
  const Simplified result = simplify(policy, whole_box(2));
  EXPECT_EQ(tree_of(result.policy).leaves[0].controllers[0].terms, (std::vector<Term>{{1, 1.0}}));
  EXPECT_EQ(result.bounds, std::vector<double>{0});
}

TEST(Simplify, DropsTermsOfLittleEffectOnlyIfAsked) {
  const Policy policy = policy_of(make_leaf({{.terms = {{0, 0.001}, {1, 1.0}}}}));
  const Box box = {{2, 4}, {-1, 1}};
  EXPECT_EQ(simplify(policy, box).policy, policy);
  // 0.001 is at most what x1 does, and a span of 3 allows 0.003.
  const Simplified result = simplify(policy, box, 0.001);
  const Controller& controller = tree_of(result.policy).leaves[0].controllers[0];
  EXPECT_EQ(controller.terms, (std::vector<Term>{{1, 1.0}}));
  EXPECT_NEAR(controller.bias, 0.003, 1e-15);
  EXPECT_NEAR(result.bounds[0], 0.001, 1e-8);
  EXPECT_EQ(simplify(policy, box, 0.0003).policy, policy);
  EXPECT_EQ(simplify(policy, whole_box(2), 0.01).policy, policy);
}

TEST(Simplify, KeepsTheTotalOfDroppedTermsBelowTheLimit) {
  const Policy policy =
      policy_of(make_leaf({{.terms = {{0, 0.1}, {1, 0.1}, {2, 0.1}, {3, 0.1}}}}), 4);
  const Simplified result = simplify(policy, Box(4, Range{-1, 1}), 0.25 / 3);
  EXPECT_EQ(tree_of(result.policy).leaves[0].controllers[0].terms.size(), 2U);
  EXPECT_NEAR(result.bounds[0], 0.2, 1e-8);
}

TEST(Simplify, DoesTheSameAsTheOriginalInsideTheBox) {
  Rng rng(1);
  std::size_t removed = 0;
  for (int i = 0; i < 500; ++i) {
    const Policy policy = random_policy({.levels = rng.below(5)}, rng);
    const Box box = rng.below(3) == 0 ? whole_box(3) : random_box(3, rng);
    const Simplified result = simplify(policy, box);
    EXPECT_EQ(result.bounds, (std::vector<double>{0, 0}));
    EXPECT_TRUE(unreachable_leaves(tree_of(result.policy), box).empty());
    EXPECT_TRUE(simplify(result.policy, box).changes.empty());
    removed += tree_of(policy).leaves.size() - tree_of(result.policy).leaves.size();
    expect_same_actions(policy, result.policy, box, 100, rng);
    Box drawn = box;
    for (Range& range : drawn) range = intersection(range, {-3, 3});
    expect_same_actions(policy, result.policy, drawn, 100, rng);
  }
  EXPECT_GT(removed, 500U);
}

TEST(Simplify, BoundsHoldWhenTermsWereDropped) {
  Rng rng(2);
  std::size_t dropped = 0;
  for (int i = 0; i < 150; ++i) {
    const Policy policy = random_policy({.levels = rng.below(4)}, rng);
    const Box box = random_box(3, rng);
    const double share = rng.uniform(0.001, 0.3);
    const Simplified result = simplify(policy, box, share);
    for (std::size_t a = 0; a < 2; ++a) {
      EXPECT_LE(result.bounds[a], share * 3);
      dropped += result.bounds[a] > 0 ? 1 : 0;
    }
    for (int j = 0; j < 300; ++j) {
      const std::vector<double> x = awkward_point(box, rng);
      const std::vector<double> before = act(policy, x);
      const std::vector<double> after = act(result.policy, x);
      for (std::size_t a = 0; a < 2; ++a)
        EXPECT_LE(std::abs(before[a] - after[a]), result.bounds[a]);
    }
  }
  EXPECT_GT(dropped, 100U);
}

TEST(Simplify, RefusesWhatDoesNotFit) {
  const Policy policy = policy_of(constant(1));
  EXPECT_THROW(simplify(policy, whole_box(3)), Error);
  EXPECT_THROW(simplify(policy, {{1, 0}, {}}), Error);
  EXPECT_THROW(simplify(policy, whole_box(2), -1), Error);
  EXPECT_THROW(simplify(policy, whole_box(2), std::nan("")), Error);
}

}  // namespace
}  // namespace icct
