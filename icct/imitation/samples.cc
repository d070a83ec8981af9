#include "icct/imitation/samples.h"

#include <cmath>
#include <string>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

void require_finite(MatrixView<const double> values, const std::string& what) {
  for (int i = 0; i < values.rows; ++i) {
    for (int j = 0; j < values.columns; ++j) {
      if (std::isfinite(values(i, j))) continue;
      throw Error("sample " + std::to_string(i) + ": " + what + " " + std::to_string(j) + " is " +
                  exact_text(values(i, j)) + "; a tree can be fitted to finite numbers only");
    }
  }
}

}  // namespace

void validate(const Samples& samples) {
  if (samples.x.rows == 0)
    throw Error("there are no samples; a tree needs at least one to be fitted to");
  if (samples.x.columns == 0 || samples.y.columns == 0)
    throw Error("samples need at least one feature and one output");
  const auto rows = static_cast<std::size_t>(samples.x.rows);
  if (samples.y.rows != samples.x.rows ||
      (!samples.weights.empty() && samples.weights.size() != rows))
    throw Error("there are " + std::to_string(rows) + " samples with features, " +
                std::to_string(samples.y.rows) + " with outputs and " +
                std::to_string(samples.weights.size()) + " weights; there must be as many of each");
  require_finite(samples.x, "feature");
  require_finite(samples.y, "output");
  for (std::size_t i = 0; i < samples.weights.size(); ++i) {
    if (samples.weights[i] > 0 && std::isfinite(samples.weights[i])) continue;
    throw Error("sample " + std::to_string(i) + ": its weight is " +
                exact_text(samples.weights[i]) + "; it must be positive and finite");
  }
}

}  // namespace icct
