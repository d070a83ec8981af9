#pragma once

#include "icct/imitation/samples.h"
#include "icct/tree/tree.h"

namespace icct {

struct CartOptions {
  int max_leaves = 0;        // grown where the error falls most; 0: no limit
  int max_depth = 1000;      // decisions on a path, 0 .. 1000
  int min_leaf_samples = 1;  // in every leaf, >= 1
  double pruning = 0;        // squared error per sample and output that a leaf must save, >= 0
};

// Throws Error naming the field, its value and its range.
void validate(const CartOptions& options);

// A regression tree (CART, Breiman et al., 1984) for several outputs: every split leaves the
// smallest squared error, every leaf holds the mean of its samples as constant controllers, one per
// output. The same tree as scikit-learn's DecisionTreeRegressor with max_leaf_nodes, max_depth,
// min_samples_leaf and ccp_alpha, but for splits that are equally good, where that one draws lots
// and this one takes the first feature and the lowest threshold. Constant outputs and single
// samples give a single leaf. Throws Error if options or samples are not valid.
Tree fit_cart(const Samples& samples, const CartOptions& options);

}  // namespace icct
