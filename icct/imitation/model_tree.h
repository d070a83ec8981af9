#pragma once

#include "icct/imitation/samples.h"
#include "icct/tree/tree.h"

namespace icct {

// What a controller's output means.
enum class Link {
  Identity,  // the output itself
  Tanh,      // its tanh; outputs of the samples lie in [-1, 1]
};

struct ModelTreeOptions {
  int max_leaves = 8;        // grown where the error falls most, >= 1
  int max_terms = 2;         // features per leaf and output, >= 0; 0: constants
  int max_depth = 1000;      // decisions on a path, 0 .. 1000
  int min_leaf_samples = 1;  // in every leaf, >= 1
  Link link = Link::Identity;
};

// Throws Error naming the field, its value and its range.
void validate(const ModelTreeOptions& options);

// A tree whose leaves are sparse linear controllers, one per output, each with features of its own.
// A split is chosen for what the best sparse controllers on both sides make of it, at quantiles of
// what reaches the node. Stops where splitting helps no more. Throws Error if options or samples
// are not valid.
Tree fit_model_tree(const Samples& samples, const ModelTreeOptions& options);

}  // namespace icct
