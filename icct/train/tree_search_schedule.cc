#include "icct/train/tree_search_schedule.h"

#include "icct/search/active_numbers.h"

namespace icct {
namespace {

constexpr std::size_t kMany = 16;  // observations
constexpr RaceRound kRounds[] = {{4, 0.2}, {12, 0.25}, {40, 0.3}, {120, 0}};
constexpr RaceRound kRoundsOfMany[] = {{1, 0.25}, {3, 0.3}, {8, 0.3}, {24, 0}};

constexpr TreeSearchSchedule kAllFeatures = {.rounds = 0,
                                             .in_rounds = 0,
                                             .start = 0.25,
                                             .prune = 0.5,
                                             .choose = 0.5,
                                             .grow = 0.65,
                                             .trim = 0.7,
                                             .from_constant = false,
                                             .grow_rounds = kRounds,
                                             .episodes_per_change = 10,
                                             .all_additions = false,
                                             .largest_race = 0.25,
                                             .look_around = false,
                                             .every_kind = false,
                                             .episodes_after_grow = 8,
                                             .step_after_grow = 0.1,
                                             .episodes_in_polish = 8,
                                             .step_in_polish = 0.1,
                                             .search = {}};

// Leaves of few features need many splits, and nothing to trim.
constexpr TreeSearchSchedule few_features() {
  TreeSearchSchedule schedule = kAllFeatures;
  schedule.prune = 0.35;
  schedule.choose = 0.55;
  schedule.grow = 0.8;
  schedule.trim = 0;
  return schedule;
}

// With many observations, most of them of no use, a search of all at once gets nowhere.
constexpr TreeSearchSchedule kManyObservations = {.rounds = 0,
                                                  .in_rounds = 0,
                                                  .start = 0,
                                                  .prune = 0,
                                                  .choose = 0,
                                                  .grow = 0.7,
                                                  .trim = 0.75,
                                                  .from_constant = true,
                                                  .grow_rounds = kRoundsOfMany,
                                                  .episodes_per_change = 2.5,
                                                  .all_additions = true,
                                                  .largest_race = 0.5,
                                                  .look_around = true,
                                                  .every_kind = true,
                                                  .episodes_after_grow = 2,
                                                  .step_after_grow = 0.3,
                                                  .episodes_in_polish = 2,
                                                  .step_in_polish = 0.1,
                                                  .search = {}};

// A tree to begin with has its structure already: most of the budget is for its numbers.
TreeSearchSchedule from_tree_of_many(const Tree& start, std::int64_t budget, int max_steps) {
  TreeSearchSchedule schedule = kManyObservations;
  schedule.rounds = 2;
  schedule.in_rounds = 0.85;
  schedule.grow = 0.88;
  schedule.trim = 0.88;
  schedule.largest_race = 0.05;
  schedule.step_after_grow = 0.1;
  schedule.episodes_in_polish = 5;
  schedule.step_in_polish = 0.03;
  schedule.search.steps =
      static_cast<std::int64_t>(schedule.in_rounds * static_cast<double>(budget));
  schedule.search.min_episodes = schedule.episodes_in_polish;
  make_the_most(schedule.search, active_numbers(start).size(), max_steps);
  return schedule;
}

}  // namespace

TreeSearchSchedule schedule_for(std::size_t observations, int features,
                                const std::optional<Tree>& start, std::int64_t budget,
                                int max_steps) {
  if (observations > kMany && start) return from_tree_of_many(*start, budget, max_steps);
  if (observations > kMany) return kManyObservations;
  return features < static_cast<int>(observations) ? few_features() : kAllFeatures;
}

}  // namespace icct
