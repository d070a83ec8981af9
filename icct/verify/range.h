#pragma once

#include <vector>

#include "icct/verify/box.h"

namespace icct {

// The smallest or largest value of an action, and an observation where it is taken.
struct Extreme {
  double value = 0;
  std::vector<double> at;
  int leaf = 0;
};

struct ActionRange {
  Extreme min, max;
};

// The largest or smallest output of a controller inside a box. Exact: act() computes the very same
// number at a corner and none beyond it anywhere in the box, because evaluate() does not
// decrease or does not increase in each observation, rounding included.
double extreme_output(const Controller& controller, const Box& box, bool largest);

// The corner of the box where the controller's output is largest (or smallest); observations that
// it does not use are as in the centre of the box.
std::vector<double> extreme_corner(const Controller& controller, const Box& box, bool largest);

// Throws Error if the box is empty or has another number of observations than the policy.
void require_box(const Policy& policy, const Box& box);

// The exact range of every action of a tree over a box, with observations where the ends are taken.
// Throws Error if the box is empty, does not fit, or the policy is no tree.
std::vector<ActionRange> action_ranges(const Policy& policy, const Box& box);

// The same for each leaf that the box reaches.
struct LeafRange {
  int leaf;
  Box part;  // of the box
  std::vector<ActionRange> actions;
};
std::vector<LeafRange> leaf_ranges(const Policy& policy, const Box& box);

// The leaves that no observation in the box reaches, ascending.
std::vector<int> unreachable_leaves(const Tree& tree, const Box& box);

}  // namespace icct
