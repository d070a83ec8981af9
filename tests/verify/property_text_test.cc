#include "icct/verify/property_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "icct/base/rng.h"
#include "tests/complaint.h"

namespace icct {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Policy lander() {
  Policy policy;
  policy.name = "test";
  policy.observations = {{.name = "height", .unit = "m", .lower = -1, .upper = 100},
                         {.name = "speed", .unit = "m/s"},
                         {.name = "x", .unit = "×10 m"},
                         {.name = "leg contact (left)", .unit = ""}};
  policy.actions = {{.name = "main_engine", .unit = "", .lower = -1, .upper = 1},
                    {.name = "steering", .unit = "rad", .lower = -1, .upper = 1}};
  policy.controller = make_leaf({{.bias = 0}, {.bias = 0}});
  validate(policy);
  return policy;
}

std::vector<Case> violations(const std::string& text) {
  const std::vector<Property> properties = parse_properties(text, lander());
  EXPECT_EQ(properties.size(), 1U) << text;
  return properties[0].violations;
}

void expect_error(const std::string& text, const std::vector<std::string>& parts) {
  const std::string message = complaint([&] { parse_properties(text, lander()); });
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
}

bool violated(const std::vector<Case>& cases, std::span<const double> x,
              std::span<const double> action) {
  return std::ranges::any_of(cases, [&](const Case& one) {
    return std::ranges::all_of(one, [&](const Constraint& c) { return holds(c, x, action); });
  });
}

TEST(ParseProperties, ReadsAWhenThenRuleAsWhatMustNotHappen) {
  const Constraint low{{{0, 1}}, {}, 5, true};
  const Constraint moving{{{1, -1}}, {}, 0, true};
  const Constraint too_much{{}, {{0, -1}}, -5, true};
  EXPECT_EQ(violations("when height < 5 and speed > 0 then main_engine <= 5"),
            (std::vector<Case>{{low, moving, too_much}}));
}

TEST(ParseProperties, ReadsAlwaysAsWhatMustHoldEverywhere) {
  EXPECT_EQ(violations("always steering <= 0.5"),
            (std::vector<Case>{{{{}, {{1, -1}}, -0.5, true}}}));
}

TEST(ParseProperties, ReadsManyRulesWithNamesCommentsAndLineBreaks) {
  const std::vector<Property> rules = parse_properties(
      "# what the lander promises\r\n\n"
      "careful landing: when height < 0.1 m   # close: always\n"
      "                 then main_engine >= 0\n"
      "                   or steering between -0.5 and 0.5\n"
      "always steering <= 1\n"
      "don't tilt:   # at all\n\n"
      "  when\n speed > 1 then steering = 0  # the end\n"
      "always: always x < 1\n",
      lander());
  ASSERT_EQ(rules.size(), 4U);
  EXPECT_EQ(rules[0].name, "careful landing");
  EXPECT_EQ(rules[0].violations,
            violations("when height < 0.1 then main_engine >= 0 or -0.5 <= steering <= 0.5"));
  EXPECT_EQ(rules[1].name, "");
  EXPECT_EQ(rules[1].text, "always steering <= 1");
  EXPECT_EQ(rules[2].name, "don't tilt");
  EXPECT_EQ(rules[2].text, "when\n speed > 1 then steering = 0");
  EXPECT_EQ(rules[2].violations.size(), 2U);
  EXPECT_EQ(rules[3].name, "always");
}

TEST(ParseProperties, ReadsSumsProductsAndSigns) {
  const std::vector<Case> expected = {{{{{0, 2}, {1, -1}}, {{0, -3}}, -4, true}}};
  for (const std::string text : {"always 2 * height - speed - 3 * main_engine >= -4",
                                 "always 2 height - speed + -3 main_engine + 4 >= 0",
                                 "always 4 + height * 2 >= 3 main_engine + speed",
                                 "always -4 <= height+height-speed-1.5*2*main_engine",
                                 "always (not (2height < +3 * main_engine + speed - 4))"})
    EXPECT_EQ(violations(text), expected) << text;
}

TEST(ParseProperties, ReadsChainsAsTheirLinks) {
  EXPECT_EQ(violations("when 0 < speed <= 5 then main_engine < 1"),
            violations("when 0 < speed and speed <= 5 then main_engine < 1"));
  EXPECT_EQ(violations("when 5 >= speed > height > 0 then main_engine < 1"),
            violations("when 5 >= speed and speed > height and height > 0 then main_engine < 1"));
  expect_error("always 0 < speed > 1", {"column 18", "found '>' after '<'", "'and'"});
}

TEST(ParseProperties, ReadsBetweenWithItsEnds) {
  EXPECT_EQ(violations("when speed between 0 and 5 and x < 1 then main_engine < 1"),
            violations("when 0 <= speed and speed <= 5 and x < 1 then main_engine < 1"));
  EXPECT_EQ(violations("always main_engine between speed - 1 and 2 speed"),
            violations("always speed - 1 <= main_engine <= 2 speed"));
  expect_error("always speed between 5 and 3", {"lower one first"});
  expect_error("always speed between 5 or 3", {"found 'or', expected 'and'"});
}

TEST(ParseProperties, ReadsAnEqualityAsTwoConstraints) {
  EXPECT_EQ(violations("when speed = 2 then not steering = 1"),
            (std::vector<Case>{{{{{1, 1}}, {}, 2, false},
                                {{{1, -1}}, {}, -2, false},
                                {{}, {{1, 1}}, 1, false},
                                {{}, {{1, -1}}, -1, false}}}));
}

TEST(ParseProperties, BindsAndBeforeOrAndNotFirst) {
  EXPECT_EQ(violations("when height < 1 or speed < 1 and not x < 1 then steering < 0"),
            violations("when (height < 1 or (speed < 1 and (not (x < 1)))) then (steering < 0)"));
}

TEST(ParseProperties, ReadsQuotedNames) {
  EXPECT_EQ(violations("always 'leg contact (left)' + 2 'speed' <= 1"),
            (std::vector<Case>{{{{{1, -2}, {3, -1}}, {}, -1, true}}}));
  Policy policy = lander();
  policy.observations[0].name = "and";
  policy.observations[1].name = "it's # here: when";
  EXPECT_EQ(parse_properties("always 'and' < 'it''s # here: when' + 1", policy).size(), 1U);
  expect_error("always 'height < 1\n", {"column 8", "no end"});
}

TEST(ParseProperties, AcceptsTheUnitOfTheQuantityOnly) {
  EXPECT_EQ(violations("when height < 5 m and 0m/s<=speed<1 m/s and x > 0.5 ×10 m then "
                       "steering <= 0.25rad"),
            violations("when height < 5 and 0<=speed<1 and x > 0.5 then steering <= 0.25"));
  expect_error("always height < 5 m/s", {"column 19", "found 'm/s'", "'height'", "its unit 'm'"});
  expect_error("always speed < 5 m", {"its unit 'm/s'"});
  expect_error("always x < 5 m", {"its unit '×10 m'"});
  expect_error("always x < 5 ×10 km", {"found '×10'", "its unit '×10 m'"});
  expect_error("always height < 5 km", {"found 'km'", "its unit 'm'"});
  expect_error("always height < 5 m/s2", {"found 'm/s2'", "its unit 'm'"});
  expect_error("always main_engine < 5 m", {"'main_engine'", "expected no unit"});
  expect_error("always height - speed < 5 m", {"'speed'", "'m/s'"});
  expect_error("always 5 m * height < 5", {"a factor has no unit"});
  expect_error("always 5 m height < 5", {"column 10", "'m' is neither a name nor the unit"});
  expect_error("always height < 5 6", {"found '6'"});
}

TEST(ParseProperties, RefusesAWordThatIsBothUnitAndName) {
  Policy policy = lander();
  policy.observations[3].name = "m";
  const auto read = [&](const std::string& text) {
    return complaint([&] { parse_properties(text, policy); });
  };
  EXPECT_NE(read("always height < 5 m").find("'m' is a name and a unit"), std::string::npos);
  EXPECT_EQ(read("always height < 5 * m"), "none");
  EXPECT_EQ(read("always height < 5 'm'"), "none");
  policy.actions[0].name = "height";
  EXPECT_NE(read("always height < 5").find("an observation and an action"), std::string::npos);
}

TEST(ParseProperties, NeverRounds) {
  expect_error("always height - 0.1 < 0.2", {"line 1, column 8", "would be rounded"});
  expect_error("always 0.1 * 0.1 height < 1", {"would be rounded"});
  expect_error("always 0.1 height + 0.2 height < 1", {"would be rounded"});
  expect_error("always 1e308 * 10 height < 1", {"would be rounded"});
  expect_error("always height < 1e999", {"too large"});
  expect_error("always height < 1e-999", {"too close to zero"});
  EXPECT_EQ(violations("always height + 0.5 < 0.75"), violations("always height < 0.25"));
  EXPECT_EQ(violations("always 1e308 < height + 1e308 + 1 - 1e308 - 1"),
            violations("always height > 1e308"));
  EXPECT_EQ(violations("always height < 0.1")[0][0].bound, -0.1);
  EXPECT_EQ(violations("always height < 5e-324")[0][0].bound, -5e-324);
}

TEST(ParseProperties, SaysWhereAndWhatItExpected) {
  expect_error("", {"there is no rule"});
  expect_error("  # nothing\n", {"there is no rule"});
  expect_error("height < 3", {"line 1, column 1", "found 'height'", "'when', 'always'"});
  expect_error("\nspeed > 1\nalways x < 1", {"line 2, column 1", "'when', 'always'"});
  expect_error("a: height < 3\n", {"line 1, column 1", "found 'a'", "its name and ':'"});
  expect_error("a:\nheight < 3\n", {"line 2", "found 'height', expected 'when' or 'always'"});
  expect_error("a:", {"found the end, expected 'when' or 'always'"});
  expect_error("always\n  height < 'x' +\n", {"found the end, expected a number or a name"});
  expect_error("always ×5 < 1", {"unknown name '×5'"});
  expect_error("always x < 1 ×10 m )", {"line 1, column 20", "found ')'", "end of the rule"});
  expect_error("when x < 1 the x > 2", {"column 12", "found 'the'"});
}

TEST(ParseProperties, PointsAtWhatDoesNotBelong) {
  expect_error("when x < y then x > 2",
               {"column 10", "unknown name 'y'", "height, speed, x, leg contact (left)",
                "main_engine, steering", "single quotes"});
  expect_error("always 2 sped < 1", {"column 10", "'sped' is neither a name", "height, speed"});
  expect_error("always height + 2 sped < 1", {"column 19", "found 'sped'", "height, speed"});
  expect_error("always height", {"found the end, expected one of <"});
  expect_error("when height < 1", {"found the end, expected 'and', 'or' or 'then'"});
  expect_error("when height < 1 when x < 2", {"found 'when', expected 'and', 'or' or 'then'"});
  expect_error("always height < 1 m x < 2", {"column 21", "found 'x', expected 'and', 'or'"});
  expect_error("always (height < 1", {"found the end, expected 'and', 'or' or ')'"});
  expect_error("always 2 * (height - 1) < 3", {"column 12", "not for sums"});
  expect_error("always height * speed < 3", {"not linear"});
  expect_error("always height / 2 < 3", {"found '/'"});
  expect_error("always height == 3", {"column 16", "found '='"});
  expect_error("always 1 < 2", {"two numbers are compared", "height, speed"});
  expect_error("always 0 height < 2", {"a factor is zero"});
}

TEST(ParseProperties, LimitsTheNumberOfCasesAndTheNesting) {
  std::string text = "when height < 1";
  for (int i = 0; i < 20; ++i) text += " and (height < 1 or speed < 1)";
  expect_error("\n" + text + " then x < 1", {"line 2", "more than 10000 cases"});
  EXPECT_EQ(violations("when not (" + text.substr(5) + ") then x < 1").size(), 21U);
  for (const std::string opening : {"(", "not "}) {
    text = "always ";
    for (int i = 0; i < 100'000; ++i) text += opening;
    expect_error(text, {"nested deeper than 200"});
  }
}

TEST(ParseRule, JoinsTwoConditions) {
  const Property rule = parse_rule(" height < 1 or speed > 2", "steering <= 0.5 ", lander());
  EXPECT_EQ(rule.text, "when height < 1 or speed > 2 then steering <= 0.5");
  EXPECT_EQ(rule.violations, violations(rule.text));
  const Property always = parse_rule(" ", "steering <= 0.5", lander());
  EXPECT_EQ(always.text, "always steering <= 0.5");
  EXPECT_EQ(always.violations, violations(always.text));
}

TEST(ParseRule, SaysWhichConditionIsWrong) {
  const auto read = [](const std::string& when, const std::string& then) {
    return complaint([&] { parse_rule(when, then, lander()); });
  };
  EXPECT_EQ(read("height", "x < 1"),
            "when-condition, line 1, column 7: found the end, expected one of < <= > >= = or "
            "'between'");
  EXPECT_EQ(read("height < 1", "x < 1 then"),
            "then-condition, line 1, column 7: found 'then', expected 'and', 'or' or the end");
  EXPECT_NE(read("height < 1", "").find("then-condition"), std::string::npos);
}

TEST(ParseBox, NarrowsTheDeclaredBounds) {
  const Box box = parse_box("height > 0 and x between -1 and 1 and (2 >= speed)", lander());
  Box expected = declared_box(lander());
  expected[0].lower = std::numeric_limits<double>::denorm_min();
  expected[1].upper = 2;
  expected[2] = {-1, 1};
  EXPECT_EQ(box, expected);
  EXPECT_EQ(parse_box(" ", lander()), declared_box(lander()));
  EXPECT_TRUE(is_empty(parse_box("speed < 1 and speed > 1", lander())));
  EXPECT_EQ(parse_box("speed = 3 m/s", lander())[1], (Range{3, 3}));
}

TEST(ParseBox, RefusesWhatIsNoBox) {
  const auto read = [](const std::string& where) {
    return complaint([&] { parse_box(where, lander()); });
  };
  EXPECT_NE(read("height < 1 or x < 1").find("'or'"), std::string::npos);
  EXPECT_NE(read("not height < 1").find("'not'"), std::string::npos);
  EXPECT_NE(read("steering < 1").find("an action"), std::string::npos);
  EXPECT_NE(read("height < x").find("one observation"), std::string::npos);
  EXPECT_NE(read("height - height < 1").find("one observation"), std::string::npos);
  EXPECT_NE(read("height < 1,").find("box, line 1, column 11"), std::string::npos);
}

// Both ends of the range are the last doubles that fulfil the comparisons.
TEST(ParseBox, SolvesForTheObservationExactly) {
  Rng rng(3);
  const auto any = [&rng] { return std::ldexp(rng.normal(), rng.below(600) - 300); };
  for (int i = 0; i < 2000; ++i) {
    const double gain = rng.below(2) == 0 ? any() : rng.normal();
    const double bound = rng.below(8) == 0 ? 0 : rng.below(2) == 0 ? any() : rng.normal();
    const bool strict = rng.below(2) == 0;
    const Constraint constraint{{{0, gain}}, {}, bound, strict};
    std::array<char, 200> text{};
    std::snprintf(text.data(), text.size(), "%.17g speed %s %.17g", gain,
                  strict ? "<" : "<=", bound);
    const Range range = parse_box(text.data(), lander())[1];
    const double end = gain > 0 ? range.upper : range.lower;
    const double beyond = std::nextafter(end, gain > 0 ? kInfinity : -kInfinity);
    ASSERT_TRUE(holds(constraint, std::array{end}, {})) << text.data();
    ASSERT_FALSE(std::isfinite(beyond) && holds(constraint, std::array{beyond}, {})) << text.data();
    ASSERT_EQ(gain > 0 ? range.lower : -range.upper, -kHuge);
  }
}

TEST(ParseBox, FindsTheEndsOfTheNumbers) {
  EXPECT_EQ(parse_box("1e-300 speed <= 1e300", lander())[1], Range());
  EXPECT_TRUE(parse_box("1e-300 speed <= -1e300", lander())[1].empty());
  EXPECT_TRUE(parse_box("-1e-300 speed < -1e300", lander())[1].empty());
  EXPECT_EQ(parse_box("1e300 speed <= 1e-300", lander())[1].upper, 0);
  EXPECT_EQ(parse_box("1e300 speed < 0", lander())[1].upper,
            -std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parse_box("3 speed < 1", lander())[1].upper, 1.0 / 3);
}

TEST(ToText, NamesWhatMustNeverBe) {
  const auto text = [](const std::string& rule) {
    return to_text(parse_properties(rule, lander())[0], lander());
  };
  EXPECT_EQ(text("when height < 0.1 then main_engine >= 0 and 2 speed - steering <= 1"),
            "never: height < 0.1 m and main_engine < 0; or height < 0.1 m and -2 speed + steering "
            "< -1");
  EXPECT_EQ(text("always x < 3"), "never: x >= 3 ×10 m");
  EXPECT_EQ(to_text({"", "", {}}, lander()), "never: nothing");
  EXPECT_EQ(to_text({"", "", {{}, {{{}, {}, 1, true}}}}, lander()), "never: anything; or 0 < 1");
}

// A random condition as text, and what it means at a point.
using Meaning = std::function<bool(std::span<const double>)>;
struct Condition {
  std::string text;
  Meaning meaning;
};

// Small multiples of a half: sums are exact, and equality happens.
double small(Rng& rng) {
  return 0.5 * (rng.below(9) - 4);
}

Condition random_comparison(Rng& rng) {
  const std::vector<std::string> names = {"height", "speed", "x", "main_engine", "steering"};
  const std::vector<std::string> relations = {"<", "<=", ">", ">=", "="};
  const int i = rng.below(5);
  const int j = rng.below(5);
  const int relation = rng.below(5);
  const double gain = rng.below(2) == 0 ? 2 : -0.5;
  const double offset = small(rng);
  std::array<char, 200> text{};
  std::snprintf(text.data(), text.size(), "%g %s - %s %s %g", gain,
                names[static_cast<std::size_t>(i)].c_str(),
                names[static_cast<std::size_t>(j)].c_str(),
                relations[static_cast<std::size_t>(relation)].c_str(), offset);
  return {text.data(), [=](std::span<const double> p) {
            const double sum =
                gain * p[static_cast<std::size_t>(i)] - p[static_cast<std::size_t>(j)];
            const std::array<bool, 5> answers = {sum<offset, sum <= offset, sum> offset,
                                                 sum >= offset, sum == offset};
            return answers[static_cast<std::size_t>(relation)];
          }};
}

Condition random_condition(Rng& rng, int depth) {
  const int kind = depth == 0 ? 0 : rng.below(4);
  if (kind == 0) return random_comparison(rng);
  const Condition a = random_condition(rng, depth - 1);
  if (kind == 1) return {"not (" + a.text + ")", [a](auto point) { return !a.meaning(point); }};
  const Condition b = random_condition(rng, depth - 1);
  if (kind == 2) {
    return {"(" + a.text + ") and (" + b.text + ")",
            [a, b](auto point) { return a.meaning(point) && b.meaning(point); }};
  }
  return {"(" + a.text + ") or (" + b.text + ")",
          [a, b](auto point) { return a.meaning(point) || b.meaning(point); }};
}

TEST(ParseProperties, MeansWhatTheConditionsSay) {
  Rng rng(5);
  int seen = 0;
  for (int i = 0; i < 300; ++i) {
    const Condition when = random_condition(rng, 3);
    const Condition then = random_condition(rng, 3);
    const std::string text = "when " + when.text + " then " + then.text;
    const std::vector<Case> cases = violations(text);
    for (int k = 0; k < 40; ++k) {
      std::vector<double> point(5);
      for (double& value : point) value = small(rng);
      const std::array<double, 4> x = {point[0], point[1], point[2], 0};
      const bool expected = when.meaning(point) && !then.meaning(point);
      ASSERT_EQ(violated(cases, x, std::span(point).subspan(3)), expected) << text;
      seen += expected ? 1 : 0;
    }
  }
  EXPECT_GT(seen, 1000);
}

// Whatever it is given, it answers or throws Error.
TEST(ParseProperties, SurvivesDamagedText) {
  const std::string good =
      "a b: when (height < 5 m and not 2 speed >= 1e3) or 'x' between -1 and 1 ×10 m\n"
      "then 0 <= main_engine <= 1 # c\nalways -steering * 2 = 0.5\n";
  const std::string alphabet = "()'#:<>=+-*\n 0.e9amx\xc3\x97";
  Rng rng(6);
  int accepted = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = good;
    for (int k = rng.below(4); k >= 0; --k) {
      const auto at = static_cast<std::size_t>(rng.below(static_cast<int>(text.size())));
      const char c =
          alphabet[static_cast<std::size_t>(rng.below(static_cast<int>(alphabet.size())))];
      if (rng.below(3) == 0) text.erase(at, 1 + static_cast<std::size_t>(rng.below(5)));
      if (rng.below(2) == 0) text.insert(at, 1, c);
      if (text.empty()) text = " ";
    }
    if (complaint([&] { parse_properties(text, lander()); }) == "none") ++accepted;
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace icct
