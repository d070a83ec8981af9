#include "icct/tree/leaf_regions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/base/rng.h"

namespace icct {
namespace {

Tree constant(double value) {
  return make_leaf({{.bias = value}});
}

// A random uneven tree over three features with few distinct thresholds, so that paths test a
// feature twice and tie.
Tree random_tree(int levels, Rng& rng) {
  if (levels == 0 || rng.uniform() < 0.2) return constant(rng.uniform());
  const Tree yes = random_tree(levels - 1, rng);
  const Tree no = random_tree(levels - 1, rng);
  const int feature = rng.below(3);
  const double threshold = rng.below(5) - 2;
  return rng.uniform() < 0.5 ? make_split(feature, threshold, yes, no)
                             : make_split_less(feature, threshold, yes, no);
}

bool contains(const LeafRegion& region, std::span<const double> x) {
  for (const auto& [feature, interval] : region.conditions) {
    if (!interval.contains(x[static_cast<std::size_t>(feature)])) return false;
  }
  return true;
}

TEST(LeafRegions, ASingleLeafHasNoConditions) {
  const auto regions = leaf_regions(constant(1));
  ASSERT_EQ(regions.size(), 1U);
  EXPECT_TRUE(regions[0].conditions.empty());
  EXPECT_FALSE(regions[0].empty());
}

TEST(LeafRegions, YesKeepsTheThresholdAndNoLosesIt) {
  const auto at_least = leaf_regions(make_split(0, 2, constant(1), constant(0)));
  EXPECT_EQ(at_least[0].conditions[0].interval, (Interval{.lower = 2}));
  EXPECT_EQ(at_least[1].conditions[0].interval, (Interval{.upper = 2, .upper_open = true}));
  const auto at_most = leaf_regions(make_split_less(0, 2, constant(1), constant(0)));
  EXPECT_EQ(at_most[0].conditions[0].interval, (Interval{.upper = 2}));
  EXPECT_EQ(at_most[1].conditions[0].interval, (Interval{.lower = 2, .lower_open = true}));
}

TEST(LeafRegions, ContradictionsAreEmpty) {
  // x >= 2, then x <= 1; and x >= 2, then "no" of x >= 2.
  const Tree tree = make_split(0, 2, make_split_less(0, 1, constant(1), constant(2)), constant(3));
  EXPECT_TRUE(leaf_regions(tree)[0].empty());
  EXPECT_FALSE(leaf_regions(tree)[1].empty());
  EXPECT_TRUE(
      leaf_regions(make_split(0, 2, make_split(0, 2, constant(1), constant(2)), constant(3)))[1]
          .empty());
}

TEST(LeafRegions, NoNumberLiesBetweenNeighbouringDoubles) {
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_TRUE(
      (Interval{.lower = 1, .upper = next, .lower_open = true, .upper_open = true}).empty());
  EXPECT_FALSE((Interval{.lower = 1, .upper = next, .lower_open = true}).empty());
}

TEST(LeafRegions, ExactlyOneRegionHoldsAnObservationAndItIsTheLeafReached) {
  Rng rng(7);
  for (int round = 0; round < 300; ++round) {
    const Tree tree = random_tree(5, rng);
    const auto regions = leaf_regions(tree);
    EXPECT_EQ(regions.size(), tree.leaves.size());
    for (int i = 0; i < 50; ++i) {
      std::vector<double> x;
      for (int j = 0; j < 3; ++j) {
        const double grid = rng.below(7) - 3;
        x.push_back(rng.uniform() < 0.3 ? std::nextafter(grid, rng.uniform() < 0.5 ? -9 : 9)
                                        : grid);
      }
      for (const LeafRegion& region : regions)
        EXPECT_EQ(contains(region, x), region.leaf == find_leaf(tree, x));
    }
  }
}

}  // namespace
}  // namespace icct
