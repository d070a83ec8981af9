#include "icct/base/logistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "icct/base/rng.h"

namespace icct {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Logistic, IsAccurate) {
  Rng rng(1);
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = rng.uniform(-690, 40) * (i % 2 == 0 ? 1 : 0.01);
    const long double exact = 1 / (1 + std::exp(-static_cast<long double>(x)));
    ASSERT_NEAR(static_cast<double>(logistic(x) / exact), 1, 6e-16) << x;
  }
}

TEST(Logistic, NeverDecreasesAtTheSeamsOfItsTable) {
  for (int step = -32'000; step <= 32'000; ++step) {
    double x = step * (std::log(2.0) / 32);
    for (int i = 0; i < 8; ++i) x = std::nextafter(x, -kInfinity);
    for (int i = 0; i < 16; ++i) {
      const double next = std::nextafter(x, kInfinity);
      ASSERT_LE(logistic(x), logistic(next)) << x;
      x = next;
    }
  }
}

TEST(Logistic, NeverDecreasesFromOneDoubleToTheNext) {
  Rng rng(2);
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = rng.normal() * (i % 2 == 0 ? 1 : 20);
    ASSERT_LE(logistic(x), logistic(std::nextafter(x, kInfinity))) << x;
  }
}

TEST(Logistic, EndsAtZeroAndOne) {
  EXPECT_EQ(logistic(kInfinity), 1);
  EXPECT_EQ(logistic(40), 1);
  EXPECT_EQ(logistic(0), 0.5);
  EXPECT_EQ(logistic(-kInfinity), 0);
  EXPECT_EQ(logistic(-701), 0);
  EXPECT_GT(logistic(-699), 0);
}

}  // namespace
}  // namespace icct
