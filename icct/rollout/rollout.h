#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "icct/base/error.h"
#include "icct/env/environment.h"
#include "icct/policy/policy.h"

namespace icct {

using EnvironmentFactory = std::function<std::unique_ptr<Environment>()>;

// What an episode is run for. Episodes of different purposes never share a seed, so that nothing is
// reported on what it was chosen on.
enum class Purpose : std::uint64_t { Training = 1, Validation = 2, Report = 3 };

// The seed of episode `index` for a purpose within a run.
std::uint64_t episode_seed(std::uint64_t run_seed, Purpose purpose, std::uint64_t index);

struct Episode {
  double total_reward = 0;
  int steps = 0;
  int simulated = 0;  // of its steps, but for those of a beginning that others paid for
  bool terminated = false;
  bool lost = false;  // its simulator failed; the total reward is NaN then
  std::vector<Metric> metrics = {};
};

// One episode of the deployed policy, or its first `horizon` steps. `visit` is called with every
// observation the policy acts on, but for one whose step is lost.
using Visit = std::function<void(std::span<const double>)>;
inline constexpr int kToTheEnd = 0;  // a horizon
Episode run_episode(Environment& environment, const Policy& policy, std::uint64_t seed,
                    const Visit& visit = {}, int horizon = kToTheEnd);

// The same for anything that acts: writes the action at x.
using Act = std::function<void(std::span<const double> x, std::span<double> action)>;
Episode run_episode(Environment& environment, const Act& act, std::uint64_t seed,
                    const Visit& visit = {}, int horizon = kToTheEnd);

// The parts of an episode: one step, added to it (whether it goes on), and its end.
bool play_step(Environment& environment, std::span<const double> action, std::span<double> x,
               int horizon, Episode& episode);
void finish(Environment& environment, Episode& episode);

// Statistics of episode returns.
struct Evaluation {
  std::vector<double> returns;
  double mean_return = 0;
  double std_return = 0;      // per episode, n - 1 in the denominator
  double standard_error = 0;  // of the mean
  double worst_return = 0;
  double best_return = 0;
  std::vector<Metric> metrics = {};                       // summed over the episodes
  std::vector<std::vector<Metric>> episode_metrics = {};  // of each, in the order of the returns
  int lost = 0;  // episodes that a failing simulator ended, left out of all the above
};

// The return as a rank: one that is no number counts as worse than any that is.
inline double rankable(double value) {
  return std::isfinite(value) ? value : -1e300;
}

Evaluation summarise(std::vector<double> returns);

// What to throw where nothing is left of so many episodes.
Error all_lost(int episodes, const Environment& environment);

// Throws Error unless the policy's observations and actions have the names of the environment's, in
// their order, and the same units where both have one; its actions stay within the bounds.
void require_match(const Policy& policy, const Environment& environment);

}  // namespace icct
