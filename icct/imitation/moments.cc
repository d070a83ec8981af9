#include "icct/imitation/moments.h"

#include <algorithm>
#include <cmath>

namespace icct {
namespace {

constexpr double kRidge = 1e-6;        // share of the weight added to the square of every gain
constexpr double kNothingNew = 1e-9;   // share of a feature's own variance that the others leave
constexpr double kNegligible = 1e-10;  // share of the outputs' squares that is rounding
constexpr int kExchanges = 20;

}  // namespace

Moments::Moments(int features)
    : features_(features),
      sums_(static_cast<std::size_t>(features + 2) * static_cast<std::size_t>(features + 3) / 2) {}

void Moments::add(std::span<const double> x, double y, double weight) {
  double* row = sums_.data();
  *row++ += weight;
  const auto add_row = [&](double value, int known) {
    const double weighted = weight * value;
    row[0] += weighted;
    for (int j = 0; j < known; ++j) row[1 + j] += weighted * x[j];
    row += 1 + known;
  };
  for (int i = 0; i < features_; ++i) add_row(x[i], i + 1);
  add_row(y, features_);
  *row += weight * y * y;
}

Moments& Moments::operator+=(const Moments& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  return *this;
}

Moments& Moments::operator-=(const Moments& other) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] -= other.sums_[i];
  return *this;
}

// The sweep operator (Goodnight, 1979): solves the normal equations one variable at a time.
class Sweep {
 public:
  explicit Sweep(const Moments& moments)
      : size_(static_cast<std::size_t>(moments.features_) + 2), values_(size_ * size_) {
    const double* sum = moments.sums_.data();
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j <= i; ++j) at(i, j) = at(j, i) = *sum++;
    }
    for (std::size_t i = 1; i + 1 < size_; ++i) at(i, i) += kRidge * moments.weight();
    negligible_ = kNegligible * at(size_ - 1, size_ - 1);
    sweep(0);
    for (std::size_t i = 1; i + 1 < size_; ++i) own_.push_back(at(i, i));
  }

  // By how much feature j, not swept yet, would lower the error.
  double gain(int feature) const {
    const auto j = static_cast<std::size_t>(feature) + 1;
    const double left = at(j, j);
    if (left <= kNothingNew * own_[static_cast<std::size_t>(feature)]) return 0;
    const double gain = at(j, size_ - 1) * at(j, size_ - 1) / left;
    return gain > negligible_ ? gain : 0;
  }
  void take(int feature) { sweep(static_cast<std::size_t>(feature) + 1); }
  double squared_error() const {
    const double left = at(size_ - 1, size_ - 1);
    return left > negligible_ ? left : 0;
  }
  double bias() const { return at(0, size_ - 1); }
  double gain_of(int feature) const { return at(static_cast<std::size_t>(feature) + 1, size_ - 1); }

 private:
  double& at(std::size_t i, std::size_t j) { return values_[i * size_ + j]; }
  const double& at(std::size_t i, std::size_t j) const { return values_[i * size_ + j]; }

  void sweep(std::size_t k) {
    const double pivot = at(k, k);
    for (std::size_t j = 0; j < size_; ++j) at(k, j) /= pivot;
    for (std::size_t i = 0; i < size_; ++i) {
      const double factor = at(i, k);
      if (i == k || factor == 0) continue;
      for (std::size_t j = 0; j < size_; ++j) at(i, j) -= factor * at(k, j);
      at(i, k) = -factor / pivot;
    }
    at(k, k) = 1 / pivot;
  }

  std::size_t size_;
  std::vector<double> values_;
  std::vector<double> own_;  // variance of every feature, times the weight
  double negligible_ = 0;    // what rounding may make of an error or a gain
};

namespace {

// The feature that lowers the error most, -1 if none does.
int best_feature(const Sweep& sweep, int features, const std::vector<int>& taken) {
  int best = -1;
  double best_gain = 0;
  for (int j = 0; j < features; ++j) {
    if (std::ranges::find(taken, j) != taken.end()) continue;
    const double gain = sweep.gain(j);
    if (gain > best_gain) {
      best = j;
      best_gain = gain;
    }
  }
  return best;
}

Sweep swept(const Moments& moments, const std::vector<int>& taken) {
  Sweep sweep(moments);
  for (const int feature : taken) sweep.take(feature);
  return sweep;
}

LinearFit fit_of(const Sweep& sweep, std::vector<int> taken) {
  std::ranges::sort(taken);
  LinearFit fit;
  fit.squared_error = sweep.squared_error();
  fit.controller.bias = sweep.bias();
  for (const int feature : taken) fit.controller.terms.push_back({feature, sweep.gain_of(feature)});
  return fit;
}

std::vector<int> forward_choice(const Moments& moments, int max_terms, Sweep& sweep) {
  std::vector<int> taken;
  while (static_cast<int>(taken.size()) < max_terms) {
    const int best = best_feature(sweep, moments.features(), taken);
    if (best < 0) break;
    sweep.take(best);
    taken.push_back(best);
  }
  return taken;
}

}  // namespace

LinearFit fit_forward(const Moments& moments, int max_terms) {
  Sweep sweep(moments);
  const std::vector<int> taken = forward_choice(moments, max_terms, sweep);
  return fit_of(sweep, taken);
}

LinearFit fit_exchanged(const Moments& moments, int max_terms) {
  Sweep sweep(moments);
  std::vector<int> taken = forward_choice(moments, max_terms, sweep);
  if (static_cast<int>(taken.size()) == moments.features()) return fit_of(sweep, taken);
  // In turn: without this one, which is best?
  std::size_t settled = 0;
  for (int i = 0; i < kExchanges && settled < taken.size(); ++i) {
    const int old = taken.front();
    taken.erase(taken.begin());
    const int best = best_feature(swept(moments, taken), moments.features(), taken);
    taken.push_back(best < 0 ? old : best);
    settled = taken.back() == old ? settled + 1 : 0;
  }
  return fit_of(swept(moments, taken), taken);
}

}  // namespace icct
