#pragma once

#include <string>

#include "icct/base/svg.h"
#include "icct/verify/box.h"

namespace icct {

// An axis along the bottom or the left side of a plot.
struct SvgAxis {
  Range values;      // lower < upper, their distance finite
  double from, to;   // where these are
  std::string name;  // with its unit
};
double svg_place(const SvgAxis& axis, double value);

// Line, marks at round numbers, numbers and name. `y` or `x`: where the axis runs.
std::string svg_bottom_axis(const SvgAxis& axis, double y);
std::string svg_left_axis(const SvgAxis& axis, double x);

// A round number with the digits that tell it from the others.
std::string round_number_text(const Range& range, double value);

// "speed [m/s]", or "speed" without a unit.
std::string name_with_unit(const Dimension& dimension);

}  // namespace icct
