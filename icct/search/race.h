#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/rollout/workers.h"

namespace icct {

// A policy that differs from the present one in a single place.
struct Change {
  Policy policy;
  std::string what;  // e.g. "leaf0: split at height >= 0.3"
  int kind = 0;      // changes are compared with those of their kind, such as terms of one action
};

// A change that is left at the end of a race.
struct Winner : Change {
  double gain = 0;        // its mean return minus that of the present policy, on the same episodes
  double gain_error = 0;  // standard error of that difference
};

// More than luck, probably.
inline bool gained(const Winner& winner) {
  return winner.gain > winner.gain_error;
}

struct RaceResult {
  std::vector<Winner> winners;  // at least one of every kind, the best of all first
  std::int64_t steps = 0;
  std::int64_t episodes = 0;
};

// How many episodes are played, and what share of the changes of every kind survives each round.
struct RaceRound {
  int episodes;
  double kept;
};

// Plays the present policy and all changes on the same training episodes, in rounds: changes that
// do worse leave early, so most episodes go to those that matter. An episode that anybody loses
// counts for nobody. `changes` must not be empty. Throws Error if all episodes are lost.
// Depends on the arguments alone, never on the number of workers.
RaceResult race(Workers& workers, const Policy& present, std::vector<Change> changes,
                std::span<const RaceRound> rounds, std::uint64_t seed, std::uint64_t first_episode);

}  // namespace icct
