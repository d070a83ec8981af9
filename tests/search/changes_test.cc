#include "icct/search/changes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/tracking_environment.h"

namespace icct {
namespace {

// Three leaves, one of them never reached, a second action.
Policy grown() {
  Policy policy = idle_policy(true);
  policy.actions.push_back({.name = "b", .unit = "", .lower = -2, .upper = 2});
  const auto leaf = [](double bias) {
    return make_leaf({{.bias = bias, .terms = {{0, 0.01}}}, {.bias = -bias, .terms = {{1, 0.5}}}});
  };
  policy.controller = make_split(0, 10, leaf(0.1), make_split(1, 5, leaf(0.2), leaf(0.3)));
  return policy;
}

// What its leaves might have met: x at random, side -1 or 1.
Visits visits_of(const Policy& policy, int count = 200) {
  Visits result;
  const Tree& tree = tree_of(policy);
  result.by_leaf.resize(tree.leaves.size());
  Rng rng(1);
  for (int i = 0; i < count; ++i) {
    const std::vector<double> x = {rng.uniform(-50, 50), rng.uniform() < 0.5 ? -1.0 : 1.0};
    result.by_leaf[static_cast<std::size_t>(find_leaf(tree, x))].push_back(x);
  }
  return result;
}

std::vector<double> outputs(const Tree& tree, const std::vector<double>& x) {
  std::vector<double> result;
  for (const Controller& c : tree.leaves[static_cast<std::size_t>(find_leaf(tree, x))].controllers)
    result.push_back(evaluate(c, x));
  return result;
}

TEST(SplitChanges, AreValidTreesWithOneMoreLeaf) {
  const Policy policy = grown();
  const std::vector<Change> changes = split_changes(policy, visits_of(policy));
  EXPECT_GT(changes.size(), 50U);
  for (const Change& change : changes) {
    EXPECT_NO_THROW(validate(change.policy)) << change.what;
    EXPECT_EQ(tree_of(change.policy).leaves.size(), 4U);
    EXPECT_EQ(tree_of(change.policy).splits.size(), 3U);
  }
}

TEST(SplitChanges, ChangeOneActionOnOneSideAndNothingElse) {
  const Policy policy = grown();
  const Visits met = visits_of(policy);
  for (const Change& change : split_changes(policy, met)) {
    const Tree& tree = tree_of(change.policy);
    const Split& added = tree.splits.back();
    // The same actions change on one and the same side wherever something changes.
    std::set<std::pair<bool, std::size_t>> changed;
    for (std::size_t leaf = 0; leaf < met.by_leaf.size(); ++leaf) {
      for (const auto& x : met.by_leaf[leaf]) {
        const auto before = outputs(tree_of(policy), x);
        const auto after = outputs(tree, x);
        for (std::size_t a = 0; a < 2; ++a) {
          if (before[a] == after[a]) continue;
          EXPECT_EQ(static_cast<int>(leaf), added.yes.index) << change.what;
          changed.insert({decides_yes(added, x[static_cast<std::size_t>(added.feature)]), a});
        }
      }
    }
    EXPECT_EQ(changed.size(), 1U) << change.what;
  }
}

TEST(SplitChanges, LeaveVisitsOnBothSides) {
  const Policy policy = grown();
  const Visits met = visits_of(policy);
  for (const Change& change : split_changes(policy, met)) {
    const Split& added = tree_of(change.policy).splits.back();
    const auto& here = met.by_leaf[static_cast<std::size_t>(added.yes.index)];
    const auto yes = std::count_if(here.begin(), here.end(), [&](const auto& x) {
      return decides_yes(added, x[static_cast<std::size_t>(added.feature)]);
    });
    EXPECT_GT(yes, 0) << change.what;
    EXPECT_LT(yes, std::ssize(here)) << change.what;
  }
}

TEST(SplitChanges, SplitTwoValuesInTheMiddleAndConstantsNotAtAll) {
  const Policy policy = idle_policy(true);
  Visits met;
  met.by_leaf.resize(1);
  // One in thirty is 1: no quantile meets it.
  for (int i = 0; i < 30; ++i) met.by_leaf[0].push_back({7, i == 3 ? 1.0 : 0.0});
  const std::vector<Change> changes = split_changes(policy, met);
  EXPECT_EQ(changes.size(), 10U);  // one threshold, five variants, two sides
  for (const Change& change : changes) {
    EXPECT_EQ(tree_of(change.policy).splits.back().feature, 1);
    EXPECT_EQ(tree_of(change.policy).splits.back().threshold, 0.5);
  }
  EXPECT_EQ(changes.front().what, "leaf0: where side >= 0.5, a constant -2");
}

TEST(SplitChanges, LeaveLeavesAloneThatAreHardlyMet) {
  const Policy policy = idle_policy(true);
  EXPECT_TRUE(split_changes(policy, visits_of(policy, 19)).empty());
  EXPECT_FALSE(split_changes(policy, visits_of(policy, 20)).empty());
}

TEST(TermAdditions, KeepTermsAscendingAndWithinTheLimit) {
  Policy policy = grown();
  policy.observations.push_back({.name = "third", .unit = ""});
  Visits met = visits_of(policy);
  Rng rng(2);
  for (auto& leaf : met.by_leaf) {
    for (auto& x : leaf) x.push_back(rng.normal());
  }
  const std::vector<Change> changes = term_additions(policy, met, 2);
  EXPECT_EQ(changes.size(), 2U * 2 * 2 * 2);  // leaves, actions, features, signs
  for (const Change& change : changes) {
    EXPECT_NO_THROW(validate(change.policy)) << change.what;
    std::size_t terms = 0;
    for (const Leaf& leaf : tree_of(change.policy).leaves) {
      for (const Controller& controller : leaf.controllers) {
        EXPECT_LE(controller.terms.size(), 2U);
        terms += controller.terms.size();
      }
    }
    EXPECT_EQ(terms, 7U);
  }
  EXPECT_TRUE(term_additions(policy, met, 1).empty());
}

TEST(TermAdditions, OfTheFeatureThatTheActionMovesAreAKindOfTheirOwn) {
  const Policy policy = tracking_policy(make_leaf({{}}), true);
  Visits met = visits_of(idle_policy(true));
  const auto kinds = [&] {
    std::vector<int> result;
    for (const Change& change : term_additions(policy, met, 1)) result.push_back(change.kind);
    return result;
  };
  const std::vector<int> unknown = kinds();  // two features, up and down
  ASSERT_EQ(unknown.size(), 4U);
  EXPECT_EQ(unknown, std::vector(4, unknown[0]));
  met.moved = {1};
  const std::vector<int> known = kinds();
  EXPECT_EQ(known[0], unknown[0]);
  EXPECT_EQ(known[1], unknown[0]);
  EXPECT_NE(known[2], unknown[0]);
  EXPECT_EQ(known[3], known[2]);
  for (const Change& split : split_changes(policy, met)) {
    EXPECT_NE(split.kind, known[0]);
    EXPECT_NE(split.kind, known[2]);
  }
}

TEST(TermAdditions, MoveTheOutputByOneSpreadAndNotInTheMean) {
  const Policy policy = tracking_policy(make_leaf({{.bias = 0.25}}));
  const Visits met = visits_of(idle_policy(true));
  const std::vector<Change> changes = term_additions(policy, met, 1);
  ASSERT_EQ(changes.size(), 2U);
  double slope = 0;
  for (const Change& change : changes) {
    std::vector<double> values;
    for (const auto& x : met.by_leaf[0]) values.push_back(outputs(tree_of(change.policy), x)[0]);
    const Evaluation statistics = summarise(values);
    EXPECT_NEAR(statistics.mean_return, 0.25, 1e-9);
    EXPECT_NEAR(statistics.std_return, 1, 0.01);
    slope += tree_of(change.policy).leaves[0].controllers[0].terms[0].gain;
  }
  EXPECT_EQ(slope, 0);  // up and down
}

TEST(TermAdditions, OfAFeatureThatNeverVariesAreUseless) {
  const Policy policy = tracking_policy(make_leaf({{}}));
  Visits met;
  met.by_leaf = {std::vector<std::vector<double>>(50, {3})};
  EXPECT_TRUE(term_additions(policy, met, 1).empty());
}

TEST(TermRemovals, KeepTheMeanOutput) {
  const Policy policy =
      tracking_policy(make_leaf({{.bias = 0.1, .terms = {{0, 0.02}, {1, -0.7}}}}), true);
  Visits met = visits_of(policy);
  for (auto& x : met.by_leaf[0]) x[0] += 30;  // a mean that matters
  const auto mean_output = [&](const Policy& p) {
    double sum = 0;
    for (const auto& x : met.by_leaf[0]) sum += outputs(tree_of(p), x)[0];
    return sum / static_cast<double>(met.by_leaf[0].size());
  };
  const std::vector<Change> changes = term_removals(policy, met, 0);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].what, "leaf0: a: x is ignored");
  EXPECT_EQ(changes[1].what, "leaf0: a: side is ignored");
  for (const Change& change : changes) {
    EXPECT_EQ(tree_of(change.policy).leaves[0].controllers[0].terms.size(), 1U);
    EXPECT_NEAR(mean_output(change.policy), mean_output(policy), 1e-12);
  }
  EXPECT_EQ(tree_of(changes[0].policy).leaves[0].controllers[0].terms[0], (Term{1, -0.7}));
}

TEST(TermRemovals, LeaveSmallControllersAlone) {
  const Policy policy = grown();
  const Visits met = visits_of(policy);
  EXPECT_EQ(term_removals(policy, met, 0).size(), 6U);  // also from the leaf that was never met
  EXPECT_TRUE(term_removals(policy, met, 1).empty());
}

TEST(SplitRemovals, ActAsIfOneQuestionHadAlwaysTheSameAnswer) {
  const Policy policy = grown();
  const std::vector<Change> changes = split_removals(policy);
  ASSERT_EQ(changes.size(), 4U);
  const Tree& old = tree_of(policy);
  std::size_t next = 0;
  for (const Split& removed : old.splits) {
    for (const bool yes : {true, false}) {
      const Change& change = changes[next++];
      EXPECT_NO_THROW(validate(change.policy)) << change.what;
      EXPECT_LT(tree_of(change.policy).leaves.size(), 3U);
      Tree same = old;
      for (Split& split : same.splits) {
        if (split == removed) split.threshold = yes ? -1e9 : 1e9;
      }
      for (const double x : {-40.0, 9.0, 40.0}) {
        for (const double side : {-1.0, 1.0, 6.0})
          EXPECT_EQ(outputs(tree_of(change.policy), {x, side}), outputs(same, {x, side}));
      }
    }
  }
  EXPECT_TRUE(split_removals(idle_policy()).empty());
}

TEST(Sample, DrawsDifferentOnesAndAllIfThereAreFewer) {
  std::vector<Change> all;
  for (int i = 0; i < 20; ++i) all.push_back({idle_policy(), std::to_string(i)});
  Rng rng(1);
  std::set<std::string> seen;
  for (int round = 0; round < 100; ++round) {
    std::set<std::string> drawn;
    for (const Change& change : sample(all, 3, rng)) drawn.insert(change.what);
    EXPECT_EQ(drawn.size(), 3U);
    seen.merge(drawn);
  }
  EXPECT_EQ(seen.size(), 20U);
  std::set<std::string> everything;
  for (const Change& change : sample(all, 50, rng)) everything.insert(change.what);
  EXPECT_EQ(everything.size(), 20U);
  EXPECT_TRUE(sample(all, 0, rng).empty());
  EXPECT_TRUE(sample(std::vector<Change>{}, 3, rng).empty());
}

}  // namespace
}  // namespace icct
