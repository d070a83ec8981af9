#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "icct/verify/box.h"

namespace icct {

// A flat cut through what a tree does.
struct Slice {
  int x = 0;  // the observations on the axes, two different ones
  int y = 1;
  Range x_range, y_range;  // lower < upper, their distance finite
  std::vector<double> at;  // the other observations, finite; those on the axes are ignored
  std::optional<std::size_t> action;  // coloured by its value; none: by leaf
};

// A picture of its own (SVG): the regions of the leaves as rectangles in their true places, each
// labelled where its name fits. Coloured by leaf, the same leaf always alike; or by an action's
// value, from blue over white (0, or the middle of the bounds) to red. Throws Error if the slice
// does not fit or the policy is no tree.
std::string slice_svg(const Policy& policy, const Slice& slice);

}  // namespace icct
