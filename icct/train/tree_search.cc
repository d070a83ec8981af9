#include "icct/train/tree_search.h"

#include <algorithm>
#include <cmath>

#include "icct/base/option_range.h"
#include "icct/policy/policy_file.h"
#include "icct/search/moved_features.h"
#include "icct/train/feature_choice.h"

namespace icct {
namespace {

// Shares of the budget.
constexpr double kFirstLeaf = 0.25;
constexpr double kFirstLeafLater =
    1.7;  // budget of a round, per search, over that of the one before
constexpr double kOverdraft = 1.1;

constexpr int kMaxLeaves = 1024;
constexpr int kMaxStartLeaves = 1 << 20;

constexpr const char* kStageNames[] = {"ending",     "middle", "opening", "start",
                                       "first leaf", "prune",  "choose",  "grow",
                                       "trim",       "polish", "finals",  "done"};

}  // namespace

void validate(const TreeSearchOptions& o) {
  require_at_least("steps", static_cast<double>(o.steps), 1000);
  // What is grown stays readable; what it begins with may be as large as it is.
  require_between("leaves", o.leaves, 1, o.start ? kMaxStartLeaves : kMaxLeaves);
  require_at_least("features", o.features, 0);
  require_at_least("validation_episodes", o.validation_episodes, 1);
  if (!o.kept.empty() && std::ranges::count(o.kept, false) == 0)
    throw Error("everything in the tree is to be kept: there is nothing to learn");
}

Policy TreeSearch::nothing(Policy policy, bool constant) {
  Controller controller;
  for (int j = 0; !constant && j < static_cast<int>(policy.observations.size()); ++j)
    controller.terms.push_back({j, 0});
  policy.controller = make_leaf(std::vector<Controller>(policy.actions.size(), controller));
  return policy;
}

TreeSearch::TreeSearch(Workers& workers, const Policy& blank, const TreeSearchOptions& options,
                       std::uint64_t seed)
    : workers_(workers),
      options_(options),
      schedule_(schedule_for(blank.observations.size(), options.features, options.start,
                             options.steps, workers.environment().max_steps())),
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
    stage_ = Stage::Ending;
    present_.controller = *options.start;
    start_text_ = write_policy(present_);
    return;
  }
  if (schedule_.from_constant) {
    stage_ = Stage::Grow;
    return;
  }
  begin_tournament(first_leaves(workers.environment(), present_, seed), kFirstLeaf,
                   {.later = kFirstLeafLater});
}

std::int64_t TreeSearch::steps() const {
  const std::int64_t raced = before_race_ ? workers_.steps_played() - *before_race_ : 0;
  return steps_ + raced + (tournament_ ? tournament_->steps() : 0);
}

double TreeSearch::spent() const {
  return static_cast<double>(steps()) / static_cast<double>(options_.steps);
}

bool TreeSearch::overdrawn() const {
  return spent() > kOverdraft;
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
  if (overdrawn() && selection_.best_fits() && stage_ < Stage::Finals) stop_spending();
  if (search_) return continue_search();
  if (tournament_) return continue_tournament();
  switch (stage_) {
    case Stage::Ending:
      return search_part(kEnding, Stage::Middle);
    case Stage::Middle:
      return search_part(kMiddle, Stage::Opening);
    case Stage::Opening:
      return search_part(kOpening, Stage::Start);
    case Stage::Start:
      if (schedule_.rounds > 0 ? ++round_ < schedule_.rounds : !searched_) return start();
      return enter(options_.kept.empty() ? Stage::Prune : Stage::Polish);
    case Stage::FirstLeaf:
      return enter(Stage::Prune);
    case Stage::Prune:
      return prune(schedule_.prune, Stage::Choose);
    case Stage::Choose:
      return choose();
    case Stage::Grow:
      return grow();
    case Stage::Trim:
      return prune(schedule_.trim, Stage::Polish);
    case Stage::Polish:
      if (!searched_) return polish();
      return enter(Stage::Finals);
    case Stage::Finals:
      selection_.decide(workers_);
      stage_ = Stage::Done;
      return;
    case Stage::Done:
      return;
  }
}

void TreeSearch::begin_tournament(const std::vector<Contestant>& contestants, double share,
                                  TournamentOptions options) {
  options.steps = static_cast<std::int64_t>(share * static_cast<double>(options_.steps));
  tournament_.emplace(contestants, options, seed_, streams_);
}

void TreeSearch::continue_tournament() {
  tournament_->advance(workers_, [this](const Policy& policy, double candidates) {
    return consider(policy, candidates);
  });
  if (!tournament_->finished() && !overdrawn()) return;
  present_ = tournament_->best();
  steps_ += tournament_->steps();
  episodes_ += tournament_->episodes();
  streams_ = tournament_->next_stream();
  tournament_.reset();
}

void TreeSearch::adopt(const Policy& policy) {
  present_ = policy;
  present_.controller = renumbered(tree_of(policy));
}

// Where growth may look: also at what it never meets by itself.
Visits TreeSearch::meet_around() {
  Visits met = meet();
  if (schedule_.every_kind && moved_.empty())
    moved_ = moved_features(workers_.environment(), seed_, (streams_ + 1) * kStreamEpisodes);
  met.moved = moved_;
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
  before_race_ = workers_.steps_played();
  RaceResult result = race(workers_, present_, std::move(changes), rounds, seed_, first_episode);
  before_race_.reset();
  ++streams_;
  steps_ += result.steps;
  episodes_ += result.episodes;
  return result;
}

void TreeSearch::enter(Stage stage) {
  stage_ = stage;
  searched_ = false;
}

EvolveOptions TreeSearch::options_for(double share, int min_episodes, double first_step) const {
  EvolveOptions options = schedule_.search;
  options.steps = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(share * static_cast<double>(options_.steps)));
  options.first_step = first_step;
  options.min_episodes = min_episodes;
  options.validation_episodes = options_.validation_episodes;
  return options;
}

void TreeSearch::begin_search(double share, int min_episodes, double first_step) {
  const EvolveOptions options = options_for(share, min_episodes, first_step);
  begin_search(options, space_of(options));
}

SearchSpace TreeSearch::space_of(const EvolveOptions& options) {
  SearchSpace space = space_for(workers_.environment(), present_, options, seed_);
  std::vector<bool> free = options_.kept;
  free.flip();
  if (!free.empty()) restrict_to(space, free);
  return space;
}

void TreeSearch::begin_search(const EvolveOptions& options, SearchSpace space) {
  removals_ = 0;
  search_.emplace(present_, std::move(space), options, seed_, streams_++);
  judge_search(NAN);
}

void TreeSearch::continue_search() {
  const EvolveProgress before = search_->progress();
  search_->advance(workers_);
  steps_ += search_->progress().steps - before.steps;
  episodes_ += search_->progress().episodes_run - before.episodes_run;
  if (search_->due()) judge_search(search_->progress().candidates);
  if (!search_->finished()) return;
  present_ = search_->best();
  search_.reset();
}

// What is good for the beginning of an episode is judged by that alone, and told by the whole.
void TreeSearch::judge_search(double candidates) {
  const Evaluation whole = consider(search_->centre(), candidates);
  if (stage_ == Stage::Opening)
    search_->validate(workers_);
  else
    search_->judge(whole);
}

void TreeSearch::visit_state(StateArchive& archive) {
  visit_start(archive, start_text_);
  selection_.visit_state(archive);
  archive.value("tree_search.stage", stage_);
  visit_policy(archive, "tree_search.present", present_);
  archive.rng("tree_search.rng", rng_);
  archive.list("tree_search.moved", moved_);
  archive.value("tree_search.streams", streams_);
  archive.value("tree_search.steps", steps_);
  archive.value("tree_search.episodes", episodes_);
  archive.value("tree_search.removals", removals_);
  archive.value("tree_search.misses", misses_);
  archive.list("tree_search.parts", parts_);
  archive.value("tree_search.round", round_);
  archive.value("tree_search.searched", searched_);
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
