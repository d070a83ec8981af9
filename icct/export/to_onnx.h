#pragma once

#include <string>

#include "icct/policy/policy.h"

namespace icct {

// The deployed function of a tree as the bytes of an ONNX model (opset 13). Input "observation",
// rows x observations; outputs "action", rows x actions, and "valid", rows x 1: false where an
// observation is NaN or infinite, and the action the safe one, or NaN without one. Decisions are
// exact; sums may be taken in another order and tanh is the runtime's, so that actions differ by
// rounding. `single_precision`: float throughout, else double. The number of operators does not
// depend on the tree. Throws Error if the policy is a network or has more than 2000 leaves.
std::string to_onnx(const Policy& policy, bool single_precision);

}  // namespace icct
