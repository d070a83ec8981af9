#include "icct/nn/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace icct {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Largest relative error over [low, high].
template <class Fast, class Exact>
double worst_error(const Fast& fast, const Exact& exact, double low, double high) {
  double worst = 0;
  const int steps = 200000;
  for (int i = 0; i <= steps; ++i) {
    const auto x = static_cast<float>(low + (high - low) * i / steps);
    const double expected = exact(static_cast<double>(x));
    if (expected == 0) continue;
    worst = std::max(worst, std::abs(static_cast<double>(fast(x)) / expected - 1));
  }
  return worst;
}

TEST(FastExp, IsAccurateOverItsWholeRange) {
  const auto exact = [](double x) { return std::exp(x); };
  EXPECT_LT(worst_error(fast_exp, exact, -87.2, 88.6), 2e-7);
  EXPECT_EQ(fast_exp(0.0f), 1.0f);
  EXPECT_EQ(fast_exp(-1000.0f), 0.0f);
  EXPECT_EQ(fast_exp(1000.0f), kInfinity);
  EXPECT_TRUE(std::isnan(fast_exp(kNan)));
}

TEST(FastLog, IsAccurateOverItsWholeRange) {
  const auto exact = [](double x) { return std::log(x); };
  EXPECT_LT(worst_error(fast_log, exact, 1e-6, 1.0), 2e-7);
  EXPECT_LT(worst_error(fast_log, exact, 0.9, 1.1), 2e-7);
  EXPECT_LT(worst_error(fast_log, exact, 1.0, 1e30), 2e-7);
  EXPECT_EQ(fast_log(1.0f), 0.0f);
  EXPECT_TRUE(std::isnan(fast_log(kNan)));
}

TEST(FastTanh, IsAccurateAndNeverBeyondOne) {
  const auto exact = [](double x) { return std::tanh(x); };
  EXPECT_LT(worst_error(fast_tanh, exact, -1.0, 1.0), 2e-7);
  EXPECT_LT(worst_error(fast_tanh, exact, -30.0, 30.0), 2e-7);
  EXPECT_EQ(fast_tanh(kInfinity), 1.0f);
  EXPECT_EQ(fast_tanh(-kInfinity), -1.0f);
  EXPECT_EQ(fast_tanh(-0.001f), -fast_tanh(0.001f));
  EXPECT_TRUE(std::isnan(fast_tanh(kNan)));
}

TEST(FastSineCosine, IsAccurateAroundTheWholeCircle) {
  for (int i = 0; i <= 100000; ++i) {
    const auto turns = static_cast<float>(i / 100000.0);
    const double angle = 2 * std::numbers::pi * static_cast<double>(turns);
    const SineCosine result = fast_sine_cosine(turns);
    ASSERT_NEAR(static_cast<double>(result.sine), std::sin(angle), 2e-7);
    ASSERT_NEAR(static_cast<double>(result.cosine), std::cos(angle), 2e-7);
  }
}

}  // namespace
}  // namespace icct
