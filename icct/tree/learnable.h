#pragma once

#include "icct/tree/fuzzy_tree.h"
#include "icct/tree/tree.h"

namespace icct {

// The deepest crisp tree that can be made learnable: a learnable tree is perfect, and every
// decision on the longest path doubles its leaves.
inline constexpr int kMaxLearnableDepth = 12;

// Options of the smallest learnable tree that can compute a crisp one, with at least `leaves`
// leaves and `features` features per controller. Throws Error if the tree is deeper than
// kMaxLearnableDepth.
TreeOptions learnable_options(const Tree& tree, int observations, int actions, int leaves,
                              int features);

// The learnable tree that computes the same function as a crisp one, the way back from crispify:
// for every observation crispify(learnable(tree, ...)) gives the same outputs, bit for bit. Where
// the crisp tree has a leaf and the perfect one still nodes, these have no weights, always decide
// yes and end in copies of the leaf. Standard deviations are those of the leaf, or `log_std` where
// it has none. `options` must hold the tree, see learnable_options.
FuzzyTree<double> learnable(const Tree& tree, const TreeOptions& options, double log_std);

// Gives splits and leaves of a tree that was learned from `start` the names that stand in the same
// places there. A split that asks something else by now has no name, nor has anything that was
// called by a number.
void keep_names(const Tree& start, Tree& learned);

}  // namespace icct
