#include "icct/run/curve_axis.h"

#include <gtest/gtest.h>

#include <limits>

#include "icct/base/svg.h"

namespace icct {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Progress progress_of(const std::vector<double>& means) {
  Progress progress;
  for (const double mean : means) {
    progress.rows.push_back({.steps = std::ssize(progress.rows) * 1000,
                             .stage = "learn",
                             .training_return = kNaN,
                             .validation_mean = mean,
                             .best_validation = kNaN,
                             .details = {}});
  }
  return progress;
}

TEST(ReturnRange, IsNotSquashedByAFewTerribleValues) {
  std::vector<double> means(100, 240);
  for (std::size_t i = 0; i < 50; ++i) means[2 * i] = 250;
  for (std::size_t i = 0; i < 5; ++i) means[i] = -500;
  const AxisRange range = return_range(progress_of(means), {});
  EXPECT_GE(range.lower, -50);
  EXPECT_LT(range.lower, 240);
  EXPECT_GT(range.upper, 250);
}

TEST(ReturnRange, ShowsASlowRiseAsAWhole) {
  std::vector<double> means;
  for (int i = 0; i <= 100; ++i) means.push_back(-500 + 7.5 * i);
  const AxisRange range = return_range(progress_of(means), {});
  EXPECT_LT(range.lower, -500);
  EXPECT_GT(range.upper, 250);
}

TEST(ReturnRange, ShowsAQuickRiseToAFlatLineAsAWhole) {
  std::vector<double> means(100, 1000);
  means[0] = 20;
  EXPECT_LT(return_range(progress_of(means), {}).lower, 20);
}

TEST(ReturnRange, HoldsErrorBandsAndTheReference) {
  Progress progress = progress_of({10, 10});
  progress.rows[1].validation_error = 4;
  AxisRange range = return_range(progress, {});
  EXPECT_LT(range.lower, 2);
  EXPECT_GT(range.upper, 18);
  range = return_range(progress, -40);
  EXPECT_LT(range.lower, -40);
  range = return_range(progress, 40);
  EXPECT_GT(range.upper, 40);
}

TEST(ReturnRange, HasAWidthForConstantAndMissingValues) {
  for (const double value :
       {0.0, 7.0, -7.0, 1e-320, 1e99, kNaN, 1e308, std::numeric_limits<double>::infinity()}) {
    const AxisRange range = return_range(progress_of({value, value}), {});
    EXPECT_LT(range.lower, range.upper) << value;
    EXPECT_FALSE(round_numbers(range.lower, range.upper, 6).empty()) << value;
  }
  EXPECT_LT(return_range({}, {}).lower, return_range({}, {}).upper);
}

TEST(StepsText, UsesThousandsAndMillions) {
  EXPECT_EQ(steps_text(0), "0");
  EXPECT_EQ(steps_text(200), "200");
  EXPECT_EQ(steps_text(500000), "500k");
  EXPECT_EQ(steps_text(1500000), "1.5M");
  EXPECT_EQ(steps_text(2e9), "2G");
}

}  // namespace
}  // namespace icct
