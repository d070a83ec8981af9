#pragma once

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
std::vector<Change> sample(std::vector<Change> changes, int count, Rng& rng);

}  // namespace icct
