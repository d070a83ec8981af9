#pragma once

#include <string>
#include <vector>

#include "icct/env/environment.h"

namespace icct {

struct CheckResult {
  std::string name;  // what should hold, e.g. "steps_are_deterministic"
  bool passed = false;
  std::string explanation;  // what was seen, pass or fail
};

// Runs `environment` through everything the interface promises, by the interface alone: a few
// hundred short runs and eight whole episodes (each cut at 5000 steps). Always the same list in the
// same order; a check that an earlier failure makes pointless fails as "not run". What cannot be
// seen from outside: whether a diverging run aborts, and a time limit that no tried episode
// reaches.
std::vector<CheckResult> check_environment(Environment& environment);

bool all_passed(const std::vector<CheckResult>& results);

}  // namespace icct
