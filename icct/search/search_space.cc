#include "icct/search/search_space.h"

#include <algorithm>
#include <numeric>

#include "icct/base/check.h"
#include "icct/search/active_numbers.h"

namespace icct {
namespace {

constexpr double kFlattest = 0.3, kSteepest = 3;  // outputs, by standard deviation, that count

// Numbers with the output at the pivots in the place of every bias, or back (`sign` -1).
std::vector<double> turned(const Tree& tree, std::span<const double> pivots, double sign,
                           std::vector<double> numbers) {
  std::size_t i = tree.splits.size();
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers) {
      const std::size_t bias = i++;
      for (std::size_t term = 0; term < controller.terms.size(); ++term, ++i)
        numbers[bias] += sign * numbers[i] * pivots[i];
    }
  }
  ICCT_CHECK(i == numbers.size());
  return numbers;
}

// Of what a leaf meets; of a feature that hardly varies there, and of a leaf that meets nothing,
// what is usual everywhere.
MeanAndSpread local(const LeafVisits& met, std::span<const MeanAndSpread> everywhere, int index) {
  constexpr double kHardly = 0.01;
  const auto feature = static_cast<std::size_t>(index);
  const MeanAndSpread usual = everywhere[feature];
  MeanAndSpread result = met.empty() ? usual : mean_and_spread(met, feature);
  if (result.spread < kHardly * usual.spread) result.spread = usual.spread;
  if (!(result.spread > 0)) result.spread = 1;
  return result;
}

double steepness(const Controller& controller, const LeafVisits& met) {
  if (met.empty() || controller.terms.empty()) return 1;
  LeafVisits outputs;
  for (const auto& x : met) outputs.push_back({evaluate(controller, x)});
  return std::clamp(mean_and_spread(outputs, 0).spread, kFlattest, kSteepest);
}

// What all leaves below meet.
LeafVisits met_below(const Tree& tree, NodeRef ref, const Visits& visits) {
  const auto index = static_cast<std::size_t>(ref.index);
  if (ref.is_leaf) return visits.by_leaf[index];
  LeafVisits met = met_below(tree, tree.splits[index].yes, visits);
  const LeafVisits other = met_below(tree, tree.splits[index].no, visits);
  met.insert(met.end(), other.begin(), other.end());
  return met;
}

std::vector<std::uint64_t> all_of(std::size_t count) {
  std::vector<std::uint64_t> indices(count);
  std::iota(indices.begin(), indices.end(), std::uint64_t{0});
  return indices;
}

}  // namespace

SearchSpace even_space(const Tree& tree, std::span<const double> feature_spread) {
  SearchSpace space;
  space.scales = active_scales(tree, feature_spread);
  space.pivots.resize(space.scales.size());
  space.searched = all_of(space.scales.size());
  return space;
}

SearchSpace local_space(const Tree& tree, const Visits& visits) {
  SearchSpace space;
  const auto add = [&space](double scale, double pivot) {
    space.scales.push_back(scale);
    space.pivots.push_back(pivot);
  };
  const LeafVisits all = met_below(tree, tree.root, visits);
  std::vector<MeanAndSpread> everywhere;
  for (std::size_t j = 0; j < all.front().size(); ++j)
    everywhere.push_back(mean_and_spread(all, j));
  for (std::size_t s = 0; s < tree.splits.size(); ++s) {
    const LeafVisits met = met_below(tree, {static_cast<int>(s), false}, visits);
    add(local(met, everywhere, tree.splits[s].feature).spread, 0);
  }
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const LeafVisits& met = visits.by_leaf[leaf];
    for (const Controller& controller : tree.leaves[leaf].controllers) {
      const double steep = steepness(controller, met);
      add(steep, 0);
      for (const Term& term : controller.terms) {
        const auto [mean, spread] = local(met, everywhere, term.feature);
        add(steep / spread, mean);
      }
    }
  }
  space.searched = all_of(space.scales.size());
  return space;
}

void restrict_to(SearchSpace& space, const std::vector<bool>& searched) {
  std::erase_if(space.searched, [&](std::uint64_t i) { return !searched[i]; });
}

std::vector<double> coordinates(const SearchSpace& space, const Tree& tree) {
  const std::vector<double> numbers = turned(tree, space.pivots, 1, active_numbers(tree));
  std::vector<double> x;
  for (const std::uint64_t i : space.searched) x.push_back(numbers[i] / space.scales[i]);
  return x;
}

Policy policy_at(const SearchSpace& space, const Policy& start, std::span<const double> x) {
  const Tree& tree = tree_of(start);
  const std::vector<double> before = active_numbers(tree);
  std::vector<double> numbers = turned(tree, space.pivots, 1, before);
  for (std::size_t k = 0; k < x.size(); ++k)
    numbers[space.searched[k]] = x[k] * space.scales[space.searched[k]];
  numbers = turned(tree, space.pivots, -1, std::move(numbers));
  // Those that are left alone are left alone to the last bit.
  std::vector<bool> moved(numbers.size());
  for (const std::uint64_t i : space.searched) moved[i] = true;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!moved[i]) numbers[i] = before[i];
  }
  return with_active_numbers(start, numbers);
}

}  // namespace icct
