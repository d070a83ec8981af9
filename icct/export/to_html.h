#pragma once

#include <string>

#include "icct/export/phrases.h"
#include "icct/export/visit_counts.h"

namespace icct {

// A page of its own that needs no network: the tree with folding, zoom and search; sliders for the
// observations that light up the path and show the action; the regions of the leaves over two
// observations. It evaluates with the very script of to_js. With `visits`, how often everything is
// used. Throws Error if the policy is a network.
std::string to_html(const Policy& policy, const TextOptions& options,
                    const VisitCounts* visits = nullptr);

}  // namespace icct
