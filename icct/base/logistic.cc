#include "icct/base/logistic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace icct {

const double kLogisticPowers[33] = {
    0x1.0000000000000p+0, 0x1.059b0d3158574p+0, 0x1.0b5586cf9890fp+0, 0x1.11301d0125b51p+0,
    0x1.172b83c7d517bp+0, 0x1.1d4873168b9aap+0, 0x1.2387a6e756238p+0, 0x1.29e9df51fdee1p+0,
    0x1.306fe0a31b715p+0, 0x1.371a7373aa9cbp+0, 0x1.3dea64c123422p+0, 0x1.44e086061892dp+0,
    0x1.4bfdad5362a27p+0, 0x1.5342b569d4f82p+0, 0x1.5ab07dd485429p+0, 0x1.6247eb03a5585p+0,
    0x1.6a09e667f3bcdp+0, 0x1.71f75e8ec5f74p+0, 0x1.7a11473eb0187p+0, 0x1.82589994cce13p+0,
    0x1.8ace5422aa0dbp+0, 0x1.93737b0cdc5e5p+0, 0x1.9c49182a3f090p+0, 0x1.a5503b23e255dp+0,
    0x1.ae89f995ad3adp+0, 0x1.b7f76f2fb5e47p+0, 0x1.c199bdd85529cp+0, 0x1.cb720dcef9069p+0,
    0x1.d5818dcfba487p+0, 0x1.dfc97337b9b5fp+0, 0x1.ea4afa2a490dap+0, 0x1.f50765b6e4540p+0,
    0x1.0000000000000p+1};

namespace {

// e^x for |x| <= 700, not decreasing in x. On each of the steps of ln 2 / 32 a sum of products of
// numbers that are not negative and do not decrease; between steps the table's entries ascend, and
// no value exceeds the next entry.
double ascending_exp(double x) {
  const double step = std::floor(x * kLogisticStepsPerUnit);
  const double r = std::max(0.0, (x - step * kLogisticStepHigh) - step * kLogisticStepLow);
  double p = 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  const auto n = static_cast<std::int64_t>(step);
  const auto j = static_cast<std::size_t>(n & 31);
  const auto power_of_two =
      std::bit_cast<double>(static_cast<std::uint64_t>((n >> 5) + 1023) << 52);
  return std::min(kLogisticPowers[j] * p, kLogisticPowers[j + 1]) * power_of_two;
}

}  // namespace

double logistic(double x) {
  if (x < -kLogisticLargest) return 0;
  return 1.0 / (1.0 + ascending_exp(std::max(-x, -kLogisticLargest)));
}

}  // namespace icct
