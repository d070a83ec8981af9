#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "icct/base/rng.h"
#include "icct/env/environment.h"

namespace icct {

// Everything an environment said in one episode or its beginning.
struct Recording {
  std::uint64_t seed = 0;
  std::vector<std::vector<double>> observations;  // one more than steps: the first is reset's
  std::vector<Step> steps;

  bool ended() const;
  bool operator==(const Recording&) const = default;
};

// Writes the next action.
using ActionChooser = std::function<void(std::span<double> action)>;

// Uniform within the bounds, around 0 (or the only bound) where they are infinite.
ActionChooser random_actions(const Space& actions, std::uint64_t seed);

// The middle of the bounds, or 0 (or the only bound) where they are infinite.
std::vector<double> middle_action(const Space& actions);

ActionChooser constant_action(std::vector<double> action);

// One episode, cut after `max_steps`. Entries of an observation that the environment leaves
// unwritten are NaN.
Recording record(Environment& environment, std::uint64_t seed, const ActionChooser& choose,
                 int max_steps);

// Goes on recording a running episode until it has `max_steps` steps.
void continue_recording(Environment& environment, Recording& recording, const ActionChooser& choose,
                        int max_steps);

}  // namespace icct
