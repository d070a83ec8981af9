#include "icct/base/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "icct/base/error.h"
#include "icct/base/rng.h"
#include "tests/complaint.h"

namespace icct {
namespace {

std::string parse_complaint(const std::string& text) {
  return complaint([&] { parse_json(text, "p.json"); });
}

void expect_complaint(const std::string& text, const std::string& what) {
  const std::string found = parse_complaint(text);
  EXPECT_EQ(found.find("p.json: "), 0U) << found;
  EXPECT_NE(found.find(what), std::string::npos) << found;
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  const Json json = parse_json(R"({"b": 1, "a": [true, null, "x"]})", "p.json");
  EXPECT_EQ(json.dump(), R"({"b":1,"a":[true,null,"x"]})");
}

TEST(ParseJson, SaysAtWhichLineAndColumnItStopped) {
  expect_complaint("{\n  \"a\": 1,\n  oops\n}", "line 3, column 3");
  expect_complaint("{\"a\": 1", "line 1, column 8");
  expect_complaint("", "line 1, column 1");
}

TEST(ParseJson, AcceptsNothingButJson) {
  for (const char* text :
       {"{'a': 1}", "[1,]", "[1] [2]", "// c\n1", "/* c */ 1", "NaN",      "[nan]",
        "Infinity", "[01]", "[.5]",    "[1.]",    "[+1]",      "[0x1]",    "\"a\nb\"",
        "\"\\x\"",  "tru",  "{\"a\"}", "{a: 1}",  "[1}",       "\"\xff\"", "\"\\ud800\""}) {
    EXPECT_EQ(parse_complaint(text).find("p.json: not valid JSON: "), 0U) << text;
  }
}

TEST(ParseJson, RejectsNumbersThatNoDoubleHolds) {
  expect_complaint("[1e999]", "1e999");
  expect_complaint("[-1e999]", "-1e999");
  EXPECT_EQ(parse_json("[1e308]", "p.json")[0].get<double>(), 1e308);
}

TEST(ParseJson, RejectsAKeyThatComesTwice) {
  expect_complaint(R"({"a": 1, "a": 2})", "\"a\" appears twice");
  expect_complaint(R"([{"x": {"b": 1, "b": 1}}])", "\"b\" appears twice");
  EXPECT_EQ(parse_complaint(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 1}]})"), "none");
}

TEST(ParseJson, GoesTwoHundredLevelsDeep) {
  const auto nested = [](int levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(parse_complaint(nested(200)), "none");
  expect_complaint(nested(201), "deeper than 200 levels");
  expect_complaint(std::string(1000000, '['), "deeper than 200 levels");
  std::string objects;
  for (int i = 0; i < 201; ++i) objects += "{\"a\":";
  expect_complaint(objects, "deeper than 200 levels");
}

TEST(ParseJson, LimitsTheKeysOfAnObject) {
  const auto object = [](int keys) {
    std::string text = "{";
    for (int i = 0; i < keys; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    return text + "}";
  };
  EXPECT_EQ(parse_complaint(object(10000)), "none");
  expect_complaint(object(10001), "more than 10000 keys");
}

TEST(WriteJson, KeepsOnOneLineWhatFitsInto100Columns) {
  const Json fits = Json::array({std::string(96, 'x')}), wide = Json::array({std::string(97, 'x')});
  EXPECT_EQ(write_json(fits), "[\"" + std::string(96, 'x') + "\"]");
  EXPECT_EQ(write_json(wide), "[\n  \"" + std::string(97, 'x') + "\"\n]");
}

TEST(WriteJson, IndentsByTwoSpacesAndNeverExceeds100ColumnsWhereItCanBreak) {
  Json json = {{"name", "policy"}, {"list", Json::array()}, {"empty", Json::object()}};
  for (int i = 0; i < 60; ++i) json["list"].push_back({{"index", i}, {"values", {i, 2 * i, 0.5}}});
  const std::string text = write_json(json);
  EXPECT_EQ(text.find("{\n  \"name\": \"policy\",\n  \"list\": [\n    {\"index\": 0, \"values\": "
                      "[0, 0, 0.5]},\n"),
            0U)
      << text;
  EXPECT_EQ(text.substr(text.size() - 20), "  ],\n  \"empty\": {}\n}");
  EXPECT_EQ(parse_json(text, "text"), json);
}

TEST(WriteJson, CountsKeyAndCommaIntoTheWidth) {
  for (const std::size_t length : {80U, 87U, 88U, 89U, 90U}) {
    const Json json = {{"k", Json::array({std::string(length, 'x')})}, {"z", std::string(90, 'y')}};
    std::size_t start = 0;
    const std::string text = write_json(json) + "\n";
    for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
      EXPECT_LE(end - start, 100U) << text;
    // Margin, key, list and comma.
    const bool one_line = 2 + 5 + (length + 4) + 1 <= 100;
    EXPECT_EQ(text.find("\"k\": [\"x") != std::string::npos, one_line) << length;
  }
}

TEST(WriteJson, WritesNumbersThatReadBackExactly) {
  Rng rng(1);
  std::vector<double> values = {0.0,  -0.0, 5e-324, -1.7976931348623157e308, 0.1,
                                1e22, 1e17, 1e20,   18446744073709551616.0,  9007199254740993.0};
  while (values.size() < 20000) {
    const auto value = std::bit_cast<double>(rng.next());
    if (std::isfinite(value)) values.push_back(value);
  }
  const Json read = parse_json(write_json(values), "text");
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read[i].get<double>()),
              std::bit_cast<std::uint64_t>(values[i]))
        << values[i];
}

TEST(WriteJson, EscapesTextAndKeys) {
  const Json json = {{"quo\"te", "tab\t, newline\n, é, \\"}};
  EXPECT_EQ(write_json(json), R"({"quo\"te": "tab\t, newline\n, é, \\"})");
}

class Reader : public testing::Test {
 protected:
  const Json json_ =
      parse_json(R"({"a": {"list": [1, "two", null, {"k": 2.5}]}, "t": "text", "": 1})", "p.json");
  const JsonReader root_{json_, "p.json"};
};

TEST_F(Reader, GivesValuesByPath) {
  const auto list = root_.at("a").at("list").elements();
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[0].number(), 1);
  EXPECT_EQ(list[1].string(), "two");
  EXPECT_EQ(list[2].number_or_null(7), 7);
  EXPECT_EQ(list[0].number_or_null(7), 1);
  EXPECT_EQ(list[3].at("k").number(), 2.5);
  EXPECT_TRUE(root_.has("t"));
  EXPECT_FALSE(root_.has("u"));
  EXPECT_EQ(root_.members()[1].first, "t");
}

TEST_F(Reader, NamesFileAndPathInEveryComplaint) {
  const auto list = root_.at("a").at("list");
  EXPECT_EQ(complaint([&] { list.elements()[1].number(); }),
            "p.json: a.list[1]: expected a finite number, found \"two\"");
  EXPECT_EQ(complaint([&] { list.elements()[2].number(); }),
            "p.json: a.list[2]: expected a finite number, found null");
  EXPECT_EQ(complaint([&] { list.elements()[3].at("m"); }), "p.json: a.list[3]: \"m\" is missing");
  EXPECT_EQ(complaint([&] { list.numbers(); }),
            "p.json: a.list[1]: expected a finite number, found \"two\"");
  EXPECT_EQ(complaint([&] { list.string(); }),
            "p.json: a.list: expected a text in quotes, found an array");
  EXPECT_EQ(complaint([&] { root_.at("t").has("x"); }),
            "p.json: t: expected an object, found \"text\"");
  EXPECT_EQ(complaint([&] { root_.at("a").elements(); }),
            "p.json: a: expected a list, found an object");
  EXPECT_EQ(complaint([&] { root_.at("b"); }), "p.json: \"b\" is missing");
}

TEST_F(Reader, ListsTheKnownKeysWhenOneIsUnknown) {
  EXPECT_EQ(complaint([&] {
              root_.at("a").allow_only({"lists", "b"});
            }),
            "p.json: a: unknown key \"list\"; known: lists, b");
  EXPECT_EQ(complaint([&] { root_.allow_only({"a", "t", ""}); }), "none");
}

TEST_F(Reader, ShortensWhatItQuotes) {
  const Json json = std::string(1000, 'x');
  const std::string text = complaint([&] { JsonReader(json, "p.json").number(); });
  EXPECT_LT(text.size(), 150U);
}

}  // namespace
}  // namespace icct
