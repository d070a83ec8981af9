#include "icct/nn/mlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "icct/nn/batched_mlp.h"
#include "tests/nn/slow_mlp.h"

namespace icct {
namespace {

TEST(MlpShape, LaysWeightsAndBiasesOutLayerByLayer) {
  const Mlp<double> mlp({3, 4, 2});
  const double* start = mlp.parameters().data();
  EXPECT_EQ(mlp.parameters().size(), 3u * 4 + 4 + 4 * 2 + 2);
  EXPECT_EQ(mlp.weights(0).data, start);
  EXPECT_EQ(mlp.bias(0).data(), start + 12);
  EXPECT_EQ(mlp.weights(1).data, start + 16);
  EXPECT_EQ(mlp.weights(1).rows, 2);
  EXPECT_EQ(mlp.weights(1).columns, 4);
  EXPECT_EQ(mlp.bias(1).data(), start + 24);
}

TEST(Mlp, StartsUniformWithinTheRootOfItsInputs) {
  Rng rng(1);
  Mlp<double> mlp({100, 50, 1});
  initialise(mlp, rng);
  const auto weights = mlp.weights(0);
  const auto [low, high] = std::minmax_element(weights.data, weights.data + weights.size());
  EXPECT_GE(*low, -0.1);
  EXPECT_LE(*high, 0.1);
  EXPECT_LT(*low, -0.099);
  EXPECT_GT(*high, 0.099);
}

TEST(Mlp, EvaluatesAsOnPaper) {
  Rng rng(2);
  Mlp<double> mlp({5, 7, 3, 2});
  initialise(mlp, rng);
  SlowMlp slow(mlp.sizes(), mlp.parameters());
  std::vector<double> x(5);
  fill_random<double>(x, rng);
  const auto expected = slow.forward(x);
  const auto actual = evaluate(mlp, x);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-14);
}

// The sum of weighted outputs, as a function of everything.
double weighted_output(const Mlp<double>& mlp, const std::vector<double>& x, int rows,
                       const std::vector<double>& weights) {
  BatchedMlp<double> batched(mlp.sizes(), rows);
  const auto y = batched.forward(mlp, {x.data(), rows, mlp.sizes().front()});
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += weights[i] * y.data[i];
  return sum;
}

class MlpGradient : public testing::TestWithParam<std::vector<int>> {};

TEST_P(MlpGradient, MatchesFiniteDifferences) {
  Rng rng(3);
  Mlp<double> mlp(GetParam());
  initialise(mlp, rng);
  const int rows = 11;
  const auto inputs = static_cast<std::size_t>(mlp.sizes().front());
  const auto outputs = static_cast<std::size_t>(mlp.sizes().back());
  std::vector<double> x(rows * inputs), weights(rows * outputs);
  fill_random<double>(x, rng);
  fill_random<double>(weights, rng);
  BatchedMlp<double> batched(mlp.sizes(), rows);
  batched.forward(mlp, {x.data(), rows, mlp.sizes().front()});
  std::vector<double> d_parameters(mlp.parameters().size()), d_x(x.size());
  batched.backward(mlp, {weights.data(), rows, mlp.sizes().back()}, d_parameters,
                   {d_x.data(), rows, mlp.sizes().front()});
  const double h = 1e-6;
  const auto difference = [&](double& number) {
    const double before = number;
    number = before + h;
    const double above = weighted_output(mlp, x, rows, weights);
    number = before - h;
    const double below = weighted_output(mlp, x, rows, weights);
    number = before;
    return (above - below) / (2 * h);
  };
  for (std::size_t i = 0; i < d_parameters.size(); i += 1 + d_parameters.size() / 200)
    EXPECT_NEAR(d_parameters[i], difference(mlp.parameters()[i]), 1e-6) << i;
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(d_x[i], difference(x[i]), 1e-6) << i;
}

INSTANTIATE_TEST_SUITE_P(Sizes, MlpGradient,
                         testing::Values(std::vector{1, 1}, std::vector{3, 2}, std::vector{5, 1, 1},
                                         std::vector{4, 8, 8, 1}, std::vector{9, 17, 33, 3},
                                         std::vector{2, 5, 7, 3, 4}));

TEST(BatchedMlp, AddsToTheGradientsItIsGiven) {
  Rng rng(4);
  Mlp<double> mlp({3, 9, 2});
  initialise(mlp, rng);
  std::vector<double> x(6), d(4, 1.0);
  fill_random<double>(x, rng);
  BatchedMlp<double> batched(mlp.sizes(), 2);
  batched.forward(mlp, {x.data(), 2, 3});
  std::vector<double> once(mlp.parameters().size()), d_x(6);
  batched.backward(mlp, {d.data(), 2, 2}, once, {d_x.data(), 2, 3});
  std::vector<double> twice = once, d_x_twice = d_x;
  batched.backward(mlp, {d.data(), 2, 2}, twice, {d_x_twice.data(), 2, 3});
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-14);
  for (std::size_t i = 0; i < d_x.size(); ++i) EXPECT_NEAR(d_x_twice[i], 2 * d_x[i], 1e-14);
}

}  // namespace
}  // namespace icct
