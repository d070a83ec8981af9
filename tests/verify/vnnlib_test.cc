#include "icct/verify/vnnlib.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "icct/base/rng.h"
#include "icct/verify/property_text.h"
#include "tests/complaint.h"

namespace icct {
namespace {

const std::string kDeclarations =
    "(declare-const X_0 Real)\n(declare-const X_1 Real)\n"
    "(declare-const Y_0 Real)\n(declare-const Y_1 Real)\n";

Policy car() {
  Policy policy;
  policy.name = "test";
  policy.observations = {{.name = "speed", .unit = "m/s"},
                         {.name = "gap; to (others)", .unit = ""}};
  policy.actions = {{.name = "brake", .unit = "", .lower = -1, .upper = 1},
                    {.name = "steer", .unit = "rad", .lower = -1, .upper = 1}};
  policy.controller = make_leaf({{.bias = 0}, {.bias = 0}});
  validate(policy);
  return policy;
}

std::vector<Case> violations(const std::string& assertions) {
  return read_vnnlib(kDeclarations + assertions, car()).violations;
}

std::string error_of(const std::string& text) {
  return complaint([&] { read_vnnlib(text, car()); });
}

void expect_error(const std::string& assertions, const std::vector<std::string>& parts) {
  const std::string message = error_of(kDeclarations + assertions);
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << assertions << "\n" << message;
}

TEST(ReadVnnlib, ReadsBoundsAndOutputsAsOneViolation) {
  EXPECT_EQ(violations("; unsafe if the car neither brakes nor steers\n"
                       "(assert (<= X_0 1.5)) (assert (>= X_0 -1e-1))\n"
                       "(assert (< Y_0 Y_1))(assert (> 0.25 Y_0))"),
            (std::vector<Case>{{{{{0, 1}}, {}, 1.5, false},
                                {{{0, -1}}, {}, 0.1, false},
                                {{}, {{0, 1}, {1, -1}}, 0, true},
                                {{}, {{0, 1}}, 0.25, true}}}));
}

TEST(ReadVnnlib, MultipliesOutAndAndOr) {
  const Constraint a{{{0, 1}}, {}, 1, false};
  const Constraint b{{{1, 1}}, {}, 2, false};
  const Constraint c{{}, {{0, 1}}, 3, false};
  EXPECT_EQ(violations("(assert (or (and (<= X_0 1) (<= X_1 2)) (and (<= Y_0 3))))"),
            (std::vector<Case>{{a, b}, {c}}));
  EXPECT_EQ(violations("(assert (or (<= X_0 1) (<= X_1 2)))(assert (or (<= Y_0 3) (<= X_0 1)))"),
            (std::vector<Case>{{a, c}, {a, a}, {b, c}, {b, a}}));
  EXPECT_EQ(violations("(assert (not (or (> X_0 1) (> Y_0 3))))"), (std::vector<Case>{{a, c}}));
  EXPECT_EQ(violations("(assert false)"), std::vector<Case>());
  EXPECT_EQ(violations("(assert true)"), std::vector<Case>{{}});
}

TEST(ReadVnnlib, ReadsLinearSums) {
  const std::vector<Case> expected = {{{{{0, 2}, {1, -1}}, {{0, -3}}, -4, false}}};
  for (const std::string text :
       {"(<= (+ (* 2.0 X_0) (- X_1) (* -3.0 Y_0)) (- 4.0))",
        "(>= (* 3 Y_0) (+ (- (* 2 X_0) X_1) 4))", "(<= (- (* 2 (+ X_0 2)) X_1 (* Y_0 1.5 2)) 0)"})
    EXPECT_EQ(violations("(assert " + text + ")"), expected) << text;
  EXPECT_EQ(violations("(assert (= X_0 1 Y_0))"),
            violations("(assert (and (<= X_0 1) (>= X_0 1) (<= 1 Y_0) (>= 1 Y_0)))"));
}

TEST(ReadVnnlib, AcceptsTheOtherWayToDeclare) {
  EXPECT_EQ(error_of("(set-logic QF_LRA)(declare-fun X_0 () Real)(declare-fun X_1 () Real)"
                     "(declare-const Y_1 Real)(declare-const Y_0 Real)(assert (< Y_0 1))"
                     "(check-sat)"),
            "none");
}

TEST(ReadVnnlib, ComparesTheDeclarationsWithThePolicy) {
  expect_error("(declare-const X_2 Real)", {"line 5", "'X_2'", "2 observations"});
  expect_error("(declare-const Y_2 Real)", {"line 5", "'Y_2'", "2 actions"});
  expect_error("(declare-const X_1 Real)", {"line 5", "'X_1' is declared twice"});
  expect_error("(declare-const Z Real)", {"line 5", "unknown variable 'Z'"});
  expect_error("(declare-const X_01 Real)", {"unknown variable 'X_01'"});
  expect_error("(declare-const X_99999999999999999999 Real)", {"unknown variable"});
  expect_error("(declare-const X_1 Int)", {"expected (declare-const X_0 Real)"});
  const std::string one = "(declare-const X_0 Real)(declare-const Y_0 Real)";
  EXPECT_NE(error_of(one + "(assert (< X_0 1))").find("X_1 is not declared"), std::string::npos);
  EXPECT_NE(
      error_of(one + "(declare-const X_1 Real)(assert (< X_0 1))").find("Y_1 is not declared"),
      std::string::npos);
  EXPECT_NE(error_of(one + "(assert (< X_1 1))").find("before it is declared"), std::string::npos);
}

TEST(ReadVnnlib, RefusesMalformedTextWithItsLine) {
  EXPECT_NE(error_of("").find("X_0 is not declared"), std::string::npos);
  expect_error("", {"there is no assertion"});
  expect_error("(assert (<= X_0 1)\n", {"line 5", "never closed"});
  expect_error("\n(assert (<= X_0 1))\n)", {"line 7", "found ')'"});
  expect_error("\n(assert\n(<= X_0\nX_7))", {"line 8", "unknown variable 'X_7'"});
  expect_error("(assert (<= (* X_0 X_1) 1))", {"line 5", "not linear"});
  expect_error("(assert (<= X_0 1e999))", {"'1e999' is no number that a double can hold"});
  expect_error("(assert (<= X_0 1.0.0))", {"'1.0.0' is no number"});
  expect_error("(assert (<= X_0 inf))", {"unknown variable 'inf'"});
  expect_error("(assert (<= X_0 -nan))", {"unknown variable '-nan'"});
  expect_error("(assert (<= X_0))", {"two sides"});
  expect_error("(assert (<= X_0 (+)))", {"expected a number"});
  expect_error("(assert (<= X_0 (/ 1 3)))", {"expected a number"});
  expect_error("(assert (<= X_0 ()))", {"expected a number"});
  expect_error("(assert (xor (< X_0 1) (< X_1 1)))", {"found 'xor', expected a condition"});
  expect_error("(assert (not))", {"expected a condition"});
  expect_error("(assert X_0)", {"found 'X_0', expected a condition"});
  expect_error("(assert ())", {"found a list, expected a condition"});
  expect_error("(assert true true)", {"one condition"});
  expect_error("(push 1)", {"found '(push ...'"});
  expect_error("X_0", {"found 'X_0'"});
}

TEST(ReadVnnlib, NeverRounds) {
  expect_error("(assert (<= (+ X_0 0.1) 0.7))", {"line 5", "would be rounded"});
  expect_error("(assert (<= (* 0.1 0.1 X_0) 0.7))", {"would be rounded"});
  std::string factors;
  for (int i = 0; i < 10'000; ++i) factors += " 1e308";
  expect_error("(assert (<= (*" + factors + " X_0) 1))", {"would be rounded"});
  EXPECT_EQ(violations("(assert (<= (+ X_0 0.5) 0.75))"), violations("(assert (<= X_0 0.25))"));
}

TEST(ReadVnnlib, LimitsCasesSizeAndNesting) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "(assert (or (<= X_0 1) (<= X_1 1)))";
  expect_error(text, {"more than 10000 cases"});
  text = "(assert (or";
  for (int i = 0; i < 10'000; ++i) text += " (<= X_0 1)";
  text += "))";
  for (int i = 0; i < 200; ++i) text += "(assert (<= X_0 1))";
  expect_error(text, {"more than 2000000 constraints"});
  expect_error(std::string(1'000'000, '('), {"nested deeper than 200"});
  std::string deep = "(<= X_0 1)";
  for (int i = 0; i < 198; ++i) deep = (i % 2 == 0 ? "(and " : "(not ") + deep + ")";
  EXPECT_EQ(violations("(assert " + deep + ")").size(), 1U);
  expect_error("(assert (and " + deep + "))", {"nested deeper"});
}

TEST(ReadVnnlib, ReadsManyAssertionsQuickly) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "(assert (<= X_0 1.0))\n";
  EXPECT_EQ(violations(text)[0].size(), 50'000U);
}

TEST(WriteVnnlib, WritesWhatOtherToolsRead) {
  const Property property =
      parse_rule("speed between -0.5 and 1e-7", "brake < steer and 2 brake > speed", car());
  EXPECT_EQ(write_vnnlib(property, car()),
            "; when speed between -0.5 and 1e-7 then brake < steer and 2 brake > speed\n"
            "; A point that fulfils the assertions violates the property.\n"
            "; speed [m/s]\n(declare-const X_0 Real)\n"
            "; gap; to (others)\n(declare-const X_1 Real)\n"
            "; brake\n(declare-const Y_0 Real)\n"
            "; steer [rad]\n(declare-const Y_1 Real)\n"
            "(assert (or\n"
            "  (and (>= X_0 -0.5) (<= X_0 0.0000001) (<= Y_1 Y_0))\n"
            "  (and (>= X_0 -0.5) (<= X_0 0.0000001) (<= (+ (* -1.0 X_0) (* 2.0 Y_0)) 0.0))))\n");
}

TEST(WriteVnnlib, KeepsTheNameAndTheTextInComments) {
  Property property{"two\nlines", "always\r\n brake < 1", {{{{}, {{0, 1}}, 1, true}}}};
  const std::string text = write_vnnlib(property, car());
  EXPECT_EQ(text.substr(0, text.find("; A point")), "; two\n; lines\n; always\n;  brake < 1\n");
  EXPECT_EQ(read_vnnlib(text, car()).violations, property.violations);
  const Property again = read_vnnlib(text, car());
  EXPECT_EQ(write_vnnlib(again, car()).find("lines"), std::string::npos);
}

double any_number(Rng& rng) {
  const std::array<double, 8> special = {1,
                                         -1,
                                         0.1,
                                         -3,
                                         std::numeric_limits<double>::max(),
                                         std::numeric_limits<double>::denorm_min(),
                                         -std::numeric_limits<double>::min(),
                                         1e23};
  if (rng.below(2) == 0) return special[static_cast<std::size_t>(rng.below(8))];
  return std::ldexp(rng.normal(), rng.below(2000) - 1000);
}

Constraint any_constraint(Rng& rng) {
  Constraint constraint{{}, {}, rng.below(3) == 0 ? 0 : any_number(rng), rng.below(2) == 0};
  for (int i = 0; i < 2; ++i) {
    if (rng.below(2) == 0) constraint.observations.push_back({i, any_number(rng)});
    if (rng.below(2) == 0) constraint.actions.push_back({i, any_number(rng)});
  }
  return constraint;
}

TEST(WriteVnnlib, ReadsBackAsTheSameViolations) {
  Rng rng(11);
  for (int i = 0; i < 2000; ++i) {
    Property property;
    for (int k = rng.below(4); k > 0; --k) {
      Case& violation = property.violations.emplace_back();
      for (int j = rng.below(4); j > 0; --j) violation.push_back(any_constraint(rng));
    }
    validate(property, car());
    const std::string text = write_vnnlib(property, car());
    ASSERT_EQ(read_vnnlib(text, car()).violations, property.violations) << text;
    ASSERT_EQ(text.find("e+"), std::string::npos) << text;
    ASSERT_EQ(text.find("e-", text.find("(assert")), std::string::npos) << text;
  }
}

// A random condition as text, and what it means at a point (speed, gap, brake, steer).
struct Condition {
  std::string text;
  std::function<bool(std::span<const double>)> meaning;
};

double small(Rng& rng) {
  return 0.5 * (rng.below(9) - 4);
}

Condition random_condition(Rng& rng, int depth) {
  const int kind = depth == 0 ? 0 : rng.below(4);
  if (kind == 0) {
    const std::array<std::string, 4> names = {"X_0", "X_1", "Y_0", "Y_1"};
    const auto i = static_cast<std::size_t>(rng.below(4));
    const auto j = static_cast<std::size_t>(rng.below(4));
    const bool strict = rng.below(2) == 0;
    return {"(" + std::string(strict ? "<" : ">=") + " (* 2.0 " + names[i] + ") (- " + names[j] +
                " 0.5))",
            [=](std::span<const double> p) {
              return strict ? 2 * p[i] < p[j] - 0.5 : 2 * p[i] >= p[j] - 0.5;
            }};
  }
  const Condition a = random_condition(rng, depth - 1);
  if (kind == 1) return {"(not " + a.text + ")", [a](auto p) { return !a.meaning(p); }};
  const Condition b = random_condition(rng, depth - 1);
  const bool both = kind == 2;
  return {(both ? "(and " : "(or ") + a.text + " " + b.text + ")", [a, b, both](auto p) {
            return both ? a.meaning(p) && b.meaning(p) : a.meaning(p) || b.meaning(p);
          }};
}

TEST(ReadVnnlib, MeansWhatTheAssertionsSay) {
  Rng rng(12);
  int seen = 0;
  for (int i = 0; i < 300; ++i) {
    const Condition first = random_condition(rng, 3);
    const Condition second = random_condition(rng, 3);
    const auto cases = violations("(assert " + first.text + ")(assert " + second.text + ")");
    for (int k = 0; k < 40; ++k) {
      const std::array<double, 4> point = {small(rng), small(rng), small(rng), small(rng)};
      const auto x = std::span(point).first(2);
      const auto action = std::span(point).last(2);
      const bool found = std::ranges::any_of(cases, [&](const Case& one) {
        return std::ranges::all_of(one, [&](const auto& c) { return holds(c, x, action); });
      });
      ASSERT_EQ(found, first.meaning(point) && second.meaning(point)) << first.text << "\n"
                                                                      << second.text;
      seen += found ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 1000);
}

// Whatever it is given, it answers or throws Error.
TEST(ReadVnnlib, SurvivesDamagedText) {
  const std::string good =
      kDeclarations + "(assert (or (and (<= X_0 1.0e1)) (not (> (* 2 Y_0) (- X_1 .5)))));\n";
  const std::string alphabet = "()<>=+-*; \n0.e9XY_";
  Rng rng(13);
  int accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    for (int k = rng.below(3); k >= 0; --k) {
      const auto at = static_cast<std::size_t>(rng.below(static_cast<int>(text.size())));
      const auto letter = static_cast<std::size_t>(rng.below(static_cast<int>(alphabet.size())));
      if (rng.below(3) == 0) text.erase(at, 1 + static_cast<std::size_t>(rng.below(5)));
      if (rng.below(2) == 0) text.insert(at, 1, alphabet[letter]);
    }
    if (error_of(text) == "none") ++accepted;
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace icct
