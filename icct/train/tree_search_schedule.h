#pragma once

#include <cstddef>
#include <span>

#include "icct/search/race.h"

namespace icct {

// What differs between recipes of a tree search.
struct TreeSearchSchedule {
  double prune, choose, grow, trim;  // when stages end at the latest, as shares of the budget
  bool from_constant;                // no first leaf of all features: terms are added one by one
  std::span<const RaceRound> grow_rounds;  // of a race of changes
  double episodes_per_change;              // in the mean of such a race
  bool all_additions;                      // each race tries every term that can be added
  bool look_around;  // features that the tree never sees change are tried as random actions meet
                     // them
  bool every_kind;   // the best change of every kind is searched before one is chosen
  int episodes_after_grow;  // at least, per candidate of the search that follows
  double step_after_grow;   // the first of that search
  int episodes_in_polish;   // at least, per candidate of first and last searches
  bool nudge;               // numbers change one at a time (nudges.h), never all at once
};

// `from_tree`: there is a tree to begin with.
TreeSearchSchedule schedule_for(std::size_t observations, int features, bool from_tree);

}  // namespace icct
