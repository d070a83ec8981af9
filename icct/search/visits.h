#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

using LeafVisits = std::vector<std::vector<double>>;  // [visit][feature]

inline constexpr int kNever = std::numeric_limits<int>::max();

// Observations that a policy met, by the leaf that answered them.
struct Visits {
  std::vector<LeafVisits> by_leaf;
  std::vector<int> first_step = {};  // of an episode in which each leaf answered; kNever
  std::vector<int> moved = {};       // by action, see moved_features; empty if that is not known
};

// Of one feature in the observations that a leaf met.
struct MeanAndSpread {
  double mean = 0;
  double spread = 0;  // standard deviation
};
MeanAndSpread mean_and_spread(const LeafVisits& visits, std::size_t feature);

// From kVisitEpisodes training episodes, or their first `horizon` steps, beginning with number
// `first_episode` of the run.
inline constexpr int kVisitEpisodes = 10;
Visits visits(Environment& environment, const Policy& policy, std::uint64_t seed,
              std::uint64_t first_episode, int horizon = kToTheEnd);

// How long these episodes were in the mean.
double steps_per_episode(const Visits& met);

// What random actions meet in as many episodes, by the leaf that would have answered.
Visits random_visits(Environment& environment, const Policy& policy, std::uint64_t seed,
                     std::uint64_t first_episode);

// Whether some leaf, met at all, has seen a feature with one value only.
bool has_constant_features(const Visits& visits);

// Gives every such feature the values that the leaf met in `others`. The lane of a car that never
// leaves it, say: what would depend on it can be tried only when the other lane is known of.
void replace_constant_features(Visits& visits, const Visits& others);

}  // namespace icct
