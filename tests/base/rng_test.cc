#include "icct/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace icct {
namespace {

// The published generator, written out once more.
struct Xoshiro256PlusPlus {
  std::uint64_t s[4];

  static std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t next() {
    const std::uint64_t result = rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
  }
};

TEST(Rng, IsXoshiro256PlusPlus) {
  Rng rng(0);
  rng.set_state({1, 2, 3, 4});
  // The test vector that other implementations publish for this state.
  for (const std::uint64_t expected :
       {41943041ULL, 58720359ULL, 3588806011781223ULL, 3591011842654386ULL, 9228616714210784205ULL,
        9973669472204895162ULL})
    EXPECT_EQ(rng.next(), expected);
  rng.set_state({11, 22, 33, 44});
  Xoshiro256PlusPlus reference{{11, 22, 33, 44}};
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(rng.next(), reference.next());
}

TEST(Rng, IsSeededThroughSplitmix64) {
  const Rng::State expected = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                               4593380528125082431U};
  EXPECT_EQ(Rng(1234567).state(), expected);
}

TEST(Rng, GivesTheSameNumbersForTheSameSeedOnly) {
  Rng a(5), b(5), c(6);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const double normal = a.normal();
    EXPECT_EQ(normal, b.normal());
    differs = differs || normal != c.normal();
  }
  EXPECT_TRUE(differs);
}

TEST(Rng, ContinuesFromASavedStateAfterEveryKindOfDraw) {
  Rng rng(7);
  for (int i = 0; i < 20; ++i) {
    Rng resumed(0);
    resumed.set_state(rng.state());
    EXPECT_EQ(rng.normal(), resumed.normal());
    EXPECT_EQ(rng.uniform(), resumed.uniform());
    EXPECT_EQ(rng.gumbel(), resumed.gumbel());
    EXPECT_EQ(rng.below(10), resumed.below(10));
    EXPECT_EQ(rng.state(), resumed.state());
  }
}

struct Moments {
  double mean = 0, variance = 0;
};

template <class Draw>
Moments moments_of(const Draw& draw) {
  const int count = 200000;
  double sum = 0, sum_of_squares = 0;
  for (int i = 0; i < count; ++i) {
    const double value = draw();
    sum += value;
    sum_of_squares += value * value;
  }
  const double mean = sum / count;
  return {mean, sum_of_squares / count - mean * mean};
}

TEST(Rng, DrawsUniformNumbersBelowOne) {
  Rng rng(1);
  const Moments moments = moments_of([&rng] {
    const double value = rng.uniform();
    EXPECT_TRUE(value >= 0 && value < 1);
    return value;
  });
  EXPECT_NEAR(moments.mean, 0.5, 0.003);
  EXPECT_NEAR(moments.variance, 1.0 / 12, 0.001);
}

TEST(Rng, DrawsUniformNumbersBetweenBounds) {
  Rng rng(2);
  const Moments moments = moments_of([&rng] {
    const double value = rng.uniform(-3, 5);
    EXPECT_TRUE(value >= -3 && value < 5);
    return value;
  });
  EXPECT_NEAR(moments.mean, 1, 0.03);
  EXPECT_NEAR(moments.variance, 64.0 / 12, 0.06);
}

// Rounding must not reach the upper bound, which is excluded.
TEST(Rng, StaysBelowTheUpperBoundOfANarrowRange) {
  Rng rng(3);
  const double high = std::nextafter(1.0, 2.0);
  for (int i = 0; i < 100; ++i) ASSERT_LT(rng.uniform(1, high), high);
}

TEST(Rng, DrawsNormalNumbers) {
  Rng rng(4);
  int beyond_two = 0;
  const Moments moments = moments_of([&] {
    const double value = rng.normal();
    beyond_two += std::abs(value) > 2;
    return value;
  });
  EXPECT_NEAR(moments.mean, 0, 0.01);
  EXPECT_NEAR(moments.variance, 1, 0.02);
  EXPECT_NEAR(beyond_two / 200000.0, 0.0455, 0.002);
}

TEST(Rng, DrawsGumbelNumbers) {
  Rng rng(5);
  const Moments moments = moments_of([&rng] { return rng.gumbel(); });
  EXPECT_NEAR(moments.mean, std::numbers::egamma, 0.015);
  EXPECT_NEAR(moments.variance, std::numbers::pi * std::numbers::pi / 6, 0.03);
}

TEST(Rng, DrawsFiniteNumbersAlsoFromTheExtremeBits) {
  // The first number of this state is 0, and so is uniform().
  Rng rng(0);
  rng.set_state({0, 1, 2, 0});
  EXPECT_EQ(Rng(rng).next(), 0U);
  EXPECT_TRUE(std::isfinite(Rng(rng).normal()));
  EXPECT_TRUE(std::isfinite(Rng(rng).gumbel()));
}

TEST(Rng, DrawsEveryWholeNumberBelowABoundEquallyOften) {
  Rng rng(6);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) {
    const int value = rng.below(7);
    ASSERT_TRUE(value >= 0 && value < 7);
    ++counts[value];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 500);
}

TEST(Rng, DrawsBelowTheSmallestAndTheLargestBound) {
  Rng rng(8);
  const int largest = std::numeric_limits<int>::max();
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    EXPECT_EQ(rng.below(1), 0);
    const int value = rng.below(largest);
    ASSERT_TRUE(value >= 0 && value < largest);
    sum += static_cast<double>(value) / largest;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

}  // namespace
}  // namespace icct
