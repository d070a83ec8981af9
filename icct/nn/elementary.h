#pragma once

#include <bit>
#include <cstdint>
#include <limits>

// Elementary functions in single precision without branches, tables or errno, so that loops over
// them become vector code. Relative errors are below 2e-7 (tests/nn/elementary_test.cc).
// Polynomials from the Cephes library (Moshier); NaN gives NaN.

namespace icct {

// e^x; 0 below -87.3, infinity above 88.7.
inline float fast_exp(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  const float bounded = x < -87.3f ? -87.3f : (x > 88.7f ? 88.7f : x);
  const float shifted = bounded * 1.44269504088896341f + kRound;
  const float n = shifted - kRound;
  const float r = (bounded - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float value = p * r * r + r + 1.0f;
  // 2^n in two factors: n may be 128, whose power alone would not fit.
  const auto exponent = static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(shifted) -
                                                  std::bit_cast<std::uint32_t>(kRound));
  const std::int32_t half = exponent >> 1;
  const float low = std::bit_cast<float>((half + 127) << 23);
  const float high = std::bit_cast<float>((exponent - half + 127) << 23);
  const float result = value * low * high;
  const float capped = x > 88.7f ? std::numeric_limits<float>::infinity() : result;
  return x < -87.3f ? 0.0f : capped;
}

// Natural logarithm of a positive normal number.
inline float fast_log(float x) {
  // x = m * 2^e with m in [sqrt(1/2), sqrt(2)).
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t above = bits - 0x3f3504f3u;
  const auto e = static_cast<float>(static_cast<std::int32_t>(above) >> 23);
  const float m = std::bit_cast<float>((above & 0x007fffffu) + 0x3f3504f3u) - 1.0f;
  float p = 7.0376836292e-2f;
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  const float square = m * m;
  const float tail = p * m * square - 0.5f * square + e * -2.12194440e-4f;
  const float value = m + tail + e * 0.693359375f;
  return x == x ? value : x;
}

inline float fast_tanh(float x) {
  const float size = x < 0 ? -x : x;
  const float square = x * x;
  float p = -5.70498872745e-3f;
  p = p * square + 2.06390887954e-2f;
  p = p * square - 5.37397155531e-2f;
  p = p * square + 1.33314422036e-1f;
  p = p * square - 3.33332819422e-1f;
  const float near_zero = p * square * x + x;
  const float far = 1.0f - 2.0f / (fast_exp(2.0f * size) + 1.0f);
  return size < 0.625f ? near_zero : (x < 0 ? -far : far);
}

struct SineCosine {
  float sine, cosine;
};

// Sine and cosine of `turns` full circles, 0 <= turns <= 1. Absolute error below 2e-7.
inline SineCosine fast_sine_cosine(float turns) {
  // Either neighbour of a halfway point will do. NOLINTNEXTLINE(bugprone-incorrect-roundings)
  const auto quarter = static_cast<std::int32_t>(turns * 4.0f + 0.5f);
  const float angle = (turns * 4.0f - static_cast<float>(quarter)) * 1.57079632679489662f;
  const float square = angle * angle;
  float s = -1.9515295891e-4f;
  s = s * square + 8.3321608736e-3f;
  s = s * square - 1.6666654611e-1f;
  s = s * square * angle + angle;
  float c = 2.443315711809948e-5f;
  c = c * square - 1.388731625493765e-3f;
  c = c * square + 4.166664568298827e-2f;
  c = c * square * square - 0.5f * square + 1.0f;
  const bool swap = (quarter & 1) != 0;
  const float sine = swap ? c : s;
  const float cosine = swap ? s : c;
  return {(quarter & 2) != 0 ? -sine : sine, ((quarter + 1) & 2) != 0 ? -cosine : cosine};
}

}  // namespace icct
