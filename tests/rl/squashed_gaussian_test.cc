#include "icct/rl/squashed_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "icct/rl/normal_noise.h"

namespace icct {
namespace {

constexpr int kBatch = 33;
constexpr int kActions = 3;

struct Problem {
  Problem() : pass(kBatch, kActions), noise(kBatch * kActions) {
    Rng rng(1);
    for (float& value : pass.mean) value = static_cast<float>(rng.uniform(-1.5, 1.5));
    for (float& value : pass.log_std) value = static_cast<float>(rng.uniform(-2, 0));
    fill_normal(rng, noise);
  }

  PolicyPass pass;
  std::vector<float> noise;
};

// The definition, for one action, in double precision.
struct Exact {
  double action, log_prob;
};
Exact exact(double mean, double log_std, double noise) {
  const double u = mean + std::exp(log_std) * noise;
  const double action = std::tanh(u);
  const double normal = -0.5 * noise * noise - log_std - 0.5 * std::log(2 * std::numbers::pi);
  return {action, normal - std::log(1 - action * action + 1e-6)};
}

TEST(SquashedGaussian, MatchesItsDefinition) {
  Problem p;
  sample_actions(p.pass, p.noise);
  for (std::size_t i = 0; i < kBatch; ++i) {
    double sum = 0;
    for (std::size_t j = i * kActions; j < (i + 1) * kActions; ++j) {
      const Exact e = exact(p.pass.mean[j], p.pass.log_std[j], p.noise[j]);
      EXPECT_NEAR(p.pass.action[j], e.action, 1e-6);
      sum += e.log_prob;
    }
    EXPECT_NEAR(p.pass.log_prob[i], sum, 2e-5);
  }
}

TEST(SquashedGaussian, GradientMatchesFiniteDifferences) {
  Problem p;
  sample_actions(p.pass, p.noise);
  Rng rng(2);
  std::vector<float> d_action(p.noise.size()), d_mean(p.noise.size()), d_log_std(p.noise.size());
  for (float& value : d_action) value = static_cast<float>(rng.normal());
  const double weight = 0.3;
  sample_actions_backward(p.pass, d_action, static_cast<float>(weight), d_mean, d_log_std);
  const double h = 1e-6;
  for (std::size_t i = 0; i < p.noise.size(); ++i) {
    const auto loss = [&](double mean, double log_std) {
      const Exact e = exact(mean, log_std, p.noise[i]);
      return static_cast<double>(d_action[i]) * e.action + weight * e.log_prob;
    };
    const double m = p.pass.mean[i], s = p.pass.log_std[i];
    EXPECT_NEAR(d_mean[i], (loss(m + h, s) - loss(m - h, s)) / (2 * h), 1e-5);
    EXPECT_NEAR(d_log_std[i], (loss(m, s + h) - loss(m, s - h)) / (2 * h), 1e-5);
  }
}

TEST(SquashedGaussian, StaysFiniteFarOut) {
  PolicyPass pass(1, 2);
  pass.mean = {1e4f, -1e4f};
  pass.log_std = {2, -20};
  const std::vector<float> noise = {5, -5}, d_action = {1, 1};
  sample_actions(pass, noise);
  EXPECT_EQ(pass.action[0], 1);
  EXPECT_EQ(pass.action[1], -1);
  EXPECT_TRUE(std::isfinite(pass.log_prob[0]));
  std::vector<float> d_mean(2), d_log_std(2);
  sample_actions_backward(pass, d_action, 1, d_mean, d_log_std);
  for (const float value : d_mean) EXPECT_TRUE(std::isfinite(value));
  for (const float value : d_log_std) EXPECT_TRUE(std::isfinite(value));
}

TEST(NormalNoise, HasTheMomentsOfAStandardNormal) {
  Rng rng(3);
  std::vector<float> values(400001);
  fill_normal(rng, values);
  double sum[5] = {};
  int beyond_two = 0;
  for (const float value : values) {
    double power = 1;
    for (double& s : sum) {
      s += power / static_cast<double>(values.size());
      power *= static_cast<double>(value);
    }
    if (std::abs(value) > 2) ++beyond_two;
  }
  EXPECT_NEAR(sum[1], 0, 0.01);
  EXPECT_NEAR(sum[2], 1, 0.01);
  EXPECT_NEAR(sum[3], 0, 0.03);
  EXPECT_NEAR(sum[4], 3, 0.05);
  EXPECT_NEAR(beyond_two / 400001.0, 0.0455, 0.0015);
}

TEST(NormalNoise, BothNumbersOfAPairAreUncorrelated) {
  Rng rng(4);
  double product = 0;
  const int repeats = 20000;
  for (int i = 0; i < repeats; ++i) {
    float pair[2];
    fill_normal(rng, pair);
    product += static_cast<double>(pair[0]) * static_cast<double>(pair[1]);
  }
  EXPECT_NEAR(product / repeats, 0, 0.03);
}

TEST(NormalNoise, SameStateSameNumbers) {
  Rng one(5), two(5);
  std::vector<float> a(77), b(77);
  fill_normal(one, a);
  fill_normal(two, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(one.state(), two.state());
}

}  // namespace
}  // namespace icct
