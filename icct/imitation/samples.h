#pragma once

#include <span>

#include "icct/base/matrix.h"

namespace icct {

// What a tree is fitted to: outputs that it should give at inputs. One sample per row.
struct Samples {
  MatrixView<const double> x;            // samples x features
  MatrixView<const double> y;            // samples x outputs
  std::span<const double> weights = {};  // one per sample, positive; empty: 1 each

  double weight(int sample) const { return weights.empty() ? 1 : weights[sample]; }
};

// Throws Error, naming sample and column, unless there is at least one sample, all sizes fit, all
// numbers are finite and all weights positive.
void validate(const Samples& samples);

}  // namespace icct
