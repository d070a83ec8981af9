#include "icct/rollout/rollout.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/rng.h"

namespace icct {

std::uint64_t episode_seed(std::uint64_t run_seed, Purpose purpose, std::uint64_t index) {
  // Each step passes through the generator's own mixing, so that neighbouring seeds and indices
  // share nothing.
  const std::uint64_t a = Rng(run_seed).next();
  const std::uint64_t b = Rng(a ^ static_cast<std::uint64_t>(purpose)).next();
  return Rng(b + index).next();
}

Episode run_episode(Environment& environment, const Policy& policy, std::uint64_t seed,
                    const Visit& visit) {
  const Act deployed = [&policy](std::span<const double> x, std::span<double> action) {
    act(policy, x, action);
  };
  return run_episode(environment, deployed, seed, visit);
}

Episode run_episode(Environment& environment, const Act& act, std::uint64_t seed,
                    const Visit& visit) {
  std::vector<double> x(environment.observations().size());
  std::vector<double> met(x.size());
  std::vector<double> action(environment.actions().size());
  Episode episode;
  environment.reset(seed, x);
  for (;;) {
    if (visit) met = x;
    act(x, action);
    const Step step = environment.step(action, x);
    if (visit && !step.lost) visit(met);
    episode.total_reward += step.reward;
    ++episode.steps;
    episode.terminated = step.terminated;
    episode.lost = step.lost;
    if (step.terminated || step.truncated) break;
  }
  if (episode.lost)
    episode.total_reward = std::numeric_limits<double>::quiet_NaN();
  else
    episode.metrics = environment.metrics();
  return episode;
}

Evaluation summarise(std::vector<double> returns) {
  Evaluation result;
  const auto n = static_cast<double>(returns.size());
  for (const double value : returns) result.mean_return += value / n;
  double squares = 0;
  for (const double value : returns)
    squares += (value - result.mean_return) * (value - result.mean_return);
  if (returns.size() > 1) result.std_return = std::sqrt(squares / (n - 1));
  if (!returns.empty()) {
    result.standard_error = result.std_return / std::sqrt(n);
    result.worst_return = *std::min_element(returns.begin(), returns.end());
    result.best_return = *std::max_element(returns.begin(), returns.end());
  }
  result.returns = std::move(returns);
  return result;
}

void require_match(const Policy& policy, const Environment& environment) {
  const auto mismatch = [&](const std::string& what, std::size_t has, std::size_t needs) {
    throw Error("the policy '" + policy.name + "' has " + std::to_string(has) + " " + what +
                ", but " + environment.name() + " has " + std::to_string(needs));
  };
  if (policy.observations.size() != environment.observations().size()) {
    mismatch("observations", policy.observations.size(), environment.observations().size());
  }
  if (policy.actions.size() != environment.actions().size()) {
    mismatch("actions", policy.actions.size(), environment.actions().size());
  }
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const Dimension& ours = policy.actions[a];
    const Dimension& theirs = environment.actions()[a];
    if (ours.lower < theirs.lower || ours.upper > theirs.upper) {
      throw Error("the policy's action '" + ours.name + "' goes beyond the bounds of " +
                  environment.name());
    }
  }
}

}  // namespace icct
