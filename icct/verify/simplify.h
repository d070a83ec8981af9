#pragma once

#include <string>
#include <vector>

#include "icct/verify/box.h"

namespace icct {

struct Simplified {
  Policy policy;  // valid; what stays keeps its name and log_std
  // Per action, as of largest_differences(): no observation in the box has a larger difference to
  // the original. 0: the very same function there.
  std::vector<double> bounds;
  std::vector<std::string> changes;  // what was done, for people; empty: nothing
};

// A smaller tree that does the same inside the box. Branches that the box cannot reach go, a split
// whose two sides became the same function is replaced by one of them, and an action that a leaf
// holds at one value loses its terms. With `drop_below`, a share of each action's span, terms go
// too as long as the action of their leaf provably moves by no more than that in all; the middle of
// the observation's range then counts. Throws Error if the policy is no tree, the box does not fit,
// or `drop_below` is not in [0, 1].
Simplified simplify(const Policy& policy, const Box& box, double drop_below = 0);

}  // namespace icct
