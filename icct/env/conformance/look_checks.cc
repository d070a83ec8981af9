#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/number.h"
#include "icct/env/conformance/checks.h"

namespace icct {

std::string describe_place(const Recording& episode, std::size_t step) {
  const std::string seed = " (seed " + std::to_string(episode.seed) + ")";
  return (step == 0 ? "after reset" : "after step " + std::to_string(step)) + seed;
}

std::string describe_amount(const Survey& episodes) {
  std::size_t steps = 0;
  for (const Recording& episode : episodes) steps += episode.steps.size();
  return std::to_string(steps) + " steps in " + std::to_string(episodes.size()) + " episodes";
}

namespace {

// Names the first observation for which `is_wrong` holds.
template <class IsWrong>
std::optional<std::string> find_observation(const Space& space, const Survey& episodes,
                                            IsWrong is_wrong) {
  for (const Recording& episode : episodes) {
    for (std::size_t t = 0; t < episode.observations.size(); ++t) {
      for (std::size_t i = 0; i < space.size(); ++i) {
        const double value = episode.observations[t][i];
        if (!is_wrong(value, space[i])) continue;
        return "'" + space[i].name + "' is " + exact_text(value) + " " + describe_place(episode, t);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Finding observations_are_finite(Environment& environment, const Survey& episodes) {
  const auto wrong =
      find_observation(environment.observations(), episodes,
                       [](double value, const Dimension&) { return !std::isfinite(value); });
  if (wrong) return {false, *wrong + "; every entry must be written and finite"};
  return {true, describe_amount(episodes)};
}

Finding observations_are_in_bounds(Environment& environment, const Survey& episodes) {
  const auto wrong = find_observation(environment.observations(), episodes,
                                      [](double value, const Dimension& dimension) {
                                        return value < dimension.lower || value > dimension.upper;
                                      });
  if (wrong) return {false, *wrong + ", outside its declared bounds"};
  return {true, describe_amount(episodes)};
}

Finding rewards_are_finite(Environment&, const Survey& episodes) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const Recording& episode : episodes) {
    for (std::size_t t = 0; t < episode.steps.size(); ++t) {
      const double reward = episode.steps[t].reward;
      if (!std::isfinite(reward))
        return {false,
                "the reward is " + exact_text(reward) + " " + describe_place(episode, t + 1)};
      least = std::min(least, reward);
      most = std::max(most, reward);
    }
  }
  return {true, "between " + rounded_text(least, 4) + " and " + rounded_text(most, 4)};
}

Finding episodes_end_for_one_reason(Environment&, const Survey& episodes) {
  for (const Recording& episode : episodes) {
    const Step& last = episode.steps.back();
    if (last.terminated && last.truncated) {
      return {false, "terminated and truncated at once " +
                         describe_place(episode, episode.steps.size()) +
                         "; truncate only what has not ended by itself"};
    }
  }
  return {true, describe_amount(episodes)};
}

Finding time_limit_truncates(Environment& environment, const Survey& episodes) {
  const auto limit = static_cast<std::size_t>(environment.max_steps());
  std::size_t longest = 0;
  int reached = 0;
  for (const Recording& episode : episodes) {
    const std::size_t steps = episode.steps.size();
    longest = std::max(longest, steps);
    if (steps == limit) ++reached;
    if (episode.steps.back().truncated && steps < limit) {
      return {false, "truncated " + describe_place(episode, steps) + ", before the limit of " +
                         std::to_string(limit)};
    }
    if (steps == limit && !episode.ended())
      return {false, "went on " + describe_place(episode, steps) + ", which is the limit"};
  }
  if (reached > 0) {
    return {true, std::to_string(reached) + " of " + std::to_string(episodes.size()) +
                      " episodes reached the limit of " + std::to_string(limit) + " steps"};
  }
  return {true, "no tried episode reached the limit of " + std::to_string(limit) +
                    " steps; the longest took " + std::to_string(longest)};
}

}  // namespace icct
