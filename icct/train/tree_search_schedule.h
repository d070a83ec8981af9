#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "icct/search/evolve.h"
#include "icct/search/race.h"
#include "icct/tree/tree.h"

namespace icct {

// What differs between recipes of a tree search.
struct TreeSearchSchedule {
  int rounds;        // of searches of the parts of an episode, ending first
  double in_rounds;  // share of the budget
  // When stages end at the latest, as shares of the budget.
  double start, prune, choose, grow, trim;
  bool from_constant;  // no first leaf of all features: terms are added one by one
  std::span<const RaceRound> grow_rounds;  // of a race of changes
  double episodes_per_change;              // in the mean of such a race
  bool all_additions;                      // each race tries every term that can be added,
  double largest_race;                     // but never spends more than this share of the budget
  bool look_around;  // features that the tree never sees change are tried as random actions meet
                     // them
  bool every_kind;   // the best change of every kind is searched before one is chosen
  int episodes_after_grow;  // at least, per candidate of the search that follows
  double step_after_grow;   // the first of that search
  int episodes_in_polish;   // at least, per candidate of the last search, and of a start's
  double step_in_polish;    // the first of the last search
  EvolveOptions search;     // of the numbers, but for what the above and the budget say
};

// `start`: the tree to begin with, if there is one; `budget`: steps of the whole search, whose
// episodes have at most `max_steps`.
TreeSearchSchedule schedule_for(std::size_t observations, int features,
                                const std::optional<Tree>& start, std::int64_t budget,
                                int max_steps);

}  // namespace icct
