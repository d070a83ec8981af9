#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/search/visits.h"

namespace icct {

// The coordinates in which the active numbers of a tree are searched, so that a step of one matters
// about as much in each of them.
struct SearchSpace {
  std::vector<double> scales;           // by active number: how far a step of one moves it
  std::vector<double> pivots;           // by active number, of gains: the value of the feature at
                                        // which the output stays while the gain changes
  std::vector<std::uint64_t> searched;  // the active numbers that have a coordinate, by index
};

// All numbers, each by a scale of its own (active_scales). Gains turn their controllers about 0.
SearchSpace even_space(const Tree& tree, std::span<const double> feature_spread);

// All numbers, as they matter where each leaf is visited: gains turn their controllers about what
// the leaf meets in the mean, so that they and the bias can be searched one by one, and steep
// controllers move farther than flat ones. Something must have been visited.
SearchSpace local_space(const Tree& tree, const Visits& visits);

// Only these numbers; one entry per active number.
void restrict_to(SearchSpace& space, const std::vector<bool>& searched);

// Where a tree is, and what is there: `start` with the numbers of a point.
std::vector<double> coordinates(const SearchSpace& space, const Tree& tree);
Policy policy_at(const SearchSpace& space, const Policy& start, std::span<const double> x);

}  // namespace icct
