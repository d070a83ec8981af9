#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "icct/policy/policy.h"
#include "icct/rollout/workers.h"

namespace icct {

struct EvolveOptions {
  std::int64_t steps = 20'000'000;  // environment steps to spend on candidates, >= 1
  double first_step = 0.2;          // how far to look at first, in units of active_scales, (0, 10]
  int population = 0;               // candidates per generation, >= 4; 0: 4 + 3 ln(numbers)
  int min_episodes = 4;             // per candidate and generation, >= 2
  int max_episodes = 64;            // the same when luck decides too much, >= min_episodes
  int validate_every = 10;          // generations between validations, >= 1
  int validation_episodes = 100;    // per validation, >= 1
};

// Throws Error naming the field, its value and its range.
void validate(const EvolveOptions& options);

// Where a search stands, told after each validation.
struct EvolveProgress {
  int generation = 0;
  std::int64_t steps = 0;
  int episodes = 0;            // per candidate at the moment
  double first_step = 0;       // step size at the moment
  double candidates = 0;       // mean return of the last generation on its training episodes
  Evaluation validation;       // of the centre of the search
  double best_validation = 0;  // the largest mean so far, which is kept
};

// Direct search: improves the active numbers of a tree by the return itself, its structure left
// alone. All candidates of a generation run on the same episodes, which change from generation to
// generation; their number adapts so that ranking reflects more than luck. The centre of the search
// is validated now and then on episodes of their own, and the best one is returned: at the least
// the start. Depends on the arguments alone, never on the number of workers. Throws Error if the
// policy is no tree or does not fit the environment.
Policy evolve(Workers& workers, const Policy& start, const EvolveOptions& options,
              std::uint64_t seed, const std::function<void(const EvolveProgress&)>& report = {});

// Standard deviation of every observation along episodes of the policy, at least a thousandth of
// the largest magnitude seen (1 where an observation never varies): the scale of a feature.
std::vector<double> feature_spread(Environment& environment, const Policy& policy,
                                   std::uint64_t seed);

}  // namespace icct
