#pragma once

#include <string>

#include "icct/policy/policy.h"

namespace icct {

// Changes one thing of a tree, given as "TARGET=VALUE":
//   node3.threshold=0.25             of a node, by its name
//   node3.observation=height         what it asks for
//   leaf2.main_engine.bias=0.1       of the controller of an action at a leaf
//   leaf2.main_engine.gain.angle=1.8 adds the term if there is none; 0 drops it
//   node3.name=too_low               of a node or leaf
// Blanks around "=" do not count. Throws Error saying what is wrong and what there is; the policy
// is then as it was. The result is valid if `policy` was.
void apply_edit(Policy& policy, const std::string& assignment);

}  // namespace icct
