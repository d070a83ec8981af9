// The stages of a tree search: of the tree to begin with, and those that change the structure.
#include <algorithm>
#include <cmath>

#include "icct/search/active_numbers.h"
#include "icct/train/affordable_changes.h"
#include "icct/train/feature_choice.h"
#include "icct/train/tree_search.h"

namespace icct {
namespace {

// Shares of the budget, for choosing features and for searching the numbers after a change.
constexpr double kChooseAtLeast = 0.05;
constexpr double kSearchAfterPrune = 0.02;
constexpr double kSearchAfterGrow = 0.03;
constexpr double kTournamentAfterGrow = 0.1;

constexpr double kOpening = 1.0 / 3;  // of an episode
constexpr double kWideStep = 0.2;     // the first of a search of what nobody has tried yet
constexpr double kCoarseStep = 0.3;   // the first of a search after a removal
constexpr int kRemovalsPerSearch = 3;
constexpr int kMisses = 3;  // races without a gain that end growing
constexpr RaceRound kPruneRounds[] = {{16, 0.25}, {40, 0}};

}  // namespace

// Luck adds up along an episode, so what its beginning is worth is seen best by playing no more
// than that. Numbers that decide nothing there are left alone.
void TreeSearch::open() {
  const int horizon = std::max(1, static_cast<int>(kOpening * steps_per_episode(meet())));
  const Visits met =
      visits(workers_.environment(), present_, seed_, (streams_ + 1) * kStreamEpisodes, horizon);
  std::vector<bool> visited;
  for (const auto& visits : met.by_leaf) visited.push_back(!visits.empty());
  const std::vector<bool> searched = deciding_numbers(tree_of(present_), visited);
  opening_.assign(searched.begin(), searched.end());
  begin_search(schedule_.opening, schedule_.episodes_in_polish, kFineStep, searched, horizon);
}

// Unless a threshold moves far, an episode begins in the same way for all candidates.
void TreeSearch::search_rest() {
  searched_rest_ = true;
  std::vector<bool> rest;
  for (const std::uint8_t opening : opening_) rest.push_back(opening == 0);
  begin_search(schedule_.rest - spent(), schedule_.episodes_in_polish, kWideStep, rest);
}

void TreeSearch::start() {
  started_ = true;
  begin_search(schedule_.start - spent(), schedule_.episodes_in_polish, kFineStep);
}

void TreeSearch::prune(double until, Stage next) {
  std::vector<Change> changes;
  if (spent() < until)
    changes = affordable_removals(present_, meet(), schedule_, options_.steps, rng_);
  if (!changes.empty()) {
    const RaceResult result = try_changes(std::move(changes), kPruneRounds);
    if (result.winners.front().gain >= 0) {
      adopt(result.winners.front().policy);
      if (++removals_ >= kRemovalsPerSearch) begin_search(kSearchAfterPrune, 4, kCoarseStep);
      return;
    }
  }
  stage_ = next;
  if (removals_ > 0) begin_search(kSearchAfterPrune, 4, kCoarseStep);
}

void TreeSearch::choose() {
  const int over = terms_over(tree_of(present_), options_.features);
  if (over == 0) {
    stage_ = Stage::Grow;
    return;
  }
  const double left = std::max(kChooseAtLeast, schedule_.choose - spent());
  const auto spread = [this](const Policy& policy) {
    return feature_spread(workers_.environment(), policy, seed_);
  };
  const std::vector<Contestant> contestants =
      feature_choices(present_, meet(), spread(present_), spread(nothing(present_, true)),
                      options_.features, left * static_cast<double>(options_.steps));
  if (overdrawn()) return adopt(contestants[0].policy);
  const int dropped = over - terms_over(tree_of(contestants[0].policy), options_.features);
  begin_tournament(contestants, left * dropped / over, {});
}

void TreeSearch::grow() {
  // There is a policy of the right shape from the beginning on, if only a constant.
  if (!selection_.best_fits()) consider(present_, NAN);
  std::vector<Change> changes;
  if (spent() < schedule_.grow && misses_ < kMisses)
    changes = affordable_growth(present_, meet_around(), schedule_, options_, rng_);
  if (changes.empty()) {
    stage_ = Stage::Trim;
    return;
  }
  const RaceResult result = try_changes(std::move(changes), schedule_.grow_rounds);
  const bool better = gained(result.winners.front());
  misses_ = better ? 0 : misses_ + 1;
  if (better) make_use_of(result.winners);
}

// A new part is worth what the search of the numbers makes of it, so the best of every kind is
// searched before one is chosen.
void TreeSearch::make_use_of(std::span<const Winner> winners) {
  if (winners.size() == 1) {
    adopt(winners.front().policy);
    begin_search(kSearchAfterGrow, schedule_.episodes_after_grow, schedule_.step_after_grow);
    return;
  }
  std::vector<Contestant> contestants;
  for (const Change& change : winners) {
    adopt(change.policy);
    contestants.push_back({present_, feature_spread(workers_.environment(), present_, seed_),
                           schedule_.step_after_grow});
  }
  begin_tournament(contestants, kTournamentAfterGrow,
                   {.episodes = schedule_.episodes_after_grow,
                    .starts_count = true,
                    .covariance = schedule_.search.covariance});
}

// The best so far: what growing and trimming did last may have been luck.
void TreeSearch::polish() {
  polished_ = true;
  if (terms_over(tree_of(selection_.best()), options_.features) == 0) present_ = selection_.best();
  begin_search(std::max(1 - spent(), 0.01), schedule_.episodes_in_polish, schedule_.step_in_polish);
}

}  // namespace icct
