#include "icct/run/curve_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr double kLargestDrawable = 1e100;

struct Returns {
  std::vector<double> low;   // what may lie outside the picture
  std::vector<double> high;  // what may not
};

void keep(double value, std::vector<double>& values) {
  if (drawable(value)) values.push_back(value);
}

Returns returns_of(const Progress& progress) {
  Returns returns;
  for (const ProgressRow& row : progress.rows) {
    const double band = drawable(row.validation_error) ? 2 * row.validation_error : 0;
    keep(row.validation_mean - band, returns.low);
    keep(row.training_return, returns.low);
    keep(row.validation_mean + band, returns.high);
    keep(row.training_return, returns.high);
    keep(row.best_validation, returns.high);
  }
  return returns;
}

double quantile(const std::vector<double>& ascending, double fraction) {
  return ascending[static_cast<std::size_t>(fraction * static_cast<double>(ascending.size() - 1))];
}

// At most the worst tenth is cut off, and only what is far below the bulk. Where the bulk is one
// flat line, the way up to it from zero stays visible.
double robust_lower(std::vector<double> values, double upper) {
  std::sort(values.begin(), values.end());
  const double quarter = quantile(values, 0.25);
  const double spread = quantile(values, 0.75) - quarter;
  const double bulk = std::min(quantile(values, 0.1), quarter - 1.5 * spread);
  return std::max(values.front(), std::min(bulk, upper - std::abs(upper)));
}

AxisRange with_margin(double lower, double upper) {
  const double size = std::max(std::abs(lower), std::abs(upper));
  double margin = 0.05 * (upper - lower);
  // Values that are all the same still need an axis.
  if (upper - lower <= 1e-6 * size) margin = std::max(0.1 * size, 1e-100);
  if (size == 0) margin = 1;
  return {lower - margin, upper + margin};
}

}  // namespace

bool drawable(double value) {
  return std::abs(value) <= kLargestDrawable;
}

AxisRange steps_range(const Progress& progress) {
  const double last = progress.rows.empty() ? 0 : static_cast<double>(progress.rows.back().steps);
  return {0, std::max(last, 10.0)};
}

AxisRange return_range(const Progress& progress, std::optional<double> reference) {
  Returns returns = returns_of(progress);
  if (reference) keep(*reference, returns.high);
  if (returns.high.empty()) return {};
  const double upper = *std::max_element(returns.high.begin(), returns.high.end());
  double lower = returns.low.empty() ? upper : robust_lower(returns.low, upper);
  if (reference && drawable(*reference)) lower = std::min(lower, *reference);
  return with_margin(lower, upper);
}

std::string steps_text(double steps) {
  if (steps >= 1e9) return rounded_text(steps / 1e9, 4) + "G";
  if (steps >= 1e6) return rounded_text(steps / 1e6, 4) + "M";
  if (steps >= 1e3) return rounded_text(steps / 1e3, 4) + "k";
  return rounded_text(steps, 4);
}

}  // namespace icct
