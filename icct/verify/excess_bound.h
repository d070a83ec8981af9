#pragma once

#include <span>

#include "icct/verify/excess.h"

// Bounds for the pieces of the path that largest_excess() searches.
namespace icct {

// A point of the path, where one observation has the value `at`.
struct PathPoint {
  double at;
  double u, v;    // outputs of a and b, rounded as act() rounds them
  double excess;  // of the actions
  double size_a = 0,
         size_b = 0;  // |bias| + sum |gain * x|, which the rounding of u and v grows with
};

struct PieceBound {
  double value;  // not exceeded on the piece, nor by observations that the piece stands for
  double noise;  // what halving the piece cannot take away from it; 0 if it can take all
};

class ExcessBounds {
 public:
  // With `box`, the path has several edges, and its points may be exceeded by other observations of
  // the box, by as much as rounding can move u and v anywhere in it.
  ExcessBounds(const Response& a, const Response& b, const Dimension& action, const Box* box);

  PathPoint point(std::span<const double> x, double at) const;

  // For the piece between two points; u and v rise by rise_a and rise_b per unit of distance.
  PieceBound bound(const PathPoint& from, const PathPoint& to, double rise_a, double rise_b) const;

 private:
  PieceBound bound_by_slope(const PathPoint& from, const PathPoint& to, double rise_a,
                            double rise_b) const;

  const Response& a_;
  const Response& b_;
  const Dimension& action_;
  bool several_edges_;
  double box_size_a_ = 0, box_size_b_ = 0;  // the largest size_a and size_b in the box
};

}  // namespace icct
