#include "icct/train/affordable_changes.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "icct/train/tree_search.h"

namespace icct {
namespace {

// Shares of the budget.
constexpr double kRace = 0.04;      // of a race of many changes, about
constexpr double kRemovals = 0.25;  // of one of removals, at most

constexpr int kSplitsTried = 200;
constexpr int kAdditionsTried = 50;
constexpr double kEpisodesPerRemoval = 22;  // in the mean of a race

}  // namespace

std::vector<Change> affordable_removals(const Policy& policy, const Visits& met,
                                        const TreeSearchSchedule& schedule, std::int64_t budget,
                                        Rng& rng) {
  std::vector<Change> changes = term_removals(policy, met, 0);
  std::vector<Change> splits = split_removals(policy);
  const double cost = steps_per_episode(met) * kEpisodesPerRemoval;
  const double share = std::min(kRemovals, schedule.largest_race);
  const auto most =
      static_cast<std::size_t>(std::max(2.0, share * static_cast<double>(budget) / cost));
  if (changes.size() + splits.size() > most) {
    splits = sample(std::move(splits), static_cast<int>(most / 2), rng);
    changes.resize(std::min(changes.size(), most - splits.size()));
  }
  std::ranges::move(splits, std::back_inserter(changes));
  return changes;
}

std::vector<Change> affordable_growth(const Policy& policy, const Visits& met,
                                      const TreeSearchSchedule& schedule,
                                      const TreeSearchOptions& options, Rng& rng) {
  const auto budget = static_cast<double>(options.steps);
  const double cost = steps_per_episode(met) * schedule.episodes_per_change;
  const double share = std::min(1.0, kRace * budget / (cost * (kSplitsTried + kAdditionsTried)));
  const auto count = [share](int full) { return static_cast<int>(std::ceil(share * full)); };
  std::vector<Change> changes = term_additions(policy, met, options.features);
  const int additions = schedule.all_additions
                            ? static_cast<int>(schedule.largest_race * budget / cost)
                            : count(kAdditionsTried);
  if (!schedule.all_additions || static_cast<int>(changes.size()) > additions)
    changes = sample(std::move(changes), additions, rng);
  if (static_cast<int>(tree_of(policy).leaves.size()) < options.leaves) {
    for (Change& change : sample(split_changes(policy, met), count(kSplitsTried), rng))
      changes.push_back(std::move(change));
  }
  if (!schedule.every_kind) {
    for (Change& change : changes) change.kind = 0;
  }
  return changes;
}

}  // namespace icct
