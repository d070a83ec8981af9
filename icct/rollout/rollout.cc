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
                    const Visit& visit, int horizon) {
  const Act deployed = [&policy](std::span<const double> x, std::span<double> action) {
    act(policy, x, action);
  };
  return run_episode(environment, deployed, seed, visit, horizon);
}

Episode run_episode(Environment& environment, const Act& act, std::uint64_t seed,
                    const Visit& visit, int horizon) {
  std::vector<double> x(environment.observations().size());
  std::vector<double> met(x.size());
  std::vector<double> action(environment.actions().size());
  Episode episode;
  environment.reset(seed, x);
  for (;;) {
    if (visit) met = x;
    act(x, action);
    const bool goes_on = play_step(environment, action, x, horizon, episode);
    if (visit && !episode.lost) visit(met);
    if (!goes_on) break;
  }
  finish(environment, episode);
  return episode;
}

bool play_step(Environment& environment, std::span<const double> action, std::span<double> x,
               int horizon, Episode& episode) {
  const Step step = environment.step(action, x);
  episode.total_reward += step.reward;
  ++episode.steps;
  ++episode.simulated;
  episode.terminated = step.terminated;
  episode.lost = step.lost;
  return !step.terminated && !step.truncated && episode.steps != horizon;
}

void finish(Environment& environment, Episode& episode) {
  if (episode.lost)
    episode.total_reward = std::numeric_limits<double>::quiet_NaN();
  else
    episode.metrics = environment.metrics();
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

Error all_lost(int episodes, const Environment& environment) {
  return Error("all " + std::to_string(episodes) + " episodes of " + environment.name() +
               " were lost: its simulator fails");
}

namespace {

// Numbers of other names or units would be taken for what they are not.
void require_same(const Space& ours, const Space& theirs, const std::string& what,
                  const Policy& policy, const std::string& environment) {
  const auto refuse = [&](const std::string& has, const std::string& needs) {
    throw Error("the policy '" + policy.name + "' has " + has + ", but " + environment + " has " +
                needs);
  };
  if (ours.size() != theirs.size())
    refuse(std::to_string(ours.size()) + " " + what + "s", std::to_string(theirs.size()));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const std::string place = what + " " + std::to_string(i + 1);
    if (ours[i].name != theirs[i].name)
      refuse("'" + ours[i].name + "' as its " + place, "'" + theirs[i].name + "' there");
    if (ours[i].unit != theirs[i].unit && !ours[i].unit.empty() && !theirs[i].unit.empty())
      refuse("'" + ours[i].name + "' in " + ours[i].unit, "it in " + theirs[i].unit);
  }
}

}  // namespace

void require_match(const Policy& policy, const Environment& environment) {
  const std::string& name = environment.name();
  require_same(policy.observations, environment.observations(), "observation", policy, name);
  require_same(policy.actions, environment.actions(), "action", policy, name);
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const Dimension& ours = policy.actions[a];
    const Dimension& theirs = environment.actions()[a];
    if (ours.lower < theirs.lower || ours.upper > theirs.upper)
      throw Error("the policy's action '" + ours.name + "' goes beyond the bounds of " + name);
  }
}

}  // namespace icct
