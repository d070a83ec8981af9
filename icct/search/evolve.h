#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "icct/base/state_archive.h"
#include "icct/policy/policy.h"
#include "icct/rollout/workers.h"
#include "icct/search/cma_es.h"
#include "icct/search/search_space.h"
#include "icct/search/telling_episodes.h"

namespace icct {

struct EvolveOptions {
  std::int64_t steps = 20'000'000;  // environment steps to spend on candidates, >= 1
  double first_step = 0.2;        // how far to look at first, in coordinates of its space, (0, 10]
  int population = 0;             // candidates per generation, >= 4; 0: 4 + 3 ln(numbers)
  int min_episodes = 4;           // per candidate and generation, >= 2
  int max_episodes = 64;          // the same when luck decides too much, >= min_episodes
  int validate_every = 10;        // generations between validations, >= 1
  int validation_episodes = 100;  // per validation, >= 1
  Covariance covariance = Covariance::Full;  // Diagonal where there are few generations
  double replayed = 0;      // share of the episodes that were telling before, [0, 0.5]
  int horizon = kToTheEnd;  // of candidates' and validation episodes (run_episode), >= 0
};

// Throws Error naming the field, its value and its range.
void validate(const EvolveOptions& options);

// Fits the options to what their steps pay for, with so many numbers to search and episodes of at
// most `max_steps`: where generations are few, scales alone are learned, and half of the episodes
// are those that tell most.
void make_the_most(EvolveOptions& options, std::size_t numbers, int max_steps);

// Where a search stands.
struct EvolveProgress {
  int generation = 0;
  std::int64_t steps = 0;         // environment steps of candidates
  std::int64_t episodes_run = 0;  // of candidates
  int episodes = 0;               // per candidate at the moment
  double step_size = 0;           // at the moment
  double candidates = 0;          // mean return of the last generation on its training episodes
  Evaluation validation;          // of the centre of the search
  double best_validation = 0;     // the largest mean so far, which is kept
};

// A stream of search owns so many training episodes of a run: stream i those from (i + 1) times
// this number on.
inline constexpr std::uint64_t kStreamEpisodes = std::uint64_t{1} << 32;

// Direct search, one generation at a time: improves the active numbers of a tree by the return
// itself, its structure left alone. All candidates of a generation run on the same episodes, which
// change from generation to generation, but for a share that is played again; their number adapts
// so that ranking reflects more than luck. Validations choose what is kept: at the least the start.
// Depends on the arguments alone, never on the number of workers.
class Evolution {
 public:
  // Searches of one
  // run with different streams share no training episode; all of them share the validation episodes
  // of `seed`. Throws Error if the options are not valid or the policy is no tree.
  Evolution(const Policy& start, SearchSpace space, const EvolveOptions& options,
            std::uint64_t seed, std::uint64_t stream);
  explicit Evolution(StateArchive& archive);  // as saved by visit_state

  bool finished() const { return progress_.steps >= options_.steps; }
  void advance(Workers& workers);  // one generation
  bool due() const;                // for validation: now and then, and at the end

  // The policy to validate: the mean of all generations since the last validation, as luck moves
  // each of them; the start before the first step.
  Policy centre() const;
  void judge(const Evaluation& centre);  // keeps the centre if its mean is the best so far
  void validate(Workers& workers);       // plays validation episodes, and judges

  const Policy& best() const { return best_; }
  const EvolveProgress& progress() const { return progress_; }
  void visit_state(StateArchive& archive);

 private:
  void begin();
  std::vector<std::uint64_t> draw_episodes();

  Policy start_, best_;
  SearchSpace space_;
  std::vector<double> centre_;  // sum of the means of generations since the last validation
  int summed_ = 0;              // so many
  bool sum_anew_ = true;        // from the next generation on
  TellingEpisodes telling_;
  EvolveOptions options_;
  std::uint64_t seed_ = 0, stream_ = 0, next_episode_ = 0;
  double episodes_ = 0;  // per candidate, before rounding
  bool judged_ = false;
  std::optional<CmaEs> search_;
  EvolveProgress progress_;
};

// A whole search from `start`, told about after each validation. Where the workers are told to stop
// it ends early, with the best so far. Throws Error if the policy is no tree or does not fit the
// environment.
Policy evolve(Workers& workers, const Policy& start, const EvolveOptions& options,
              std::uint64_t seed, const std::function<void(const EvolveProgress&)>& report = {});

// The space for a search of `start`. Where only scales are learned, it is that of what the tree
// meets in training episodes (local_space): a full covariance learns by itself how numbers depend
// on each other.
SearchSpace space_for(Environment& environment, const Policy& start, const EvolveOptions& options,
                      std::uint64_t seed);

// Standard deviation of every observation along episodes of the policy, at least a thousandth of
// the largest magnitude seen (1 where an observation never varies): the scale of a feature.
std::vector<double> feature_spread(Environment& environment, const Policy& policy,
                                   std::uint64_t seed, int horizon = kToTheEnd);

}  // namespace icct
