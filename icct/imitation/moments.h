#pragma once

#include <span>
#include <vector>

#include "icct/tree/tree.h"

namespace icct {

// Sums over samples that are all a least-squares fit of one output needs: of the products of any
// two of 1, x[0], ..., x[m - 1], y. Inputs should be of order one and near zero in the mean; then a
// fit from these sums is as good as one from the samples.
class Moments {
 public:
  explicit Moments(int features);

  int features() const { return features_; }
  double weight() const { return sums_[0]; }
  void add(std::span<const double> x, double y, double weight);
  Moments& operator+=(const Moments& other);
  Moments& operator-=(const Moments& other);

 private:
  friend class Sweep;

  int features_;
  std::vector<double> sums_;  // lower triangle, row after row
};

struct LinearFit {
  Controller controller;     // of features in the order they were given to Moments
  double squared_error = 0;  // weighted sum over the samples
};

// A linear controller of at most `max_terms` features: each time the one that lowers the error
// most. Features that say nothing new, or nothing but rounding, are left out.
LinearFit fit_forward(const Moments& moments, int max_terms);

// The same, then single features are exchanged as long as that lowers the error.
LinearFit fit_exchanged(const Moments& moments, int max_terms);

}  // namespace icct
