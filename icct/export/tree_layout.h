#pragma once

#include <vector>

#include "icct/export/visit_counts.h"
#include "icct/tree/tree.h"

namespace icct {

// A split or leaf of a drawing, or a subtree folded into one box.
struct DrawnNode {
  NodeRef ref;
  int parent = -1;  // in the list; -1 for the root
  bool yes = true;  // the branch of the parent
  int level = 0;
  int leaves = 1;      // below it, in the whole tree
  bool is_end = true;  // a leaf or a folded subtree: nothing is drawn below it
  double row = 0;      // its middle, in rows; filled by place_rows
};

// What is drawn of a tree: all of it if it has at most `most_ends` leaves. Otherwise subtrees are
// folded, those first that are used least (without visits: that have the fewest leaves), until no
// more ends are left. Depth first, yes before no, so parents stand before their children.
std::vector<DrawnNode> drawn_nodes(const Tree& tree, int most_ends, const VisitCounts* visits);

// Places ends below each other, each as high as `height` says, and every split in the middle
// between its two branches. Returns the height of all.
double place_rows(std::vector<DrawnNode>& nodes, const std::vector<double>& height);

}  // namespace icct
