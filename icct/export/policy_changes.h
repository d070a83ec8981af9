#pragma once

#include <string>
#include <vector>

#include "icct/policy/policy.h"

namespace icct {

// What is written differently in two policies, one line each, nodes and leaves matched by their
// names: "node3: threshold 0.2 -> 0.25 rad", "leaf2, main_engine: gain of angle 1.5 -> 1.8". Exact
// numbers. Empty if they say the same; where they come from does not count. What differs in effect,
// largest_differences() says.
std::vector<std::string> policy_changes(const Policy& before, const Policy& after);

}  // namespace icct
