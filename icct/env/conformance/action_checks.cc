#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/env/conformance/checks.h"

namespace icct {
namespace {

bool is_finite(const Recording& recording) {
  for (const auto& observation : recording.observations) {
    for (const double value : observation) {
      if (!std::isfinite(value)) return false;
    }
  }
  return std::all_of(recording.steps.begin(), recording.steps.end(),
                     [](const Step& step) { return std::isfinite(step.reward); });
}

// A few steps with one action entry held at `value`, or nothing if the environment refuses it.
std::optional<Recording> hold(Environment& environment, std::size_t entry, double value) {
  std::vector<double> action = middle_action(environment.actions());
  action[entry] = value;
  try {
    return record(environment, 15, constant_action(action), 5);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// One action entry at one of its bounds, a little beyond it and far beyond it.
Finding handles_bound(Environment& environment, std::size_t entry, double bound, double outwards) {
  const std::string name = "'" + environment.actions()[entry].name + "' = ";
  const auto at_bound = hold(environment, entry, bound);
  if (!at_bound) return {false, name + exact_text(bound) + " is refused, though within the bounds"};
  std::string handling;
  for (const double value : {bound, bound + outwards, bound + outwards * 1e6}) {
    const auto run = hold(environment, entry, value);
    if (run && !is_finite(*run)) {
      return {false, name + exact_text(value) + " leads to numbers that are not finite"};
    }
    if (value == bound) continue;
    handling += (handling.empty() ? "" : ", ") + name + exact_text(value) +
                (!run                ? " is refused"
                 : *run == *at_bound ? " is clipped"
                                     : " is used as it is");
  }
  return {true, handling};
}

bool refuses(Environment& environment, std::span<const double> action) {
  std::vector<double> observation(environment.observations().size());
  try {
    environment.step(action, observation);
  } catch (const Error&) {
    return true;
  }
  return false;
}

}  // namespace

Finding extreme_actions_are_handled(Environment& environment, const Survey&) {
  const Space& actions = environment.actions();
  std::string seen;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    for (const double sign : {-1.0, 1.0}) {
      const double bound = sign < 0 ? actions[i].lower : actions[i].upper;
      if (!std::isfinite(bound)) continue;
      Finding side = handles_bound(environment, i, bound, sign);
      if (!side.passed) return side;
      seen += (seen.empty() ? "" : "; ") + side.explanation;
    }
  }
  return {true, seen.empty() ? "no action has bounds" : seen};
}

Finding bad_numbers_are_refused(Environment& environment, const Survey&) {
  constexpr int steps = 20;
  const Recording undisturbed =
      record(environment, 16, random_actions(environment.actions(), 16), steps);
  const auto choose = random_actions(environment.actions(), 16);
  Recording disturbed = record(environment, 16, choose, 0);
  for (std::size_t i = 0; i < environment.actions().size(); ++i) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<double> action = middle_action(environment.actions());
      action[i] = bad;
      if (refuses(environment, action)) continue;
      return {false, "'" + environment.actions()[i].name + "' = " + exact_text(bad) +
                         " is accepted; throw Error"};
    }
  }
  continue_recording(environment, disturbed, choose, steps);
  return equal_runs(undisturbed, disturbed, "a refused action must leave the episode as it was");
}

Finding wrong_sizes_are_refused(Environment& environment, const Survey&) {
  const std::size_t size = environment.actions().size();
  std::vector<double> action = middle_action(environment.actions());
  action.push_back(0);
  for (const std::size_t wrong : {size - 1, size + 1}) {
    record(environment, 17, constant_action(middle_action(environment.actions())), 0);
    if (!refuses(environment, std::span(action).first(wrong))) {
      return {false, "an action of " + std::to_string(wrong) + " numbers is accepted instead of " +
                         std::to_string(size) + "; throw Error"};
    }
  }
  return {true, "one number too few and one too many"};
}

}  // namespace icct
