#include "icct/verify/explain.h"

#include <gtest/gtest.h>

#include "tests/verify/random_policy.h"

namespace icct {
namespace {

TEST(Explain, TellsPathMarginsAndTerms) {
  const Tree tree =
      make_split(0, 2,
                 make_split_less(1, 0, make_leaf({{.bias = 0}}),
                                 make_leaf({{.bias = 0.5, .terms = {{0, 0.25}, {1, -2}}}})),
                 make_leaf({{.bias = 1}}));
  const Policy policy = tree_policy(tree, Squashing::Clip, 2, 1);
  const Explanation explanation = explain(policy, std::vector{2.5, 1.0});
  ASSERT_EQ(explanation.path.size(), 2U);
  EXPECT_TRUE(explanation.path[0].yes);
  EXPECT_EQ(explanation.path[0].margin, 0.5);
  EXPECT_FALSE(explanation.path[1].yes);
  EXPECT_EQ(explanation.path[1].margin, 1);
  EXPECT_EQ(explanation.leaf, 1);
  const ActionReason& reason = explanation.actions[0];
  EXPECT_EQ(reason.output, 0.5 + 0.625 - 2);
  EXPECT_EQ(reason.action, act(policy, std::vector{2.5, 1.0})[0]);
  ASSERT_EQ(reason.terms.size(), 2U);
  EXPECT_EQ(reason.terms[0].term.feature, 1) << "what counts most stands first";
  EXPECT_EQ(reason.terms[0].amount, -2);
}

TEST(NearestOtherLeaf, IsReachedAndNothingNearerIs) {
  Rng rng(11);
  for (int i = 0; i < 200; ++i) {
    const Policy policy = random_policy({}, rng);
    const Tree& tree = tree_of(policy);
    std::vector<double> x, weights;
    for (int k = 0; k < 3; ++k) {
      x.push_back(rng.normal());
      weights.push_back(rng.uniform(0.5, 2));
    }
    const auto nearest = nearest_other_leaf(policy, x, weights, whole_box(3));
    if (tree.leaves.size() == 1) {
      EXPECT_FALSE(nearest);
      continue;
    }
    if (!nearest) continue;  // every decision on the way is always the same
    EXPECT_EQ(find_leaf(tree, nearest->at), nearest->leaf);
    EXPECT_NE(nearest->leaf, find_leaf(tree, x));
    for (int n = 0; n < 50; ++n) {
      std::vector<double> near = x;
      for (std::size_t k = 0; k < 3; ++k)
        near[k] += 0.999 * nearest->distance * weights[k] * rng.uniform(-1, 1);
      ASSERT_EQ(find_leaf(tree, near), find_leaf(tree, x));
    }
  }
}

TEST(NearestOtherLeaf, LeavesAloneWhatIsFixed) {
  const Tree tree =
      make_split(0, 1, make_leaf({{.bias = 0}}),
                 make_split(1, 7, make_leaf({{.bias = 1}}), make_leaf({{.bias = 2}})));
  const Policy policy = tree_policy(tree, Squashing::Clip, 2, 1);
  const std::vector<double> x = {0.5, 0};
  EXPECT_EQ(nearest_other_leaf(policy, x, std::vector{1.0, 1.0}, whole_box(2))->distance, 0.5);
  const auto fixed = nearest_other_leaf(policy, x, std::vector{0.0, 1.0}, whole_box(2));
  EXPECT_EQ(fixed->at, (std::vector{0.5, 7.0}));
  EXPECT_FALSE(nearest_other_leaf(policy, x, std::vector{0.0, 0.0}, whole_box(2)));
}

}  // namespace
}  // namespace icct
