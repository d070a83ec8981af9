#include "icct/train/tree_search.h"

#include <algorithm>
#include <cmath>

#include "icct/base/option_range.h"
#include "icct/policy/policy_file.h"
#include "icct/train/affordable_changes.h"
#include "icct/train/feature_choice.h"

namespace icct {
namespace {

// Shares of the budget, for the first leaf and for searching the numbers after a change of
// structure.
constexpr double kFirstLeaf = 0.25;
constexpr double kFirstLeafLater =
    1.7;  // budget of a round, per search, over that of the one before
constexpr double kChooseAtLeast = 0.05;
constexpr double kSearchAfterPrune = 0.02;
constexpr double kSearchAfterGrow = 0.03;
constexpr double kOverdraft = 1.1;

constexpr double kCoarseStep = 0.3;  // first steps of a search of the numbers
constexpr double kFineStep = 0.1;
constexpr int kRemovalsPerSearch = 3;
constexpr int kMisses = 3;  // races without a gain that end growing
constexpr RaceRound kPruneRounds[] = {{16, 0.25}, {40, 0}};

constexpr int kMaxLeaves = 1024;
constexpr int kMaxStartLeaves = 1 << 20;

constexpr const char* kStageNames[] = {"first leaf", "prune",  "choose", "grow", "trim",
                                       "polish",     "finals", "done",   "start"};

// "Do nothing": one leaf, all gains zero.
Policy nothing(Policy policy, bool constant) {
  Controller controller;
  for (int j = 0; !constant && j < static_cast<int>(policy.observations.size()); ++j)
    controller.terms.push_back({j, 0});
  policy.controller = make_leaf(std::vector<Controller>(policy.actions.size(), controller));
  return policy;
}

}  // namespace

void validate(const TreeSearchOptions& o) {
  require_at_least("steps", static_cast<double>(o.steps), 1000);
  // What is grown stays readable; what it begins with may be as large as it is.
  require_between("leaves", o.leaves, 1, o.start ? kMaxStartLeaves : kMaxLeaves);
  require_at_least("features", o.features, 0);
  require_at_least("validation_episodes", o.validation_episodes, 1);
}

TreeSearch::TreeSearch(Workers& workers, const Policy& blank, const TreeSearchOptions& options,
                       std::uint64_t seed)
    : workers_(workers),
      options_(options),
      schedule_(schedule_for(blank.observations.size(), options.features)),
      seed_(seed),
      selection_(seed, options.validation_episodes, {},
                 [options](const Policy& policy) {
                   const Tree& tree = tree_of(policy);
                   return static_cast<int>(tree.leaves.size()) <= options.leaves &&
                          terms_over(tree, options.features) == 0;
                 }),
      present_(nothing(blank, options.features == 0 || schedule_.from_constant)),
      rng_(episode_seed(seed, Purpose::Training, kStreamEpisodes - 1)) {
  icct::validate(options);
  require_match(present_, workers.environment());
  if (options.start) {
    stage_ = Stage::Start;
    present_.controller = *options.start;
    start_text_ = write_policy(present_);
    return;
  }
  if (schedule_.from_constant) {
    stage_ = Stage::Grow;
    return;
  }
  begin_tournament(first_leaves(workers.environment(), present_, seed), kFirstLeaf,
                   kFirstLeafLater);
}

double TreeSearch::spent() const {
  return static_cast<double>(steps()) / static_cast<double>(options_.steps);
}

Evaluation TreeSearch::consider(const Policy& policy, double candidates) {
  return selection_.consider(workers_, policy,
                             {.steps = steps(),
                              .episodes = episodes_ + (tournament_ ? tournament_->episodes() : 0),
                              .stage = kStageNames[static_cast<int>(stage_)],
                              .training_return = candidates});
}

// A small budget does not last for every stage: then it ends with what there is.
void TreeSearch::stop_spending() {
  if (tournament_) {
    steps_ += tournament_->steps();
    episodes_ += tournament_->episodes();
  }
  tournament_.reset();
  search_.reset();
  stage_ = Stage::Finals;
}

void TreeSearch::advance() {
  if (spent() > kOverdraft && selection_.best_fits() && stage_ < Stage::Finals) stop_spending();
  if (search_) return continue_search();
  if (tournament_) return continue_tournament();
  switch (stage_) {
    case Stage::Start:
      if (steps_ == 0) return begin_search(kFirstLeaf, schedule_.episodes_in_polish, kFineStep);
      stage_ = Stage::Prune;
      return;
    case Stage::FirstLeaf:
      stage_ = Stage::Prune;
      return;
    case Stage::Prune:
      return prune(schedule_.prune, Stage::Choose);
    case Stage::Choose:
      return choose();
    case Stage::Grow:
      return grow();
    case Stage::Trim:
      return prune(schedule_.trim, Stage::Polish);
    case Stage::Polish:
      if (polished_)
        stage_ = Stage::Finals;
      else
        polish();
      return;
    case Stage::Finals:
      selection_.decide(workers_);
      stage_ = Stage::Done;
      return;
    case Stage::Done:
      return;
  }
}

void TreeSearch::begin_tournament(const std::vector<Contestant>& contestants, double share,
                                  double later) {
  const double steps = share * static_cast<double>(options_.steps);
  tournament_.emplace(contestants, static_cast<std::int64_t>(steps), later, seed_, streams_);
}

void TreeSearch::continue_tournament() {
  tournament_->advance(workers_, [this](const Policy& policy, double candidates) {
    return consider(policy, candidates);
  });
  if (!tournament_->finished() && spent() <= kOverdraft) return;
  present_ = tournament_->best();
  steps_ += tournament_->steps();
  episodes_ += tournament_->episodes();
  streams_ = tournament_->next_stream();
  tournament_.reset();
}

void TreeSearch::prune(double until, Stage next) {
  std::vector<Change> changes;
  if (spent() < until) changes = affordable_removals(present_, meet(), options_.steps, rng_);
  if (!changes.empty()) {
    const RaceResult result = try_changes(std::move(changes), kPruneRounds);
    if (result.gain >= 0) {
      adopt(result.winner.policy);
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
  if (spent() > kOverdraft) return adopt(contestants[0].policy);
  const int dropped = over - terms_over(tree_of(contestants[0].policy), options_.features);
  begin_tournament(contestants, left * dropped / over, 1);
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
  const bool gained = result.gain > result.gain_error && result.gain > 0;
  misses_ = gained ? 0 : misses_ + 1;
  if (!gained) return;
  adopt(result.winner.policy);
  begin_search(kSearchAfterGrow, schedule_.episodes_after_grow, schedule_.step_after_grow);
}

// The best so far: what growing and trimming did last may have been luck.
void TreeSearch::polish() {
  polished_ = true;
  if (terms_over(tree_of(selection_.best()), options_.features) == 0) present_ = selection_.best();
  begin_search(std::max(1 - spent(), 0.01), schedule_.episodes_in_polish, kFineStep);
}

void TreeSearch::adopt(const Policy& policy) {
  present_ = policy;
  present_.controller = renumbered(tree_of(policy));
}

// Where growth may look: also at what it never meets by itself.
Visits TreeSearch::meet_around() {
  Visits met = meet();
  if (schedule_.look_around && has_constant_features(met))
    replace_constant_features(met, random_visits(workers_.environment(), present_, seed_,
                                                 (streams_ + 1) * kStreamEpisodes));
  return met;
}

Visits TreeSearch::meet() {
  return visits(workers_.environment(), present_, seed_, (streams_ + 1) * kStreamEpisodes);
}

RaceResult TreeSearch::try_changes(std::vector<Change> changes, std::span<const RaceRound> rounds) {
  // Visits have used the first few episodes of the stream.
  const auto first_episode = (streams_ + 1) * kStreamEpisodes + 1000;
  RaceResult result = race(workers_, present_, std::move(changes), rounds, seed_, first_episode);
  ++streams_;
  steps_ += result.steps;
  episodes_ += result.episodes;
  return result;
}

void TreeSearch::begin_search(double share, int min_episodes, double first_step) {
  removals_ = 0;
  EvolveOptions options;
  options.steps = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(share * static_cast<double>(options_.steps)));
  options.first_step = first_step;
  options.min_episodes = min_episodes;
  search_.emplace(present_, feature_spread(workers_.environment(), present_, seed_), options, seed_,
                  streams_++);
  search_->judge(consider(present_, NAN));
}

void TreeSearch::continue_search() {
  const EvolveProgress before = search_->progress();
  search_->advance(workers_);
  steps_ += search_->progress().steps - before.steps;
  episodes_ += search_->progress().episodes_run - before.episodes_run;
  if (search_->due()) search_->judge(consider(search_->centre(), search_->progress().candidates));
  if (!search_->finished()) return;
  present_ = search_->best();
  search_.reset();
}

void TreeSearch::visit_state(StateArchive& archive) {
  visit_start(archive, start_text_);
  selection_.visit_state(archive);
  archive.value("tree_search.stage", stage_);
  visit_policy(archive, "tree_search.present", present_);
  archive.rng("tree_search.rng", rng_);
  archive.value("tree_search.streams", streams_);
  archive.value("tree_search.steps", steps_);
  archive.value("tree_search.episodes", episodes_);
  archive.value("tree_search.removals", removals_);
  archive.value("tree_search.misses", misses_);
  archive.value("tree_search.polished", polished_);
  bool has_tournament = tournament_.has_value();
  bool has_search = search_.has_value();
  archive.value("tree_search.has_tournament", has_tournament);
  archive.value("tree_search.has_search", has_search);
  if (archive.reading()) {
    tournament_.reset();
    search_.reset();
    if (has_tournament) tournament_.emplace(archive);
    if (has_search) search_.emplace(archive);
  } else {
    if (tournament_) tournament_->visit_state(archive);
    if (search_) search_->visit_state(archive);
  }
}

}  // namespace icct
