#pragma once

#include <cstdint>
#include <optional>

#include "icct/search/changes.h"
#include "icct/search/evolve.h"
#include "icct/train/learner.h"
#include "icct/train/tournament.h"
#include "icct/train/tree_search_schedule.h"

namespace icct {

struct TreeSearchOptions {
  std::int64_t steps = 16'000'000;  // environment steps to spend on candidates, >= 1000
  int leaves = 8;                   // at most, >= 1
  int features = 2;                 // per leaf and action at most, >= 0; 0: constants
  int validation_episodes = 100;    // per validation, >= 1
  std::optional<Tree> start = {};   // to begin with, instead of a first leaf; within the limits
  std::vector<bool> kept = {};      // active numbers of `start` that stay, and with them its
                                    // structure; empty: none
};

// Throws Error naming the field, its value and its range.
void validate(const TreeSearchOptions& options);

// Learns a tree by direct search, growing it from a single leaf:
//   ending      of the tree to begin with, if there is one and observations are many, the numbers
//               that decide nothing in the first half of an episode: all candidates begin alike,
//               and what comes before is worth what is made of it;
//   middle      those that decide nothing in the first third;
//   opening     the others, by the first third alone; then these three once more;
//   start       with few observations, all its numbers, by whole episodes; without a tree
//   first leaf  a linear controller of all features, from nothing;
//   prune       drop the term that is missed least, while the return does not fall;
//   choose      the features of every action that still uses more than the limit, in a tournament;
//   grow        split a leaf or add a term where a race of many small changes finds a gain;
//   trim        prune once more;
//   polish      search the numbers of the final structure.
// Where something is kept, only the stages that search numbers are left. With many observations
// the first leaf is a constant, and growing begins at once. Between the changes of structure the
// numbers are searched for a while. Shares of the budget are constants of tree_search_schedule.cc
// and tree_search_stages.cc; docs/training.md says why.
class TreeSearch final : public Learner {
 public:
  // `blank` gives names, spaces and squashing; its controller is not used.
  TreeSearch(Workers& workers, const Policy& blank, const TreeSearchOptions& options,
             std::uint64_t seed);

  bool finished() const override { return stage_ == Stage::Done; }
  void advance() override;
  std::int64_t steps() const override;  // in the middle of a race: those of its episodes so far too
  std::int64_t budget() const override { return options_.steps; }
  Selection& selection() override { return selection_; }
  void visit_state(StateArchive& archive) override;

 private:
  enum class Stage : int {
    Ending,
    Middle,
    Opening,
    Start,
    FirstLeaf,
    Prune,
    Choose,
    Grow,
    Trim,
    Polish,
    Finals,
    Done
  };

  enum Part : std::uint8_t { kOpening, kMiddle, kEnding, kNowhere };  // of an episode

  static constexpr double kFineStep = 0.1;  // the first of a search near what is good already

  // "Do nothing": one leaf, constant or with all gains zero.
  static Policy nothing(Policy policy, bool constant);

  double spent() const;  // share of the budget
  bool overdrawn() const;
  void stop_spending();
  Evaluation consider(const Policy& policy, double candidates);
  void begin_tournament(const std::vector<Contestant>& contestants, double share,
                        TournamentOptions options);
  void continue_tournament();
  void enter(Stage stage);
  void find_parts();
  void search_part(Part part, Stage next);
  void start();
  void prune(double until, Stage next);
  void choose();
  void grow();
  void make_use_of(std::span<const Winner> winners);
  void polish();
  void adopt(const Policy& policy);
  Visits meet();
  Visits meet_around();
  EvolveOptions options_for(double share, int min_episodes, double first_step) const;
  void begin_search(double share, int min_episodes, double first_step);
  SearchSpace space_of(const EvolveOptions& options);
  void begin_search(const EvolveOptions& options, SearchSpace space);
  void continue_search();
  void judge_search(double candidates);
  RaceResult try_changes(std::vector<Change> changes, std::span<const RaceRound> rounds);

  Workers& workers_;
  TreeSearchOptions options_;
  TreeSearchSchedule schedule_;
  std::uint64_t seed_;
  Selection selection_;
  Stage stage_ = Stage::FirstLeaf;
  std::optional<Tournament> tournament_;  // of first leaves, choices of features or new parts
  std::optional<Evolution> search_;       // of the numbers, between changes of structure
  Policy present_;
  std::string start_text_;  // of what it began with
  Rng rng_;
  std::vector<int> moved_;     // features, by action; empty before growing needs them
  std::uint64_t streams_ = 0;  // of training episodes, used up
  std::int64_t steps_ = 0, episodes_ = 0;
  std::optional<std::int64_t> before_race_;  // steps the workers had played, while there is one
  int removals_ = 0;                         // since the numbers were searched last
  int misses_ = 0;                           // races in a row without a gain
  int round_ = 0;                            // of parts
  std::vector<std::uint8_t> parts_;  // of an episode: where each number first decides something
  bool searched_ = false;            // in this stage, if it has one search
};

}  // namespace icct
