#include "icct/export/to_text.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

Policy policy_with(const Dimension& action, Squashing squashing, const Tree& tree) {
  Policy policy;
  policy.name = "test";
  policy.observations = {{.name = "speed", .unit = "m/s"}, {.name = "gap", .unit = "m"}};
  policy.actions = {action};
  policy.squashing = squashing;
  policy.controller = tree;
  validate(policy);
  return policy;
}

std::string formula(const Policy& policy) {
  return action_formula(policy, tree_of(policy).leaves[0].controllers[0], 0, {});
}

const Dimension kUnitAction = {.name = "a", .unit = "", .lower = -1, .upper = 1};
const Controller kLinear = {.bias = 0.25, .terms = {{0, -2}, {1, 0.5}}};

TEST(ActionFormula, IsTheDeployedFunctionWithTanhAndScaling) {
  EXPECT_EQ(formula(policy_with(kUnitAction, Squashing::Tanh, make_leaf({kLinear}))),
            "tanh(0.25 - 2 speed + 0.5 gap)");
  const Dimension brake = {.name = "brake", .unit = "m/s2", .lower = 0, .upper = 5};
  EXPECT_EQ(formula(policy_with(brake, Squashing::Tanh, make_leaf({kLinear}))),
            "2.5 + 2.5 tanh(0.25 - 2 speed + 0.5 gap) m/s2");
}

TEST(ActionFormula, SaysThatAClippedOutputIsKeptWithinItsBounds) {
  const Dimension brake = {.name = "brake", .unit = "m/s2", .lower = 0, .upper = 5};
  EXPECT_EQ(formula(policy_with(brake, Squashing::Clip, make_leaf({kLinear}))),
            "0.25 - 2 speed + 0.5 gap m/s2, kept within [0, 5]");
}

TEST(ActionFormula, IsANumberWhereNothingIsObserved) {
  EXPECT_EQ(formula(policy_with(kUnitAction, Squashing::Tanh, make_leaf({{.bias = 0.5}}))),
            "0.462");
  EXPECT_EQ(formula(policy_with(kUnitAction, Squashing::Clip, make_leaf({{.bias = 7}}))), "1");
}

TEST(ActionFormula, LeavesOutAZeroBias) {
  EXPECT_EQ(formula(policy_with(kUnitAction, Squashing::Tanh,
                                make_leaf({{.bias = 0, .terms = {{1, -3}}}}))),
            "tanh(-3 gap)");
}

TEST(Paragraphs, SayThatASingleLeafHoldsInEveryCase) {
  EXPECT_EQ(to_paragraphs(policy_with(kUnitAction, Squashing::Clip, make_leaf({{.bias = 1}})), {}),
            "test\n\nleaf0. In every case, a is 1.\n");
}

TEST(Paragraphs, MergeTheBoundsOfOneFeature) {
  const Tree high = make_split_less(0, 9, make_leaf({{.bias = 1}}), make_leaf({{.bias = 0}}));
  const Tree tree = make_split(0, 2, high, make_leaf({{.bias = -1}}));
  const std::string text = to_paragraphs(policy_with(kUnitAction, Squashing::Clip, tree), {});
  EXPECT_EQ(text,
            "test\n\n"
            "leaf0. If speed is between 2 and 9 m/s, then a is 1.\n\n"
            "leaf1. If speed is above 9 m/s, then a is 0.\n\n"
            "leaf2. If speed is below 2 m/s, then a is -1.\n");
}

TEST(Paragraphs, TellNearBoundsApart) {
  const Tree high = make_split_less(0, 2.0004, make_leaf({{.bias = 1}}), make_leaf({{.bias = 0}}));
  const Tree tree = make_split(0, 2.0001, high, make_leaf({{.bias = -1}}));
  EXPECT_NE(to_paragraphs(policy_with(kUnitAction, Squashing::Clip, tree), {})
                .find("speed is between 2.0001 and 2.0004 m/s"),
            std::string::npos);
}

// speed from 0 to 10, and names for what the brake does.
Policy worded(const Tree& tree) {
  Policy policy = policy_with({.name = "brake", .unit = "m/s2", .lower = -5, .upper = 2},
                              Squashing::Clip, tree);
  policy.observations[0].lower = 0;
  policy.observations[0].upper = 10;
  policy.action_words = {{{"hard", -5, -3}, {"gentle", -3, -0.5}, {"none", 0, 2}}};
  validate(policy);
  return policy;
}

TEST(Words, StandBeforeTheNumber) {
  EXPECT_NE(to_paragraphs(worded(make_leaf({{.bias = -4}})), {}).find("brake is hard (-4 m/s2)."),
            std::string::npos);
  EXPECT_NE(to_text(worded(make_leaf({{.bias = -0.25}})), {}).find("brake = -0.25 m/s2"),
            std::string::npos)
      << "no name, only the number";
}

TEST(Words, SpanWhatTheLeafCanDo) {
  const auto words = [](const Tree& tree, std::size_t region) {
    const Policy policy = worded(tree);
    return action_words(policy, leaf_regions(tree)[region], 0);
  };
  const Controller braking = {.bias = 0, .terms = {{0, -0.4}}};  // 0 to -4
  EXPECT_EQ(words(make_leaf({braking}), 0), "hard to none");
  const Tree tree = make_split(0, 5, make_leaf({braking}), make_leaf({braking}));
  EXPECT_EQ(words(tree, 0), "hard to gentle") << "from 5 to 10 m/s";
  const Controller unbounded = {.bias = 0, .terms = {{1, 1}}};
  EXPECT_EQ(words(make_leaf({unbounded}), 0), "hard to none");
}

TEST(Words, AreOfTheUpperRangeWhereTwoMeet) {
  const Policy policy = worded(make_leaf({{.bias = 0}}));
  EXPECT_EQ(word_for(policy, 0, -3), "gentle");
  EXPECT_EQ(word_for(policy, 0, -0.4), "");
  EXPECT_EQ(word_for(policy, 0, 2), "none");
}

TEST(Text, SaysHowOftenEverythingIsUsed) {
  const Tree tree = make_split(0, 2, make_leaf({{.bias = 1}}), make_leaf({{.bias = 0}}));
  VisitCounts visits = no_visits(tree);
  for (int i = 0; i < 3; ++i) count_visit(tree, std::vector{5.0, 0.0}, visits);
  const std::string text = to_text(policy_with(kUnitAction, Squashing::Clip, tree), {}, &visits);
  EXPECT_NE(text.find("leaf0  [100 %]"), std::string::npos) << text;
  EXPECT_NE(text.find("leaf1  [never]"), std::string::npos) << text;
  EXPECT_NE(text.find("3 observations; never used: leaf1"), std::string::npos) << text;
}

TEST(Paragraphs, NameCasesThatCannotOccur) {
  const Tree tree =
      make_split(1, 5, make_split_less(1, 4, make_leaf({{.bias = 1}}), make_leaf({{.bias = 0}})),
                 make_leaf({{.bias = 0}}));
  EXPECT_NE(to_paragraphs(policy_with(kUnitAction, Squashing::Clip, tree), {})
                .find("this case never occurs"),
            std::string::npos);
}

TEST(Text, RoundsToTheDigitsAskedFor) {
  const Tree tree =
      make_split(1, 1.23456, make_leaf({{.bias = 0.98765}}), make_leaf({{.bias = 0}}));
  const Policy policy = policy_with(kUnitAction, Squashing::Clip, tree);
  EXPECT_NE(to_text(policy, {.digits = 2}).find("gap >= 1.2 m?"), std::string::npos);
  EXPECT_NE(to_text(policy, {.digits = 6}).find("gap >= 1.23456 m?"), std::string::npos);
}

TEST(Text, DescribesANetworkByItsLayers) {
  Policy policy = policy_with(kUnitAction, Squashing::Tanh, make_leaf({{.bias = 0}}));
  policy.controller = Mlp<double>({2, 8, 8, 1});
  EXPECT_NE(to_text(policy, {}).find("layers of 2 8 8 1 numbers"), std::string::npos);
}

}  // namespace
}  // namespace icct
