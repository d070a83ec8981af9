#include "icct/rl/normal_noise.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "icct/nn/elementary.h"

namespace icct {
namespace {

constexpr std::size_t kPairs = 64;  // made at a time

// Box and Muller's method: a uniform radius and a uniform angle give two independent numbers.
void box_muller(const std::int32_t (&radius_bits)[kPairs], const std::int32_t (&angle_bits)[kPairs],
                float (&values)[2 * kPairs]) {
#pragma omp simd
  for (std::size_t i = 0; i < kPairs; ++i) {
    const float uniform = (static_cast<float>(radius_bits[i]) + 0.5f) * 0x1p-31f;  // in (0, 1]
    const float radius = std::sqrt(-2.0f * fast_log(uniform));
    const SineCosine angle = fast_sine_cosine(static_cast<float>(angle_bits[i]) * 0x1p-24f);
    values[i] = radius * angle.cosine;
    values[kPairs + i] = radius * angle.sine;
  }
}

}  // namespace

void fill_normal(Rng& rng, std::span<float> values) {
  std::int32_t radius_bits[kPairs] = {};
  std::int32_t angle_bits[kPairs] = {};
  float made[2 * kPairs];
  while (!values.empty()) {
    const std::size_t count = std::min(values.size(), 2 * kPairs);
    const std::size_t pairs = (count + 1) / 2;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::uint64_t word = rng.next();
      radius_bits[i] = static_cast<std::int32_t>(word >> 33);
      angle_bits[i] = static_cast<std::int32_t>(word & 0xffffff);
    }
    box_muller(radius_bits, angle_bits, made);
    std::copy_n(made, pairs, values.begin());
    std::copy_n(made + kPairs, count - pairs, values.begin() + static_cast<std::ptrdiff_t>(pairs));
    values = values.subspan(count);
  }
}

}  // namespace icct
