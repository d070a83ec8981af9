#include "icct/imitation/model_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/imitation/moments.h"
#include "tests/complaint.h"
#include "tests/imitation/random_samples.h"

namespace icct {
namespace {

// What `function` gives at random inputs of `features` features.
template <class Function>
OwnedSamples sampled(int rows, int features, int outputs, const Function& function) {
  OwnedSamples samples = random_samples(rows, features, outputs, 0, 7);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < outputs; ++k)
      samples.y[static_cast<std::size_t>(i * outputs + k)] = function(samples.view().x.row(i), k);
  }
  return samples;
}

double mean_error(const Tree& tree, const Samples& samples, Link link) {
  double sum = 0;
  for (int i = 0; i < samples.x.rows; ++i) {
    const Leaf& leaf = tree.leaves[find_leaf(tree, samples.x.row(i))];
    for (int k = 0; k < samples.y.columns; ++k) {
      const double output = evaluate(leaf.controllers[k], samples.x.row(i));
      sum += std::pow((link == Link::Tanh ? std::tanh(output) : output) - samples.y(i, k), 2);
    }
  }
  return sum / static_cast<double>(samples.y.size());
}

TEST(FitModelTree, FindsTheSparseControllersOfEitherSide) {
  const OwnedSamples samples = sampled(4000, 4, 2, [](std::span<const double> x, int k) {
    if (k == 1) return 0.5 - 3 * x[3];
    return x[1] <= 0 ? 1 + 2 * x[0] : 4 - x[2] + 0.5 * x[0];
  });
  const Tree tree = fit_model_tree(samples.view(), {.max_leaves = 2, .max_terms = 2});
  ASSERT_EQ(tree.splits.size(), 1U);
  EXPECT_EQ(tree.splits[0].feature, 1);
  EXPECT_NEAR(tree.splits[0].threshold, 0, 0.05);
  const Controller& below = tree.leaves[0].controllers[0];
  ASSERT_FALSE(below.terms.empty());
  EXPECT_EQ(below.terms[0].feature, 0);
  EXPECT_NEAR(below.terms[0].gain, 2, 0.05);
  EXPECT_NEAR(below.bias, 1, 0.1);
}

TEST(FitModelTree, ALinearFunctionNeedsOneLeaf) {
  const OwnedSamples samples =
      sampled(500, 3, 1, [](std::span<const double> x, int) { return 1000 + 2 * x[0] - 5 * x[2]; });
  const Tree tree = fit_model_tree(samples.view(), {.max_leaves = 8, .max_terms = 2});
  ASSERT_EQ(tree.leaves.size(), 1U);
  const Controller& controller = tree.leaves[0].controllers[0];
  ASSERT_EQ(controller.terms.size(), 2U);
  EXPECT_EQ(controller.terms[1].feature, 2);
  EXPECT_NEAR(controller.terms[1].gain, -5, 1e-4);
  EXPECT_NEAR(controller.bias, 1000, 1e-3);
}

TEST(FitModelTree, WhatIsConstantGetsNoTerms) {
  for (const Link link : {Link::Identity, Link::Tanh}) {
    OwnedSamples samples = sampled(500, 3, 1, [](std::span<const double>, int) { return -0.997; });
    const Tree tree = fit_model_tree(samples.view(), {.max_terms = 2, .link = link});
    ASSERT_EQ(tree.leaves.size(), 1U);
    EXPECT_TRUE(tree.leaves[0].controllers[0].terms.empty());
  }
}

TEST(FitModelTree, KeepsEveryLimit) {
  const OwnedSamples samples = random_samples(2000, 5, 2, 0, 3);
  for (int terms = 0; terms <= 5; ++terms) {
    const Tree tree = fit_model_tree(
        samples.view(),
        {.max_leaves = 6, .max_terms = terms, .max_depth = 3, .min_leaf_samples = 100});
    validate(tree, 5, 2);
    EXPECT_LE(tree.leaves.size(), 6U);
    EXPECT_GT(tree.leaves.size(), 2U);
    EXPECT_LE(depth(tree), 3);
    std::vector<int> counts(tree.leaves.size());
    for (int i = 0; i < 2000; ++i) ++counts[find_leaf(tree, samples.view().x.row(i))];
    for (std::size_t leaf = 0; leaf < counts.size(); ++leaf) {
      EXPECT_GE(counts[leaf], 100);
      for (const Controller& controller : tree.leaves[leaf].controllers)
        EXPECT_LE(static_cast<int>(controller.terms.size()), terms);
    }
  }
}

// Of a feature that is 0 or 1, however rare one of them is.
TEST(FitModelTree, SplitsARareValueOffOnEitherEnd) {
  for (const int rare : {0, 1}) {
    OwnedSamples samples = random_samples(1000, 2, 1, 0, 7);
    for (std::size_t i = 0; i < 1000; ++i) {
      const double bit = i % 50 == 0 ? rare : 1 - rare;
      const double x = samples.x[2 * i];
      samples.x[2 * i + 1] = bit;
      samples.y[i] = bit == rare ? 3 * x : -x;
    }
    const Tree tree = fit_model_tree(samples.view(), {.max_leaves = 2, .max_terms = 1});
    ASSERT_EQ(tree.splits.size(), 1U);
    EXPECT_EQ(tree.splits[0].feature, 1) << rare;
    EXPECT_EQ(tree.splits[0].threshold, 0.5) << rare;
  }
}

TEST(FitModelTree, MoreLeavesNeverFitWorse) {
  const OwnedSamples samples =
      sampled(3000, 2, 1, [](std::span<const double> x, int) { return std::sin(2 * x[0]) * x[1]; });
  double before = 1e9;
  for (const int leaves : {1, 2, 4, 8, 16}) {
    const Tree tree = fit_model_tree(samples.view(), {.max_leaves = leaves, .max_terms = 2});
    const double error = mean_error(tree, samples.view(), Link::Identity);
    EXPECT_LT(error, before) << leaves;
    before = error;
  }
}

TEST(FitModelTree, RecoversASaturatedController) {
  const OwnedSamples samples = sampled(3000, 3, 1, [](std::span<const double> x, int) {
    return std::tanh(0.5 + 6 * x[0] - 4 * x[2]);
  });
  const Tree tree =
      fit_model_tree(samples.view(), {.max_leaves = 1, .max_terms = 2, .link = Link::Tanh});
  EXPECT_LT(mean_error(tree, samples.view(), Link::Tanh), 1e-4);
  EXPECT_NEAR(tree.leaves[0].controllers[0].terms[0].gain, 6, 0.5);
}

TEST(FitModelTree, AwkwardSamplesGiveAFiniteTree) {
  OwnedSamples samples = random_samples(200, 4, 1, 0, 9);
  for (int i = 0; i < 200; ++i) {
    samples.x[static_cast<std::size_t>(4 * i + 1)] = 2 * samples.x[static_cast<std::size_t>(4 * i)];
    samples.x[static_cast<std::size_t>(4 * i + 2)] = 1e9;  // constant
    samples.x[static_cast<std::size_t>(4 * i + 3)] *= 1e-9;
  }
  EXPECT_NO_THROW(validate(fit_model_tree(samples.view(), {.max_terms = 4}), 4, 1));
  const OwnedSamples one = {2, 1, {3, 4}, {5}, {}};
  const Tree tree = fit_model_tree(one.view(), {});
  ASSERT_EQ(tree.leaves.size(), 1U);
  EXPECT_EQ(evaluate(tree.leaves[0].controllers[0], one.x), 5);
  for (double& y : samples.y) y = 0.25;
  EXPECT_EQ(fit_model_tree(samples.view(), {}).leaves.size(), 1U);
}

TEST(FitModelTree, SaysWhatIsWrong) {
  OwnedSamples samples = random_samples(10, 2, 1, 0, 1);
  EXPECT_EQ(complaint([&] { fit_model_tree(samples.view(), {.max_leaves = 0}); }),
            "option 'max_leaves' is 0; it must be at least 1");
  samples.y[3] = NAN;
  EXPECT_NE(
      complaint([&] { fit_model_tree(samples.view(), {}); }).find("sample 3: output 0 is nan"),
      std::string::npos);
}

// The best pair that greedy steps miss: y depends on the difference of two similar features.
TEST(FitExchanged, FindsWhatTheGreedyChoiceMisses) {
  Rng rng(3);
  Moments moments(3);
  for (int i = 0; i < 2000; ++i) {
    const double common = rng.normal();
    const double y = rng.normal();
    const std::vector<double> x = {common + 0.5 * y, common - 0.5 * y,
                                   0.9 * y + 0.6 * rng.normal()};
    moments.add(x, y, 1);
  }
  const LinearFit greedy = fit_forward(moments, 2);
  const LinearFit exchanged = fit_exchanged(moments, 2);
  EXPECT_EQ(greedy.controller.terms[1].feature, 2);
  EXPECT_GT(greedy.squared_error, 10);
  EXPECT_EQ(exchanged.controller.terms[0].feature, 0);
  EXPECT_EQ(exchanged.controller.terms[1].feature, 1);
  EXPECT_LT(exchanged.squared_error, 0.1);
}

}  // namespace
}  // namespace icct
