#include "icct/policy/policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/rng.h"
#include "tests/complaint.h"

namespace icct {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Policy policy_with(double lower, double upper, std::variant<Tree, Mlp<double>> controller) {
  Policy policy;
  policy.name = "test";
  policy.observations = {{.name = "speed", .unit = "m/s"}, {.name = "gap", .unit = "m"}};
  policy.actions = {{.name = "brake", .unit = "", .lower = lower, .upper = upper}};
  policy.controller = std::move(controller);
  validate(policy);
  return policy;
}

// speed >= 1 ? 2 - 3 gap : 5 speed.
Tree example_tree() {
  return make_split(0, 1, make_leaf({{.bias = 2, .terms = {{1, -3}}}}),
                    make_leaf({{.terms = {{0, 5}}}}));
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

std::vector<std::vector<double>> finite_observations() {
  const std::vector<double> extremes = {0.0,   -0.0,   kSmallest, -kSmallest, 1.0,
                                        1e308, -1e308, kHuge,     -kHuge};
  std::vector<std::vector<double>> result;
  for (const double a : extremes) {
    for (const double b : extremes) result.push_back({a, b});
  }
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    const auto any = [&rng] { return std::ldexp(rng.normal(), rng.below(2000) - 1000); };
    result.push_back({any(), any()});
  }
  return result;
}

TEST(Act, StaysInsideTheBoundsForEveryFiniteObservation) {
  Mlp<double> mlp({2, 3, 1});
  Rng rng(2);
  initialise(mlp, rng);
  Tree steep = make_split(0, 1, make_leaf({{.bias = 1, .terms = {{0, kHuge}, {1, -kHuge}}}}),
                          make_leaf({{.bias = -kHuge, .terms = {{1, 1e-300}}}}));
  const std::vector<std::variant<Tree, Mlp<double>>> controllers = {example_tree(), steep, mlp};
  const std::vector<std::pair<double, double>> all_bounds = {
      {-3, 3}, {0, 1e-3}, {-1e300, 1e300}, {0.1, 0.3}, {-7, -kSmallest}, {1e15, 1e15 + 1}};
  for (const auto& controller : controllers)
    for (const auto& [lower, upper] : all_bounds)
      for (const auto squashing : {Squashing::Tanh, Squashing::Clip}) {
        Policy policy = policy_with(lower, upper, controller);
        policy.squashing = squashing;
        for (const std::vector<double>& x : finite_observations()) {
          const double action = act(policy, x)[0];
          ASSERT_TRUE(action >= lower && action <= upper)
              << action << " at " << x[0] << ", " << x[1];
        }
      }
}

TEST(Act, SquashesTheOutputOfTheLeafReached) {
  Policy policy = policy_with(-10, 30, example_tree());
  EXPECT_NEAR(act(policy, std::vector<double>{1, 0.5})[0], -10 + 0.5 * (std::tanh(0.5) + 1) * 40,
              1e-13);
  policy.squashing = Squashing::Clip;
  EXPECT_EQ(act(policy, std::vector<double>{1, 0.5})[0], 0.5);
  EXPECT_EQ(act(policy, std::vector<double>{0.5, 0.5})[0], 2.5);
  EXPECT_EQ(act(policy, std::vector<double>{1, 100})[0], -10);
  EXPECT_EQ(act(policy, std::vector<double>{1, -100})[0], 30);
}

TEST(Act, NamesTheObservationThatIsNotFinite) {
  const Policy policy = policy_with(-1, 1, example_tree());
  std::vector<double> action = {7};
  for (const auto& [bad, text] : {std::pair{kNan, "nan"}, {HUGE_VAL, "inf"}, {-HUGE_VAL, "-inf"}}) {
    // Also where the path does not ask for it.
    expect_contains(complaint([&, bad = bad] {
                      act(policy, std::vector<double>{0, bad}, action);
                    }),
                    std::string("observation 'gap' is ") + text);
    expect_contains(complaint([&, bad = bad] {
                      act(policy, std::vector<double>{bad, bad}, action);
                    }),
                    std::string("observation 'speed' is ") + text);
  }
  EXPECT_EQ(action, std::vector<double>{7});
}

TEST(Act, GivesTheSafeActionForWhatIsNotFinite) {
  Policy policy = policy_with(-1, 1, example_tree());
  policy.safe_action = std::vector<double>{0.25};
  validate(policy);
  EXPECT_EQ(act(policy, std::vector<double>{kNan, 0}), std::vector<double>{0.25});
  EXPECT_EQ(act(policy, std::vector<double>{0, HUGE_VAL}), std::vector<double>{0.25});
  EXPECT_EQ(act(policy, std::vector<double>{HUGE_VAL, -HUGE_VAL}), std::vector<double>{0.25});
  EXPECT_NE(act(policy, std::vector<double>{0, 0}), std::vector<double>{0.25});
}

TEST(Act, RefusesWrongSizes) {
  const Policy policy = policy_with(-1, 1, example_tree());
  std::vector<double> none, one(1), two(2), three(3);
  expect_contains(complaint([&] { act(policy, one, one); }), "takes 2 observations");
  expect_contains(complaint([&] { act(policy, three, one); }), "asked with 3 and 1");
  expect_contains(complaint([&] { act(policy, two, none); }), "asked with 2 and 0");
  expect_contains(complaint([&] { act(policy, two, two); }), "asked with 2 and 2");
  expect_contains(complaint([&] { act(policy, three); }), "asked with 3");
}

TEST(Act, EvaluatesANetworkAsByHand) {
  Mlp<double> mlp({2, 2, 1});
  const std::vector<double> parameters = {1, 2,         -1, 0.5,          /*bias*/ 0.5,
                                          0, /*out*/ 3, -4, /*bias*/ 0.25};
  std::copy(parameters.begin(), parameters.end(), mlp.parameters().begin());
  Policy policy = policy_with(-100, 100, mlp);
  policy.squashing = Squashing::Clip;
  // Hidden: relu(1 * 2 + 2 * 3 + 0.5) = 8.5, relu(-2 + 1.5) = 0.
  EXPECT_EQ(act(policy, std::vector<double>{2, 3})[0], 3 * 8.5 + 0.25);
  // Hidden: relu(-4 + 2 + 0.5) = 0, relu(4 + 0.5) = 4.5.
  EXPECT_EQ(act(policy, std::vector<double>{-4, 1})[0], -4 * 4.5 + 0.25);
}

TEST(Squash, NeverDecreases) {
  Rng rng(3);
  std::vector<double> outputs = {-HUGE_VAL, -kHuge, -kSmallest, 0, kSmallest, kHuge, HUGE_VAL};
  for (int i = 0; i < 100000; ++i) outputs.push_back(4 * rng.normal());
  // Neighbours, where rounding would show.
  for (int i = 0; i < 100000; ++i) outputs.push_back(std::nextafter(outputs[i + 7], HUGE_VAL));
  std::sort(outputs.begin(), outputs.end());
  for (const auto& [lower, upper] :
       {std::pair{-3.0, 3.0}, {0.0, 1e-3}, {-1e300, 1e300}, {0.1, 7.3}})
    for (const auto squashing : {Squashing::Tanh, Squashing::Clip}) {
      const Dimension action{.name = "a", .unit = "", .lower = lower, .upper = upper};
      double previous = lower;
      for (const double output : outputs) {
        const double value = squash(squashing, output, action);
        ASSERT_LE(previous, value) << "at " << output;
        previous = value;
      }
      EXPECT_EQ(squash(squashing, -HUGE_VAL, action), lower);
      EXPECT_EQ(squash(squashing, HUGE_VAL, action), upper);
    }
}

TEST(ValidatePolicy, NeedsObservationsAndActions) {
  Policy policy = policy_with(-1, 1, example_tree());
  policy.observations.clear();
  expect_contains(complaint([&] { validate(policy); }), "no observations");
  policy = policy_with(-1, 1, example_tree());
  policy.actions.clear();
  expect_contains(complaint([&] { validate(policy); }), "no actions");
}

TEST(ValidatePolicy, NeedsFiniteActionBounds) {
  for (const auto& [lower, upper] : {std::pair{-HUGE_VAL, 1.0}, {0.0, HUGE_VAL}, {-kHuge, kHuge}}) {
    Policy policy = policy_with(-1, 1, example_tree());
    policy.actions[0].lower = lower;
    policy.actions[0].upper = upper;
    expect_contains(complaint([&] { validate(policy); }), "'brake' needs finite bounds");
  }
}

TEST(ValidatePolicy, NeedsASafeActionInsideTheBounds) {
  Policy policy = policy_with(-1, 1, example_tree());
  for (const double bad : {1.5, -1.5, kNan, HUGE_VAL}) {
    policy.safe_action = std::vector<double>{bad};
    expect_contains(complaint([&] { validate(policy); }), "safe action for 'brake'");
  }
  policy.safe_action = std::vector<double>{0, 0};
  expect_contains(complaint([&] { validate(policy); }), "one number per action");
  policy.safe_action = std::vector<double>{-1};
  EXPECT_EQ(complaint([&] { validate(policy); }), "none");
}

TEST(ValidatePolicy, NeedsANetworkThatFits) {
  const auto complaint_about = [](Mlp<double> mlp) {
    Policy policy = policy_with(-1, 1, example_tree());
    policy.controller = std::move(mlp);
    return complaint([&] { validate(policy); });
  };
  expect_contains(complaint_about(Mlp<double>()), "no layers");
  expect_contains(complaint_about(Mlp<double>({3, 1})), "3 inputs");
  expect_contains(complaint_about(Mlp<double>({2, 4, 2})), "2 outputs");
  Mlp<double> diverged({2, 1});
  diverged.parameters()[2] = kNan;
  expect_contains(complaint_about(diverged), "not a finite number");
  EXPECT_EQ(complaint_about(Mlp<double>({2, 1})), "none");
}

TEST(ValidatePolicy, NeedsATreeThatFits) {
  Policy policy = policy_with(-1, 1, example_tree());
  policy.controller = make_split(2, 0, make_leaf({{}}), make_leaf({{}}));
  expect_contains(complaint([&] { validate(policy); }), "observation 2");
  policy.controller = make_leaf({{}, {}});
  expect_contains(complaint([&] { validate(policy); }), "2 controllers for 1 actions");
}

TEST(TreeOf, SaysSoIfThereIsNone) {
  EXPECT_EQ(tree_of(policy_with(-1, 1, example_tree())), example_tree());
  expect_contains(complaint([] {
                    tree_of(policy_with(-1, 1, Mlp<double>({2, 1})));
                  }),
                  "'test' is a network");
}

}  // namespace
}  // namespace icct
