#include "icct/search/term_choices.h"

#include <gtest/gtest.h>

#include "tests/tracking_environment.h"

namespace icct {
namespace {

TEST(TermChoices, AreAllChoicesOfTheMostInfluentialFeatures) {
  Policy policy = tracking_policy(make_leaf({{}}));
  policy.observations = {{"p", ""}, {"q", ""}, {"r", ""}, {"s", ""}};
  policy.controller = make_leaf({{.bias = 1, .terms = {{0, 1}, {1, -5}, {2, 2}}}});
  Visits met;
  met.by_leaf = {{{1, 2, 3, 4}, {3, 4, 5, 4}}};
  const auto texts = [&](int terms, int most) {
    std::vector<std::string> result;
    for (const Change& change : term_choices(policy, met, 0, terms, most))
      result.push_back(change.what);
    return result;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(2, 3), (Texts{"leaf0: a by q r", "leaf0: a by p q", "leaf0: a by p r"}));
  EXPECT_EQ(texts(1, 100).size(), 4U);
  EXPECT_EQ(texts(2, 100).size(), 6U);
  EXPECT_EQ(texts(1, 2), (Texts{"leaf0: a by q", "leaf0: a by r"}));
  EXPECT_EQ(texts(3, 1).size(), 4U) << "one choice would be none";
}

TEST(TermChoices, KeepGainsAndTheMeanOutput) {
  Policy policy = tracking_policy(make_leaf({{}}));
  policy.observations = {{"p", ""}, {"q", ""}};
  policy.controller = make_leaf({{.bias = 1, .terms = {{0, 3}}}});
  Visits met;
  met.by_leaf = {{{1, 2}, {3, 4}}};
  const std::vector<Change> changes = term_choices(policy, met, 0, 1, 2);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(tree_of(changes[0].policy).leaves[0].controllers[0],
            (Controller{.bias = 1, .terms = {{0, 3}}}));
  EXPECT_EQ(tree_of(changes[1].policy).leaves[0].controllers[0],
            (Controller{.bias = 7, .terms = {{1, 0}}}));
}

}  // namespace
}  // namespace icct
