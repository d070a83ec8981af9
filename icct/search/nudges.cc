#include "icct/search/nudges.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>

#include "icct/base/check.h"
#include "icct/base/number.h"
#include "icct/search/active_numbers.h"
#include "icct/search/changes.h"

namespace icct {
namespace {

constexpr double kSteps[] = {-0.5, -0.15, -0.05, 0.05, 0.15, 0.5};
constexpr double kOfItself = 0.1;

}  // namespace

std::vector<Change> number_changes(const Policy& policy, std::span<const double> feature_spread,
                                   int count, Rng& rng) {
  const std::vector<double> numbers = active_numbers(tree_of(policy));
  const std::vector<double> scales = active_scales(tree_of(policy), feature_spread);
  std::vector<std::size_t> nudges(numbers.size() * std::size(kSteps));
  std::iota(nudges.begin(), nudges.end(), std::size_t{0});
  std::vector<Change> changes;
  for (const std::size_t nudge : sample(std::move(nudges), count, rng)) {
    const std::size_t i = nudge / std::size(kSteps);
    std::vector<double> moved = numbers;
    moved[i] +=
        kSteps[nudge % std::size(kSteps)] * std::max(scales[i], kOfItself * std::abs(numbers[i]));
    changes.push_back({with_active_numbers(policy, moved), "number " + std::to_string(i) + ": " +
                                                               rounded_text(numbers[i], 4) +
                                                               " -> " + rounded_text(moved[i], 4)});
  }
  return changes;
}

std::vector<Change> put_together(const Policy& present, std::span<const Winner> winners) {
  const std::vector<double> before = active_numbers(tree_of(present));
  std::vector<double> numbers = before;
  std::vector<Change> changes;
  for (const Winner& winner : winners) {
    if (!gained(winner)) continue;
    const std::vector<double> moved = active_numbers(tree_of(winner.policy));
    ICCT_CHECK(moved.size() == before.size());
    const auto [was, is] = std::ranges::mismatch(before, moved);
    const auto place = static_cast<std::size_t>(was - before.begin());
    if (place == before.size() || numbers[place] != before[place]) continue;
    numbers[place] = *is;
    changes.push_back({with_active_numbers(present, numbers),
                       changes.empty() ? winner.what : changes.back().what + ", " + winner.what});
  }
  return changes;
}

}  // namespace icct
