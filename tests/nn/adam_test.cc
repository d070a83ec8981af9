#include "icct/nn/adam.h"

#include <gtest/gtest.h>

#include "icct/nn/denormals.h"
#include "tests/nn/slow_mlp.h"

namespace icct {
namespace {

TEST(Adam, FollowsThePaper) {
  Rng rng(1);
  const std::size_t size = 37;
  std::vector<float> p(size), g(size);
  fill_random<float>(p, rng);
  Adam adam(size);
  SlowAdam slow(size);
  std::vector<double> slow_p(p.begin(), p.end());
  for (int t = 0; t < 50; ++t) {
    fill_random<float>(g, rng);
    adam.step(p, g, 0.01);
    slow.step(slow_p, {g.begin(), g.end()}, 0.01);
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_NEAR(static_cast<double>(p[i]), slow_p[i], 2e-6) << t;
  }
}

TEST(Adam, FirstStepIsTheLearningRate) {
  std::vector<float> p = {1, 1, 1}, g = {0.5f, -1e-3f, 0};
  Adam adam(3);
  adam.step(p, g, 0.1);
  EXPECT_NEAR(p[0], 0.9, 1e-6);
  EXPECT_NEAR(p[1], 1.1, 1e-5);
  EXPECT_EQ(p[2], 1);
}

TEST(Adam, SmoothingIsTheSameStepAndATargetThatFollows) {
  Rng rng(2);
  std::vector<float> p(19), q, g(19), target(19, 0.5f);
  fill_random<float>(p, rng);
  fill_random<float>(g, rng);
  q = p;
  Adam one(19), two(19);
  one.step(p, g, 0.01);
  two.step_and_smooth(q, g, 0.01, target, 0.25);
  EXPECT_EQ(p, q);
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_NEAR(target[i], 0.75 * 0.5 + 0.25 * static_cast<double>(p[i]), 1e-6);
}

TEST(FlushDenormals, LastsAsLongAsItLives) {
  volatile float tiny = 1e-38f;
  {
    const FlushDenormals flush;
    const float product = tiny * 0.01f;
    EXPECT_EQ(product, 0);
  }
  const float product = tiny * 0.01f;
  EXPECT_GT(product, 0);
}

}  // namespace
}  // namespace icct
