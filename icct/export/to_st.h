#pragma once

#include <string>

#include "icct/policy/policy.h"

namespace icct {

// The deployed function of a tree as a function block of IEC 61131-3 structured text, for PLCs:
// named inputs and outputs, VALID says whether the observation was finite (else the action is the
// safe one, or stays as it was). Standard operators and the functions EXP, LIMIT and MAX only. EXP
// is the controller's own, so that actions differ from act() by rounding; decisions are exact.
// `single_precision`: REAL instead of LREAL. `name` must be an identifier. Throws Error if the
// policy is a network or deeper than 100 decisions.
std::string to_st(const Policy& policy, const std::string& name, bool single_precision);

}  // namespace icct
