#pragma once

#include <limits>
#include <vector>

#include "icct/tree/tree.h"

namespace icct {

// A range of one feature; each end belongs to it unless it is open.
struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool lower_open = false;
  bool upper_open = false;

  bool contains(double x) const {
    return (lower_open ? x > lower : x >= lower) && (upper_open ? x < upper : x <= upper);
  }
  // True if no double lies in it.
  bool empty() const;

  bool operator==(const Interval&) const = default;
};

struct FeatureInterval {
  int feature;
  Interval interval;
};

// The observations that reach a leaf: those inside every interval. Features that the path does not
// test are not listed.
struct LeafRegion {
  int leaf;
  std::vector<FeatureInterval>
      conditions;  // in the order in which the path first tests the features

  bool empty() const;  // no observation reaches this leaf
};

// The region of every leaf, in depth-first order, yes before no; all conditions on one feature
// merged.
std::vector<LeafRegion> leaf_regions(const Tree& tree);

}  // namespace icct
