#pragma once

#include <string>

#include "icct/verify/box.h"

// Colours for the values of an action in a slice.
namespace icct {

// "#rrggbb" for a value inside the action's bounds: blue at the lower one, white at 0 (or in the
// middle, if 0 is not inside), red at the upper one.
std::string action_colour(const Dimension& action, double value);

struct PixelBox {
  double left, top, right, bottom;
};

struct LeafAction {
  const Policy& policy;
  int leaf;
  std::size_t action;
};

struct AxisFeatures {
  int x, y;
};

struct ActionFill {
  std::string definition;  // stands before its use; may be empty
  std::string fill;        // the value of a fill attribute
};

// The action over the rectangle `place` that shows the part of a slice: a controller's output is
// constant along parallel lines there, so a linear gradient named `id` tells all of it.
ActionFill action_fill(const LeafAction& action, AxisFeatures axes, const Box& part,
                       const PixelBox& place, const std::string& id);

// A bar with all colours, numbers to its right, name and unit upright beyond.
std::string action_legend(const Dimension& action, const PixelBox& place);

}  // namespace icct
