#include "icct/train/feature_choice.h"

#include <gtest/gtest.h>

#include "tests/tracking_environment.h"

namespace icct {
namespace {

TEST(TermsOver, CountsWhatIsBeyondTheLimitInEveryController) {
  const Controller one{.bias = 0, .terms = {{0, 1}}}, two{.bias = 0, .terms = {{0, 1}, {1, 1}}};
  const Tree tree = make_split(0, 0.5, make_leaf({one, two}), make_leaf({two, {}}));
  EXPECT_EQ(terms_over(tree, 2), 0);
  EXPECT_EQ(terms_over(tree, 1), 2);
  EXPECT_EQ(terms_over(tree, 0), 5);
}

// Choices for one feature of the two that `tracking` shows, given so many steps.
std::vector<Contestant> choices(double steps) {
  const Policy leaf =
      tracking_policy(make_leaf({{.bias = 0.1, .terms = {{0, 0.02}, {1, -0.7}}}}), true);
  Visits met;
  met.by_leaf = {std::vector<std::vector<double>>(5 * kVisitEpisodes, {1, 0})};
  return feature_choices(leaf, met, {1, 1}, {7, 7}, 1, steps);
}

TEST(FeatureChoices, WithLittleTimeStartFromTheGainsThereAre) {
  const std::vector<Contestant> few = choices(100);
  ASSERT_EQ(few.size(), 2U);
  for (const Contestant& contestant : few) {
    const Controller& controller = tree_of(contestant.policy).leaves[0].controllers[0];
    ASSERT_EQ(controller.terms.size(), 1U);
    EXPECT_NE(controller.terms[0].gain, 0);
  }
}

TEST(FeatureChoices, WithLittleTimeDropOneTermOfTheActionThatHasMost) {
  Policy leaf = tracking_policy(make_leaf({{}}), true);
  leaf.observations = {{"p", ""}, {"q", ""}, {"r", ""}};
  leaf.actions.push_back({"b", "", -1, 1});
  const Controller narrow{.bias = 0, .terms = {{0, 1}, {2, 1}}};
  leaf.controller = make_leaf({narrow, {.bias = 0, .terms = {{0, 1}, {1, 1}, {2, 1}}}});
  Visits met;
  met.by_leaf = {std::vector<std::vector<double>>(5 * kVisitEpisodes, {1, 0, 3})};
  std::vector<std::size_t> terms;
  for (const Contestant& c : feature_choices(leaf, met, {1, 1, 1}, {7, 7, 7}, 1, 100)) {
    EXPECT_EQ(tree_of(c.policy).leaves[0].controllers[0], narrow);
    terms.push_back(tree_of(c.policy).leaves[0].controllers[1].terms.size());
  }
  EXPECT_EQ(terms, (std::vector<std::size_t>{2, 2, 2}));
}

TEST(FeatureChoices, WithMoreTimeStartFromNothingAsWell) {
  const std::vector<Contestant> many = choices(1e6);
  ASSERT_EQ(many.size(), 4U);
  for (std::size_t i = 0; i < 4; i += 2) {
    const Controller& gains = tree_of(many[i].policy).leaves[0].controllers[0];
    const Controller& nothing = tree_of(many[i + 1].policy).leaves[0].controllers[0];
    EXPECT_EQ(nothing.terms[0].feature, gains.terms[0].feature);
    EXPECT_EQ(nothing.terms[0].gain, 0);
    EXPECT_EQ(nothing.bias, 0);
    EXPECT_EQ(many[i].spread, (std::vector<double>{1, 1}));
    EXPECT_EQ(many[i + 1].spread, (std::vector<double>{7, 7}));
    EXPECT_LT(many[i + 1].first_step, many[i].first_step);
  }
}

}  // namespace
}  // namespace icct
