#pragma once

#include <string>

#include "icct/train/progress.h"

namespace icct {

// The rows as comma-separated values below a line of column names: the fields of ProgressRow in
// their order, then the details. Numbers read back exactly; NaN is an empty field; texts with
// commas, quotes or line breaks are quoted.
std::string to_csv(const Progress& progress);

}  // namespace icct
