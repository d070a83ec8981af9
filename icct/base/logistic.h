#pragma once

namespace icct {

// 1 / (1 + e^-x), within 6e-16 of it (relative) for x >= -700, 0 below. Two properties that
// std::tanh and std::exp do not promise: it does not decrease in x, rounding included, so that what
// is proven at the ends of an interval holds inside it; and it gives the same bits wherever doubles
// are IEEE, as it only adds, multiplies and divides. x may be infinite.
double logistic(double x);

// The numbers it is made of, for programs that compute it elsewhere: e^-x is taken in steps of
// ln 2 / 32, kLogisticPowers[j] is 2^(j / 32) rounded to nearest, and the high part of a step has
// 36 bits, so that its products with numbers of steps are exact.
extern const double kLogisticPowers[33];
inline constexpr double kLogisticStepsPerUnit = 0x1.71547652b82fep+5;
inline constexpr double kLogisticStepHigh = 0x1.62e42fefa0000p-6;
inline constexpr double kLogisticStepLow = 0x1.cf79abc9e3b3ap-45;
inline constexpr double kLogisticLargest = 700;  // beyond that of either sign it is 0 or 1

}  // namespace icct
