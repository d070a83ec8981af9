#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "icct/base/rng.h"
#include "icct/search/race.h"
#include "icct/search/visits.h"

namespace icct {

// What to try next, each a small change of a tree. Of different kinds are splits, added terms and
// added terms of the feature that the action moves most; and all those of different actions.

// Split a leaf at a quantile of a feature that it met; on one side one action becomes a constant or
// is shifted, all else stays the same.
std::vector<Change> split_changes(const Policy& policy, const Visits& visits);

// Add a term of one more feature, to controllers with fewer than `max_terms`.
std::vector<Change> term_additions(const Policy& policy, const Visits& visits, int max_terms);

// Drop one term; its mean contribution joins the bias. Only from controllers with more than
// `min_terms`. The terms that move their action least come first.
std::vector<Change> term_removals(const Policy& policy, const Visits& visits, int min_terms);

// Replace a split by one of its branches.
std::vector<Change> split_removals(const Policy& policy);

// `count` of them drawn at random; all if there are fewer.
template <class T>
std::vector<T> sample(std::vector<T> items, int count, Rng& rng) {
  const std::size_t n = std::min(items.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < n; ++i)
    std::swap(items[i],
              items[i + static_cast<std::size_t>(rng.below(static_cast<int>(items.size() - i)))]);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(n), items.end());
  return items;
}

}  // namespace icct
