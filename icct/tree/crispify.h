#pragma once

#include "icct/tree/fuzzy_tree.h"
#include "icct/tree/tree.h"

namespace icct {

// The tree people read, from the tree that was learned; the only way across.
//
// Crisp nodes (ICCT): the same function. Every observation reaches the same leaf, and its
// controllers hold the same numbers in the same order. A node whose outcome does not depend on the
// observation disappears with the branch that it never takes, so the result may have fewer leaves.
// Soft nodes (CDDT): the post-hoc conversion of the paper, section 3.1.1. Each node keeps only its
// largest weight and becomes a step; the result is another function. Throws Error if a parameter is
// not finite.
template <class T>
Tree crispify(const FuzzyTree<T>& fuzzy);

}  // namespace icct
