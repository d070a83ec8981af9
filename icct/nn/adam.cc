#include "icct/nn/adam.h"

#include <cmath>

#include "icct/base/check.h"

namespace icct {
namespace {

constexpr double kBeta1 = 0.9;
constexpr double kBeta2 = 0.999;
constexpr float kEpsilon = 1e-8f;

// The new moments and, as the result, the parameter's change divided by the step size.
inline float change(float gradient, float& first, float& second, float root) {
  constexpr auto kFirst = static_cast<float>(kBeta1);
  constexpr auto kSecond = static_cast<float>(kBeta2);
  first = kFirst * first + static_cast<float>(1 - kBeta1) * gradient;
  second = kSecond * second + static_cast<float>(1 - kBeta2) * gradient * gradient;
  return first / (std::sqrt(second) * root + kEpsilon);
}

}  // namespace

Adam::Adam(std::size_t parameters) : first_(parameters), second_(parameters) {}

Adam::Scale Adam::next_scale(double learning_rate) {
  ++steps_;
  const auto t = static_cast<double>(steps_);
  return {static_cast<float>(learning_rate / (1 - std::pow(kBeta1, t))),
          static_cast<float>(1 / std::sqrt(1 - std::pow(kBeta2, t)))};
}

void Adam::step(std::span<float> parameters, std::span<const float> gradient,
                double learning_rate) {
  ICCT_CHECK(parameters.size() == first_.size() && gradient.size() == first_.size());
  const Scale scale = next_scale(learning_rate);
  float* p = parameters.data();
  const float* g = gradient.data();
  float* m = first_.data();
  float* v = second_.data();
#pragma omp simd
  for (std::size_t i = 0; i < parameters.size(); ++i)
    p[i] -= scale.step * change(g[i], m[i], v[i], scale.root);
}

void Adam::step_and_smooth(std::span<float> parameters, std::span<const float> gradient,
                           double learning_rate, std::span<float> target, double tau) {
  ICCT_CHECK(parameters.size() == first_.size() && gradient.size() == first_.size());
  ICCT_CHECK(target.size() == first_.size());
  const Scale scale = next_scale(learning_rate);
  const auto move = static_cast<float>(tau);
  const auto keep = static_cast<float>(1 - tau);
  float* p = parameters.data();
  const float* g = gradient.data();
  float* m = first_.data();
  float* v = second_.data();
  float* t = target.data();
#pragma omp simd
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    p[i] -= scale.step * change(g[i], m[i], v[i], scale.root);
    t[i] = keep * t[i] + move * p[i];
  }
}

void Adam::visit_state(StateArchive& archive, const std::string& name) {
  archive.value(name + ".steps", steps_);
  archive.values(name + ".first_moment", std::span<float>(first_));
  archive.values(name + ".second_moment", std::span<float>(second_));
}

}  // namespace icct
