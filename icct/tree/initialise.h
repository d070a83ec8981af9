#pragma once

#include "icct/base/matrix.h"
#include "icct/base/rng.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

// The published initialisation: node weights uniform in [0, 1), thresholds normal, steepness 1,
// static means and log standard deviations Xavier uniform, complete controllers uniform within 1 /
// sqrt(m), sparse ones Xavier normal. It supposes observations of order one: if they are not, most
// leaves are never reached.
template <class T>
void initialise_published(FuzzyTree<T>& tree, Rng& rng);

// Leaves as published, but nodes that split what is really observed: every node gets a random
// feature that varies among the observations reaching it, the median of that feature as its
// threshold (so each leaf receives its share), a weight of 1 for it and smaller ones for the
// others, and a steepness of one over its spread there. `observations` holds one sample per row;
// needs at least one row. Falls back to the published form where nothing varies.
template <class T>
void initialise_balanced(FuzzyTree<T>& tree, MatrixView<const T> observations, Rng& rng);

}  // namespace icct
