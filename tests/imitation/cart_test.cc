#include "icct/imitation/cart.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/complaint.h"
#include "tests/imitation/random_samples.h"

namespace icct {
namespace {

// Samples of one feature and one output.
OwnedSamples line(const std::vector<double>& x, const std::vector<double>& y) {
  return {1, 1, x, y, {}};
}

double error(const Tree& tree, const Samples& samples) {
  double sum = 0;
  for (int i = 0; i < samples.x.rows; ++i) {
    const Leaf& leaf = tree.leaves[find_leaf(tree, samples.x.row(i))];
    for (int k = 0; k < samples.y.columns; ++k)
      sum += std::pow(leaf.controllers[k].bias - samples.y(i, k), 2);
  }
  return sum;
}

// The smallest squared error that any single split leaves, by trying all of them.
double best_error_by_hand(const Samples& samples) {
  double best = std::numeric_limits<double>::max();
  for (int feature = 0; feature < samples.x.columns; ++feature) {
    for (int i = 0; i < samples.x.rows; ++i) {
      const double threshold = samples.x(i, feature);
      double total = 0;
      for (int k = 0; k < samples.y.columns; ++k) {
        for (const bool side : {false, true}) {
          double n = 0, sum = 0, squares = 0;
          for (int j = 0; j < samples.x.rows; ++j) {
            if ((samples.x(j, feature) <= threshold) != side) continue;
            n += 1;
            sum += samples.y(j, k);
            squares += samples.y(j, k) * samples.y(j, k);
          }
          if (n > 0) total += squares - sum * sum / n;
        }
      }
      best = std::min(best, total);
    }
  }
  return best;
}

TEST(FitCart, SplitsHalfwayBetweenTheSamplesItTellsApart) {
  const OwnedSamples samples = line({1, 2, 5, 6}, {0, 0, 3, 5});
  const Tree tree = fit_cart(samples.view(), {.max_leaves = 2});
  EXPECT_EQ(tree, make_split_less(0, 3.5, make_leaf({{.bias = 0}}), make_leaf({{.bias = 4}})));
}

TEST(FitCart, GrowsWhereTheErrorFallsMost) {
  const OwnedSamples samples = line({0, 1, 2, 3, 4, 5}, {0, 0, 10, 10, 11, 11});
  const Tree three = fit_cart(samples.view(), {.max_leaves = 3});
  ASSERT_EQ(three.leaves.size(), 3U);
  EXPECT_EQ(error(three, samples.view()), 0);
  const Tree two = fit_cart(samples.view(), {.max_leaves = 2});
  EXPECT_EQ(two.splits[0].threshold, 1.5);
  EXPECT_NEAR(error(two, samples.view()), 1, 1e-12);
}

TEST(FitCart, FindsTheBestSplitOfAllInDataWithTies) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const OwnedSamples samples =
        random_samples(5 + static_cast<int>(seed), 3, 1 + static_cast<int>(seed % 3), 4, seed);
    const Tree tree = fit_cart(samples.view(), {.max_leaves = 2});
    EXPECT_NEAR(error(tree, samples.view()), best_error_by_hand(samples.view()), 1e-9) << seed;
  }
}

TEST(FitCart, WithoutLimitsReproducesEverySampleThatCanBeToldApart) {
  const OwnedSamples samples = random_samples(500, 3, 2, 0, 1);
  EXPECT_NEAR(error(fit_cart(samples.view(), {}), samples.view()), 0, 1e-20);
}

TEST(FitCart, KeepsEveryLimit) {
  const OwnedSamples samples = random_samples(400, 4, 2, 0, 2);
  EXPECT_LE(depth(fit_cart(samples.view(), {.max_depth = 3})), 3);
  EXPECT_EQ(fit_cart(samples.view(), {.max_depth = 0}).leaves.size(), 1U);
  EXPECT_EQ(fit_cart(samples.view(), {.max_leaves = 17}).leaves.size(), 17U);
  const Tree large = fit_cart(samples.view(), {.min_leaf_samples = 30});
  std::vector<int> counts(large.leaves.size());
  for (int i = 0; i < 400; ++i) ++counts[find_leaf(large, samples.view().x.row(i))];
  EXPECT_GT(counts.size(), 4U);
  for (const int count : counts) EXPECT_GE(count, 30);
}

TEST(FitCart, PruningTakesLeavesThatSaveLittle) {
  const OwnedSamples samples = random_samples(300, 3, 1, 0, 3);
  std::size_t leaves = fit_cart(samples.view(), {}).leaves.size();
  for (const double pruning : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const Tree tree = fit_cart(samples.view(), {.pruning = pruning});
    validate(tree, 3, 1);
    EXPECT_LT(tree.leaves.size(), leaves) << pruning;
    leaves = tree.leaves.size();
  }
  EXPECT_EQ(fit_cart(samples.view(), {.pruning = 1e6}).leaves.size(), 1U);
}

TEST(FitCart, AWeightOfTwoIsTheSampleTwice) {
  OwnedSamples weighted = random_samples(60, 2, 2, 5, 4);
  OwnedSamples twice = weighted;
  for (int i = 0; i < 60; ++i) {
    weighted.weights.push_back(i % 3 == 0 ? 2 : 1);
    if (i % 3 != 0) continue;
    for (int j = 0; j < 2; ++j) {
      twice.x.push_back(weighted.x[static_cast<std::size_t>(2 * i + j)]);
      twice.y.push_back(weighted.y[static_cast<std::size_t>(2 * i + j)]);
    }
  }
  const Tree a = fit_cart(weighted.view(), {.max_leaves = 6});
  const Tree b = fit_cart(twice.view(), {.max_leaves = 6});
  ASSERT_EQ(a.splits.size(), b.splits.size());
  for (std::size_t i = 0; i < a.splits.size(); ++i) EXPECT_EQ(a.splits[i], b.splits[i]);
  for (std::size_t i = 0; i < a.leaves.size(); ++i)
    EXPECT_NEAR(a.leaves[i].controllers[0].bias, b.leaves[i].controllers[0].bias, 1e-12);
}

TEST(FitCart, ConstantOutputsAndSingleSamplesGiveOneLeaf) {
  OwnedSamples constant = random_samples(50, 3, 2, 0, 5);
  for (double& y : constant.y) y = 0.1;
  const Tree tree = fit_cart(constant.view(), {});
  ASSERT_EQ(tree.leaves.size(), 1U);
  EXPECT_NEAR(tree.leaves[0].controllers[1].bias, 0.1, 1e-16);
  EXPECT_EQ(fit_cart(line({3}, {4}).view(), {}), make_leaf({{.bias = 4}}));
  // Nothing to tell the samples apart by.
  EXPECT_EQ(fit_cart(line({3, 3}, {4, 6}).view(), {}), make_leaf({{.bias = 5}}));
}

TEST(FitCart, TellsNeighbouringDoublesApart) {
  const double next = std::nextafter(1.0, 2.0);
  const OwnedSamples samples = line({1, next, -0.0, 0.0}, {1, 2, 5, 5});
  EXPECT_EQ(error(fit_cart(samples.view(), {}), samples.view()), 0);
}

TEST(FitCart, SaysWhatIsWrongWithTheSamples) {
  const auto complaint_of = [](const Samples& samples) {
    return complaint([&] { fit_cart(samples, {}); });
  };
  const OwnedSamples none = line({}, {});
  EXPECT_EQ(complaint_of(none.view()),
            "there are no samples; a tree needs at least one to be fitted to");
  const OwnedSamples nan = line({1, NAN}, {1, 2});
  EXPECT_EQ(complaint_of(nan.view()),
            "sample 1: feature 0 is nan; a tree can be fitted to finite numbers only");
  const OwnedSamples infinite = line({1, 2}, {HUGE_VAL, 2});
  EXPECT_NE(complaint_of(infinite.view()).find("sample 0: output 0 is inf"), std::string::npos);
  OwnedSamples weightless = line({1, 2}, {1, 2});
  weightless.weights = {1, 0};
  EXPECT_NE(complaint_of(weightless.view()).find("sample 1: its weight is 0"), std::string::npos);
  weightless.weights = {1};
  EXPECT_NE(complaint_of(weightless.view()).find("as many of each"), std::string::npos);
}

TEST(FitCart, SaysWhatIsWrongWithTheOptions) {
  const OwnedSamples samples = line({1, 2}, {1, 2});
  const auto complaint_of = [&](const CartOptions& options) {
    return complaint([&] { fit_cart(samples.view(), options); });
  };
  EXPECT_EQ(complaint_of({.max_leaves = -1}), "option 'max_leaves' is -1; it must be at least 0");
  EXPECT_NE(complaint_of({.max_depth = 1001}).find("'max_depth' is 1001"), std::string::npos);
  EXPECT_NE(complaint_of({.min_leaf_samples = 0}).find("'min_leaf_samples'"), std::string::npos);
  EXPECT_NE(complaint_of({.pruning = NAN}).find("'pruning' is nan"), std::string::npos);
}

}  // namespace
}  // namespace icct
