#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icct/train/progress.h"

namespace icct {

// What an axis shows; lower < upper, both drawable.
struct AxisRange {
  double lower = 0;
  double upper = 1;
};

// Whether a number has a place on an axis: not NaN, not infinite, not beyond 1e100.
bool drawable(double value);

// From 0 to the steps of the last row, at least 10.
AxisRange steps_range(const Progress& progress);

// All good returns, their error bands and `reference`, but of the bad ones only so much that a few
// terrible values do not squash the rest.
AxisRange return_range(const Progress& progress, std::optional<double> reference);

// "0", "500k", "1.5M"
std::string steps_text(double steps);

}  // namespace icct
