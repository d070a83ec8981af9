#include "icct/train/tree_search_schedule.h"

#include "icct/search/active_numbers.h"
#include "icct/search/cma_es.h"

namespace icct {
namespace {

constexpr std::size_t kMany = 16;  // observations
constexpr double kNumbersPerGeneration = 3;
constexpr RaceRound kRounds[] = {{4, 0.2}, {12, 0.25}, {40, 0.3}, {120, 0}};
constexpr RaceRound kRoundsOfMany[] = {{1, 0.25}, {3, 0.3}, {8, 0.3}, {24, 0}};

constexpr TreeSearchSchedule kAllFeatures = {.prune = 0.5,
                                             .choose = 0.5,
                                             .grow = 0.65,
                                             .trim = 0.7,
                                             .from_constant = false,
                                             .grow_rounds = kRounds,
                                             .episodes_per_change = 10,
                                             .all_additions = false,
                                             .look_around = false,
                                             .every_kind = false,
                                             .episodes_after_grow = 8,
                                             .step_after_grow = 0.1,
                                             .episodes_in_polish = 8,
                                             .nudge = false};

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
constexpr TreeSearchSchedule kManyObservations = {.prune = 0,
                                                  .choose = 0,
                                                  .grow = 0.7,
                                                  .trim = 0.75,
                                                  .from_constant = true,
                                                  .grow_rounds = kRoundsOfMany,
                                                  .episodes_per_change = 2.5,
                                                  .all_additions = true,
                                                  .look_around = true,
                                                  .every_kind = true,
                                                  .episodes_after_grow = 2,
                                                  .step_after_grow = 0.3,
                                                  .episodes_in_polish = 2,
                                                  .nudge = false};

// For a tree that has more numbers than can be searched at once in the time there is, and that must
// not be lost.
constexpr TreeSearchSchedule from_large_tree() {
  TreeSearchSchedule schedule = kManyObservations;
  schedule.grow = 0.6;
  schedule.trim = 0.7;
  schedule.all_additions = false;
  schedule.every_kind = false;
  schedule.nudge = true;
  return schedule;
}

// A search of all numbers at once learns something about a few of them in every generation.
bool too_many_numbers(const Tree& start, std::int64_t budget, int max_steps) {
  const std::size_t numbers = active_numbers(start).size();
  const double generation = static_cast<double>(default_population(numbers)) *
                            kManyObservations.episodes_in_polish * max_steps;
  const double generations = kStartShare * static_cast<double>(budget) / generation;
  return static_cast<double>(numbers) > kNumbersPerGeneration * generations;
}

}  // namespace

TreeSearchSchedule schedule_for(std::size_t observations, int features,
                                const std::optional<Tree>& start, std::int64_t budget,
                                int max_steps) {
  if (observations > kMany && start && too_many_numbers(*start, budget, max_steps))
    return from_large_tree();
  if (observations > kMany) return kManyObservations;
  return features < static_cast<int>(observations) ? few_features() : kAllFeatures;
}

}  // namespace icct
