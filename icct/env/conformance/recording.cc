#include "icct/env/conformance/recording.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace icct {
namespace {

std::vector<double> unwritten(const Space& space) {
  return std::vector<double>(space.size(), std::numeric_limits<double>::quiet_NaN());
}

double middle(const Dimension& dimension) {
  const bool below = std::isfinite(dimension.lower);
  const bool above = std::isfinite(dimension.upper);
  if (below && above) return dimension.lower / 2 + dimension.upper / 2;
  if (below) return dimension.lower;
  return above ? dimension.upper : 0;
}

double sample(const Dimension& dimension, Rng& rng) {
  if (std::isfinite(dimension.lower) && std::isfinite(dimension.upper))
    return rng.uniform(dimension.lower, dimension.upper);
  return std::clamp(middle(dimension) + rng.normal(), dimension.lower, dimension.upper);
}

}  // namespace

bool Recording::ended() const {
  return !steps.empty() && (steps.back().terminated || steps.back().truncated);
}

ActionChooser random_actions(const Space& actions, std::uint64_t seed) {
  return [actions, rng = Rng(seed)](std::span<double> action) mutable {
    for (std::size_t i = 0; i < action.size(); ++i) action[i] = sample(actions[i], rng);
  };
}

std::vector<double> middle_action(const Space& actions) {
  std::vector<double> action;
  for (const Dimension& dimension : actions) action.push_back(middle(dimension));
  return action;
}

ActionChooser constant_action(std::vector<double> action) {
  return [chosen = std::move(action)](std::span<double> target) {
    std::copy(chosen.begin(), chosen.end(), target.begin());
  };
}

Recording record(Environment& environment, std::uint64_t seed, const ActionChooser& choose,
                 int max_steps) {
  Recording recording{.seed = seed, .observations = {}, .steps = {}};
  recording.observations.push_back(unwritten(environment.observations()));
  environment.reset(seed, recording.observations.back());
  continue_recording(environment, recording, choose, max_steps);
  return recording;
}

void continue_recording(Environment& environment, Recording& recording, const ActionChooser& choose,
                        int max_steps) {
  std::vector<double> action(environment.actions().size());
  while (static_cast<int>(recording.steps.size()) < max_steps && !recording.ended()) {
    choose(action);
    recording.observations.push_back(unwritten(environment.observations()));
    recording.steps.push_back(environment.step(action, recording.observations.back()));
  }
}

}  // namespace icct
