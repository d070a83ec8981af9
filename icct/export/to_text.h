#pragma once

#include <string>

#include "icct/export/phrases.h"
#include "icct/export/visit_counts.h"
#include "icct/policy/policy.h"

namespace icct {

// The tree drawn with lines of text, one line per decision and per action; with `visits`, how often
// each node and leaf is used. Ends with a newline.
std::string to_text(const Policy& policy, const TextOptions& options,
                    const VisitCounts* visits = nullptr);

// One paragraph per leaf: its conditions, merged per feature, then the consequence. Ends with a
// newline.
std::string to_paragraphs(const Policy& policy, const TextOptions& options,
                          const VisitCounts* visits = nullptr);

// The paragraph of one leaf.
std::string to_paragraph(const Policy& policy, const LeafRegion& region,
                         const TextOptions& options);

}  // namespace icct
