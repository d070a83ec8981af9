#include "icct/base/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "icct/base/rng.h"

namespace icct {
namespace {

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();

// Any finite double, all exponents alike.
double random_double(Rng& rng) {
  for (;;) {
    const auto value = std::bit_cast<double>(rng.next());
    if (std::isfinite(value)) return value;
  }
}

TEST(ExactText, ReadsBackAsTheSameDouble) {
  Rng rng(1);
  for (int i = 0; i < 100000; ++i) {
    const double value = random_double(rng);
    ASSERT_EQ(std::strtod(exact_text(value).c_str(), nullptr), value) << exact_text(value);
    ASSERT_EQ(parse_number(exact_text(value)), value) << exact_text(value);
  }
}

TEST(ExactText, UsesTheFewestDigits) {
  EXPECT_EQ(exact_text(0.1), "0.1");
  EXPECT_EQ(exact_text(-2), "-2");
  EXPECT_EQ(exact_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(exact_text(1e100), "1e+100");
  EXPECT_EQ(exact_text(kSmallest), "5e-324");
  EXPECT_EQ(exact_text(-0.0), "-0");
  Rng rng(2);
  for (int i = 0; i < 1000; ++i) {
    const double value = random_double(rng);
    const std::string text = exact_text(value);
    int digits = 0;
    for (const char c : text.substr(0, text.find('e'))) digits += std::isdigit(c) != 0;
    if (digits < 2 || text.find('e') == std::string::npos) continue;
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*e", digits - 2, value);
    EXPECT_NE(std::strtod(shorter, nullptr), value) << text;
  }
}

TEST(ExactText, NamesWhatIsNotFinite) {
  EXPECT_EQ(exact_text(std::nan("")), "nan");
  EXPECT_EQ(exact_text(HUGE_VAL), "inf");
  EXPECT_EQ(exact_text(-HUGE_VAL), "-inf");
}

TEST(RoundedText, RoundsToSignificantDigitsWithoutTrailingZeros) {
  EXPECT_EQ(rounded_text(0.1, 3), "0.1");
  EXPECT_EQ(rounded_text(-2.3451, 3), "-2.35");
  EXPECT_EQ(rounded_text(1.2e-7, 3), "1.2e-07");
  EXPECT_EQ(rounded_text(2.0004, 4), "2");
  EXPECT_EQ(rounded_text(99.96, 3), "100");
  EXPECT_EQ(rounded_text(1234567, 3), "1.23e+06");
  EXPECT_EQ(rounded_text(kLargest, 17), "1.7976931348623157e+308");
}

TEST(RoundedText, HasNoMinusZero) {
  EXPECT_EQ(rounded_text(-0.0, 3), "0");
}

TEST(GroupedText, SetsThousandsApart) {
  EXPECT_EQ(grouped_text(0), "0");
  EXPECT_EQ(grouped_text(999), "999");
  EXPECT_EQ(grouped_text(1000), "1,000");
  EXPECT_EQ(grouped_text(16250000), "16,250,000");
}

TEST(DurationText, HasTheTwoUnitsThatMatter) {
  EXPECT_EQ(duration_text(-1), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(200), "3 min 20 s");
  EXPECT_EQ(duration_text(3900), "1 h 5 min");
}

TEST(ParseNumber, ReadsWholeNumbersWithBlanksAroundThem) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number(" \t-2e3\t \r"), -2000);
  EXPECT_EQ(parse_number("+7"), 7);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("5."), 5);
  EXPECT_EQ(parse_number("5e-324"), kSmallest);
  EXPECT_EQ(parse_number("1.7976931348623157e308"), kLargest);
  EXPECT_TRUE(std::signbit(parse_number("-0").value_or(1)));
}

TEST(ParseNumber, ReadsNanAndInfinity) {
  EXPECT_TRUE(std::isnan(parse_number("nan").value_or(0)));
  EXPECT_EQ(parse_number("inf"), HUGE_VAL);
  EXPECT_EQ(parse_number("+inf"), HUGE_VAL);
  EXPECT_EQ(parse_number("-inf"), -HUGE_VAL);
}

TEST(ParseNumber, RejectsEverythingElse) {
  for (const char* text : {"", " ", "+", "-", ".", "e5", "1e", "1x", "1 2", "1,5", "+-1", "-+1",
                           "++1", "0x10", "1e999", "--1", "one", "1\n2", "\n1"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_number(std::string_view("1\0", 2)), std::nullopt);
}

}  // namespace
}  // namespace icct
