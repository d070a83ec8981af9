#pragma once

#include <string>

#include "icct/export/phrases.h"
#include "icct/export/visit_counts.h"

namespace icct {

// The tree for Graphviz: dot -Tpdf. With `visits`, lines are as wide as they are used. Throws Error
// if the policy is a network.
std::string to_dot(const Policy& policy, const TextOptions& options,
                   const VisitCounts* visits = nullptr);

}  // namespace icct
