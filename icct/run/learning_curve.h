#pragma once

#include <optional>
#include <string>

#include "icct/train/progress.h"

namespace icct {

struct CurveLabels {
  std::string title = {};
  std::string y_axis = "return";
  std::optional<double> final_return = {};  // drawn as a horizontal line if given
  std::string final_label = "fresh episodes";
};

// A picture of a run, complete in itself: returns over environment steps. Validation mean with a
// band of two standard errors, the best kept, training return and the changes of stage. NaN leaves
// a gap. Any progress has a picture, also one without rows.
std::string learning_curve_svg(const Progress& progress, const CurveLabels& labels);

}  // namespace icct
