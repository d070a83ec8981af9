#include "icct/rl/check_finite.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

// NaN and infinity are the numbers that do not give 0 when multiplied by it.
bool is_finite(std::span<const float> values) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * 0.0f;
  return sum == 0;
}

void check_field(std::string_view name, std::span<const float> values, int batch) {
  if (is_finite(values)) return;
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  const auto columns = static_cast<std::ptrdiff_t>(values.size()) / batch;
  throw Error("batch: " + std::string(name) + " of sample " +
              std::to_string((bad - values.begin()) / columns) + " is " +
              exact_text(static_cast<double>(*bad)) +
              "; nothing was learned from it, check where the transition comes from");
}

}  // namespace

void check_finite(const Batch& batch) {
  check_field("the observation", batch.observations, batch.size);
  check_field("the next observation", batch.next_observations, batch.size);
  check_field("the action", batch.actions, batch.size);
  check_field("the reward", batch.rewards, batch.size);
  check_field("the terminated flag", batch.terminated, batch.size);
}

void check_finite_loss(std::string_view algorithm, std::string_view which, std::int64_t update,
                       double loss) {
  if (std::isfinite(loss)) return;
  throw Error(std::string(algorithm) + " update " + std::to_string(update) + ": the " +
              std::string(which) + " loss is " + exact_text(loss) +
              ", learning has diverged; lower the learning rates or scale the rewards down");
}

}  // namespace icct
