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

// Parts of an episode. A large generation tells small gains from luck, and episodes cost less the
// later candidates part.
constexpr double kPartEnds[] = {1.0 / 3, 0.5};      // as shares of it; the last ends with it
constexpr double kPartShares[] = {1, 0.6, 0.5};     // of the budget of a round, with those before
constexpr int kCrowd = 2;                           // usual populations in a generation
constexpr int kPartEpisodes[] = {12, 12, 16};       // at least, per candidate
constexpr double kPartSteps[] = {0.15, 0.15, 0.2};  // the first of a search, halved in every round
constexpr double kCoarseStep = 0.3;                 // the first of a search after a removal
constexpr int kRemovalsPerSearch = 3;
constexpr int kMisses = 3;  // races without a gain that end growing
constexpr RaceRound kPruneRounds[] = {{16, 0.25}, {40, 0}};

}  // namespace

// Numbers that decide nothing anywhere belong to the ending.
void TreeSearch::find_parts() {
  const Tree& tree = tree_of(present_);
  const Visits met = meet();
  parts_.assign(active_numbers(tree).size(), kEnding);
  for (const Part part : {kMiddle, kOpening}) {
    std::vector<bool> visited;
    for (const int first : met.first_step)
      visited.push_back(first < kPartEnds[part] * steps_per_episode(met));
    const std::vector<bool> decides = deciding_numbers(tree, visited);
    for (std::size_t i = 0; i < decides.size(); ++i) {
      if (decides[i]) parts_[i] = part;
    }
  }
  for (std::size_t i = 0; i < options_.kept.size(); ++i) {
    if (options_.kept[i]) parts_[i] = kNowhere;
  }
}

// The ending comes first: what leads there is worth what is made of it. Luck adds up along an
// episode, so what its beginning is worth is seen best by playing no more than that.
void TreeSearch::search_part(Part part, Stage next) {
  const double until =
      schedule_.in_rounds * (round_ + kPartShares[part]) / std::max(1, schedule_.rounds);
  if (until > 0 && parts_.empty()) find_parts();
  if (searched_ || spent() >= until || std::ranges::count(parts_, part) == 0) return enter(next);
  searched_ = true;
  EvolveOptions options =
      options_for(until - spent(), kPartEpisodes[part], kPartSteps[part] / (1 << round_));
  if (part == kOpening)
    options.horizon = std::max(1, static_cast<int>(kPartEnds[part] * steps_per_episode(meet())));
  SearchSpace space = space_of(options);
  std::vector<bool> searched;
  for (const std::uint8_t each : parts_) searched.push_back(each == part);
  restrict_to(space, searched);
  options.population = kCrowd * default_population(space.searched.size());
  begin_search(options, std::move(space));
}

// Or another round of the parts, of the best so far: what is good for an opening may not be good
// for the rest.
void TreeSearch::start() {
  if (schedule_.rounds > 0) {
    present_ = selection_.best();
    parts_.clear();
    return enter(Stage::Ending);
  }
  searched_ = true;
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
  enter(next);
  if (removals_ > 0) begin_search(kSearchAfterPrune, 4, kCoarseStep);
}

void TreeSearch::choose() {
  const int over = terms_over(tree_of(present_), options_.features);
  if (over == 0) {
    enter(Stage::Grow);
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
    enter(Stage::Trim);
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
  searched_ = true;
  if (terms_over(tree_of(selection_.best()), options_.features) == 0) present_ = selection_.best();
  begin_search(std::max(1 - spent(), 0.01), schedule_.episodes_in_polish, schedule_.step_in_polish);
}

}  // namespace icct
