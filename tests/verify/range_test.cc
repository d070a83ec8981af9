#include "icct/verify/range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/complaint.h"
#include "tests/verify/random_question.h"

namespace icct {
namespace {

TEST(ActionRanges, AreAttainedAndNeverExceeded) {
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const int observations = 1 + rng.below(12), actions = 1 + rng.below(3);
    const Policy policy = random_policy(rng, 1 + rng.below(64), observations, actions);
    const Box box = random_box(rng, observations);
    const std::vector<ActionRange> ranges = action_ranges(policy, box);
    for (std::size_t a = 0; a < ranges.size(); ++a) {
      for (const Extreme& extreme : {ranges[a].min, ranges[a].max}) {
        ASSERT_TRUE(contains(box, extreme.at));
        ASSERT_EQ(act(policy, extreme.at)[a], extreme.value);
        ASSERT_EQ(find_leaf(tree_of(policy), extreme.at), extreme.leaf);
      }
    }
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> action = act(policy, random_point(rng, box));
      for (std::size_t a = 0; a < ranges.size(); ++a) {
        ASSERT_GE(action[a], ranges[a].min.value);
        ASSERT_LE(action[a], ranges[a].max.value);
      }
    }
  }
}

TEST(ActionRanges, OverAllFiniteObservationsAreTheEndsOfAUsedAction) {
  Policy policy;
  policy.observations = {{"x", ""}};
  policy.actions = {{"y", "", -1, 2}};
  policy.controller = make_leaf({{.bias = 0, .terms = {{0, 1e-3}}}});
  const ActionRange range = action_ranges(policy, whole_box(1))[0];
  EXPECT_EQ(range.min.value, -1);
  EXPECT_EQ(range.max.value, 2);
  EXPECT_EQ(range.max.at[0], std::numeric_limits<double>::max());
}

TEST(ActionRanges, GiveATieToTheBranchThatTakesIt) {
  Policy policy;
  policy.observations = {{"x", ""}};
  policy.actions = {{"y", "", -9, 9}};
  policy.squashing = Squashing::Clip;
  const Tree one = make_leaf({{.bias = 1}}), two = make_leaf({{.bias = 2}});
  const auto range = [&](const Tree& tree, double lower, double upper) {
    policy.controller = tree;
    const ActionRange found = action_ranges(policy, {{lower, upper}})[0];
    return std::pair{found.min.value, found.max.value};
  };
  const double above = std::nextafter(5.0, 6), below = std::nextafter(5.0, 4);
  EXPECT_EQ(range(make_split(0, 5, one, two), 5, 7), (std::pair{1.0, 1.0}));
  EXPECT_EQ(range(make_split(0, 5, one, two), below, 5), (std::pair{1.0, 2.0}));
  EXPECT_EQ(range(make_split_less(0, 5, one, two), 5, 5), (std::pair{1.0, 1.0}));
  EXPECT_EQ(range(make_split_less(0, 5, one, two), above, 7), (std::pair{2.0, 2.0}));
}

TEST(LeafRanges, CoverTheBoxAndNameTheLeavesThatItMisses) {
  Rng rng(2);
  for (int i = 0; i < 1'000; ++i) {
    const Policy policy = random_policy(rng, 1 + rng.below(16), 3, 1);
    const Box box = random_box(rng, 3);
    const std::vector<LeafRange> ranges = leaf_ranges(policy, box);
    std::vector<bool> reached(tree_of(policy).leaves.size());
    for (const LeafRange& range : ranges) {
      reached[static_cast<std::size_t>(range.leaf)] = true;
      ASSERT_EQ(find_leaf(tree_of(policy), centre(range.part)), range.leaf);
      ASSERT_EQ(act(policy, range.actions[0].max.at)[0], range.actions[0].max.value);
    }
    for (const int leaf : unreachable_leaves(tree_of(policy), box))
      ASSERT_FALSE(reached[static_cast<std::size_t>(leaf)]);
    for (int k = 0; k < 20; ++k) {
      const std::vector<double> x = random_point(rng, box);
      const int leaf = find_leaf(tree_of(policy), x);
      const auto found = std::ranges::find(ranges, leaf, &LeafRange::leaf);
      ASSERT_NE(found, ranges.end());
      ASSERT_TRUE(contains(found->part, x));
    }
  }
}

TEST(ActionRanges, RefuseAnEmptyBoxByName) {
  Rng rng(3);
  const Policy policy = random_policy(rng, 2, 2, 1);
  EXPECT_THAT(complaint([&] {
                action_ranges(policy, {{0, 1}, {1, 0}});
              }),
              testing::HasSubstr("'x1' is empty"));
}

}  // namespace
}  // namespace icct
