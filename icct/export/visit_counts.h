#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "icct/tree/tree.h"

namespace icct {

// How often each node and leaf of a tree was used.
struct VisitCounts {
  std::vector<std::int64_t> splits, leaves;  // by index
  std::int64_t total = 0;                    // observations that reached the tree
  std::int64_t invalid = 0;                  // others: NaN or infinite
  std::vector<double> smallest, largest;     // of each observation; empty while there is none
};

VisitCounts no_visits(const Tree& tree);

// Adds one observation, which must fit the tree.
void count_visit(const Tree& tree, std::span<const double> x, VisitCounts& visits);

// From 0 to 1; 0 if nothing was counted.
double visit_share(const VisitCounts& visits, NodeRef ref);

// "12.3 %", "never"; "0.0 %" is not said of what was used.
std::string share_text(const VisitCounts& visits, NodeRef ref);

// "2000 observations; never used: leaf3, leaf5"
std::string visits_summary(const VisitCounts& visits, const Tree& tree);

// The leaves that were never used, in their order.
std::vector<int> dead_leaves(const VisitCounts& visits);

}  // namespace icct
