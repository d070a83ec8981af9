#pragma once

namespace icct {

// 1 / (1 + e^-x), within 6e-16 of it (relative) for x >= -700, 0 below. Two properties that
// std::tanh and std::exp do not promise: it does not decrease in x, rounding included, so that what
// is proven at the ends of an interval holds inside it; and it gives the same bits wherever doubles
// are IEEE, as it only adds, multiplies and divides. x may be infinite.
double logistic(double x);

}  // namespace icct
