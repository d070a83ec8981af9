#pragma once

#include <string>

#include "icct/export/phrases.h"
#include "icct/export/visit_counts.h"

namespace icct {

inline constexpr int kMostDrawnLeaves = 64;

// A drawing of the tree for a paper (SVG): blue decisions from left to right, red leaves below each
// other at the right with one line per action, the exact numbers as hints. With `visits`, lines are
// as wide as they are used, and leaves that never were are pale. Of larger trees than
// kMostDrawnLeaves the parts used least are folded. Throws Error if the policy is a network.
std::string to_svg(const Policy& policy, const TextOptions& options,
                   const VisitCounts* visits = nullptr);

}  // namespace icct
