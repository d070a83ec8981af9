#pragma once

#include <string>

namespace icct {

// What verbs that run episodes share.

// As many at the same time as the machine has cores.
int all_cores();

// The environment asked for, or else the one that the policy of `file` is for; throws Error if
// there is neither.
std::string environment_name(const std::string& asked, const std::string& of_policy,
                             const std::string& file);

}  // namespace icct
