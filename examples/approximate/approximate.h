#pragma once

#include <span>
#include <string>
#include <vector>

#include "icct/tree/fuzzy_tree.h"
#include "icct/tree/tree.h"

// Universal approximation made visible (section "Universal Function Approximation" of the paper):
// trees of growing size, fitted to smooth functions on the unit cube, come as close as one likes.

namespace icct {

// A smooth function on the unit cube.
struct Target {
  std::string formula;  // as people write it
  int inputs;
  double (*value)(std::span<const double> x);
};

// Picked from about two dozen tried for showing the rates early. Others, such as
// sin(2 pi x) + cos(2 pi y), fall more slowly up to 1024 leaves: the rates hold for many leaves,
// and the greedy fit is not the best tree.
Target wave();     // one input
Target surface();  // two inputs

// One tree of the library for each of `sizes` (ascending, from 1), each grown out of the one
// before: the leaf of largest error is split, along the axis and at the place that leave the
// smallest. Leaves are static (a constant) or complete (linear in all inputs), nearly minimax.
std::vector<Tree> fit_trees(const Target& target, LeafKind leaf, std::span<const int> sizes);

// The largest |tree - target| on a regular grid of `points` per axis, ends included. The fit knows
// nothing of this grid.
double sup_error(const Tree& tree, const Target& target, int points);

// How the error falls with the number of leaves.
struct Curve {
  LeafKind leaf;
  int inputs;
  std::vector<int> leaves;  // 1, 2, 4, ...
  std::vector<double> errors;
};

// 1, 2, 4, ... up to `most`.
std::vector<int> doubling_sizes(int most);

// Fits trees of doubling sizes and measures them.
Curve measure_curve(const Target& target, LeafKind leaf, int most_leaves);

// The exponent of N in the theory: N boxes of a cube in d dimensions have sides of N^(-1/d), and a
// smooth function strays from its best constant there by the side, from its best linear function by
// the side squared.
double predicted_slope(LeafKind leaf, int inputs);

// The same as measured: the slope of a straight line through log error over log leaves, from
// `from_leaves` on. Needs two points.
double observed_slope(const Curve& curve, int from_leaves);

// Smaller trees do not yet see the shape of the function; slopes are taken from here on.
inline constexpr int kSlopeFrom = 8;

}  // namespace icct
