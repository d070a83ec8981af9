#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icct/env/conformance/recording.h"
#include "icct/env/environment.h"

namespace icct {

// The single checks behind check_environment. All may run episodes; none minds what ran before.

struct Finding {
  bool passed;
  std::string explanation;
};

// Whole episodes under various actions, shared by the checks that only look. None is empty.
using Survey = std::vector<Recording>;

// Looking at a survey.
Finding observations_are_finite(Environment& environment, const Survey& episodes);
Finding observations_are_in_bounds(Environment& environment, const Survey& episodes);
Finding rewards_are_finite(Environment& environment, const Survey& episodes);
Finding episodes_end_for_one_reason(Environment& environment, const Survey& episodes);
Finding time_limit_truncates(Environment& environment, const Survey& episodes);

// Repeating short runs.
Finding resets_are_deterministic(Environment& environment, const Survey& episodes);
Finding steps_are_deterministic(Environment& environment, const Survey& episodes);
Finding episodes_are_independent(Environment& environment, const Survey& episodes);
Finding seeds_differ(Environment& environment, const Survey& episodes);

// Trying actions at, beyond and outside of what is allowed.
Finding extreme_actions_are_handled(Environment& environment, const Survey& episodes);
Finding bad_numbers_are_refused(Environment& environment, const Survey& episodes);
Finding wrong_sizes_are_refused(Environment& environment, const Survey& episodes);

// Passes exactly when both recordings are equal; `otherwise` says what a difference means.
Finding equal_runs(const Recording& first, const Recording& second, const std::string& otherwise);

// "37 steps in 2 episodes", "after step 12 (seed 3)"; step 0 is the reset.
std::string describe_amount(const Survey& episodes);
std::string describe_place(const Recording& episode, std::size_t step);

}  // namespace icct
