#include "icct/base/space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/complaint.h"

namespace icct {
namespace {

Space example() {
  return {{.name = "speed", .unit = "m/s", .lower = 0, .upper = 40},
          {.name = "gap", .unit = "m"},
          {.name = "Öl °C", .unit = ""}};
}

std::string complaint_about(const Space& space) {
  return complaint([&] { validate_space(space, "observation"); });
}

void expect_complaint(const Space& space, const std::string& where, const std::string& what) {
  const std::string text = complaint_about(space);
  EXPECT_EQ(text.find(where), 0U) << text;
  EXPECT_NE(text.find(what), std::string::npos) << text;
}

TEST(ValidateSpace, AcceptsNamesUnitsAndInfiniteBounds) {
  EXPECT_EQ(complaint_about(example()), "none");
  EXPECT_EQ(complaint_about({}), "none");
}

TEST(ValidateSpace, RejectsAnEmptyName) {
  Space space = example();
  space[1].name = "";
  expect_complaint(space, "observation 1", "no name");
}

TEST(ValidateSpace, RejectsANameThatComesTwice) {
  Space space = example();
  space[2].name = "speed";
  expect_complaint(space, "observation 2 ('speed')", "names must differ");
}

TEST(ValidateSpace, RejectsControlCharacters) {
  for (const char* text : {"a\nb", "\t", "\x7f", "\x1b[31m"}) {
    Space named = example(), measured = example();
    named[0].name = text;
    measured[0].unit = text;
    expect_complaint(named, "observation 0", "control character");
    expect_complaint(measured, "observation 0 ('speed')", "control character");
  }
}

TEST(ValidateSpace, RejectsBoundsThatAreNotInOrder) {
  for (const auto& [lower, upper] : {std::pair{1.0, 1.0},
                                     {2.0, 1.0},
                                     {std::nan(""), 1.0},
                                     {0.0, std::nan("")},
                                     {HUGE_VAL, HUGE_VAL}}) {
    Space space = example();
    space[1].lower = lower;
    space[1].upper = upper;
    expect_complaint(space, "observation 1 ('gap')", "lower bound");
  }
}

TEST(FindDimension, GivesThePositionOfAName) {
  EXPECT_EQ(find_dimension(example(), "speed"), 0);
  EXPECT_EQ(find_dimension(example(), "Öl °C"), 2);
  EXPECT_EQ(find_dimension(example(), "Speed"), std::nullopt);
  EXPECT_EQ(find_dimension({}, ""), std::nullopt);
}

TEST(NumberedSpace, CountsFromOne) {
  const Space space = numbered_space("x", 3);
  EXPECT_EQ(list_names(space), "x1, x2, x3");
  EXPECT_EQ(space[2], (Dimension{.name = "x3", .unit = "", .lower = -HUGE_VAL, .upper = HUGE_VAL}));
  EXPECT_TRUE(numbered_space("x", 0).empty());
}

TEST(ListNames, SeparatesByCommas) {
  EXPECT_EQ(list_names(example()), "speed, gap, Öl °C");
  EXPECT_EQ(list_names({}), "");
}

}  // namespace
}  // namespace icct
