#pragma once

#include <span>
#include <string>

#include "examples/approximate/approximate.h"

namespace icct {

// An SVG document of two panels: `target` (of one input) with its static and linear trees of eight
// leaves, and the errors of all `curves` over their leaves on logarithmic axes, each with a dotted
// line of the predicted slope through its last point.
std::string draw_picture(const Target& target, std::span<const Curve> curves);

}  // namespace icct
