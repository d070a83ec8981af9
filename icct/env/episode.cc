#include "icct/env/episode.h"

#include <cmath>
#include <string>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

void EpisodeClock::start() {
  steps_ = 0;
  running_ = true;
}

Step EpisodeClock::finish_step(double reward, bool terminated) {
  ICCT_CHECK(running_);
  ++steps_;
  const bool truncated = !terminated && steps_ >= max_steps_;
  running_ = !terminated && !truncated;
  return {.reward = reward, .terminated = terminated, .truncated = truncated};
}

void require_valid_action(std::span<const double> action, const Space& actions,
                          std::string_view environment) {
  if (action.size() != actions.size()) {
    throw Error(std::string(environment) + ": the action has " + std::to_string(action.size()) +
                " numbers, expected " + std::to_string(actions.size()) + " (" +
                list_names(actions) + ")");
  }
  for (std::size_t i = 0; i < action.size(); ++i) {
    if (std::isfinite(action[i])) continue;
    throw Error(std::string(environment) + ": action '" + actions[i].name + "' is " +
                exact_text(action[i]) + "; give a finite number");
  }
}

}  // namespace icct
