#include "icct/imitation/leaf_targets.h"

#include <algorithm>
#include <cmath>

#include "icct/imitation/moments.h"

namespace icct {
namespace {

// Beyond this, tanh is flat: any larger output would do as well.
constexpr double kSaturated = 0.98;
constexpr int kSteps = 20;      // of refinement
constexpr int kHalvings = 5;    // of a step that does not help
constexpr double kFlat = 1e-3;  // keeps steps finite where tanh is flat

}  // namespace

LeafTargets::LeafTargets(const Samples& samples, Link link)
    : samples_(samples), link_(link), means_(samples.x.columns), scales_(samples.x.columns) {
  const int n = size();
  const int m = features();
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < n; ++i) means_[j] += samples.x(i, j) / n;
    double variance = 0;
    for (int i = 0; i < n; ++i) {
      const double difference = samples.x(i, j) - means_[j];
      variance += difference * difference / n;
    }
    scales_[j] = variance > 0 && std::isfinite(variance) ? std::sqrt(variance) : 1;
  }
  x_.reserve(samples.x.size());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) x_.push_back((samples.x(i, j) - means_[j]) / scales_[j]);
    for (int k = 0; k < outputs(); ++k) {
      const double y = samples.y(i, k);
      const double inside = std::clamp(y, -kSaturated, kSaturated);
      targets_.push_back(link == Link::Tanh ? std::atanh(inside) : y);
      weights_.push_back(samples.weight(i) * (link == Link::Tanh ? 1 - inside * inside : 1));
    }
  }
}

double LeafTargets::error(const Controller& controller, std::span<const int> samples,
                          int output) const {
  double sum = 0;
  for (const int i : samples) {
    const double difference = std::tanh(evaluate(controller, x(i))) - samples_.y(i, output);
    sum += samples_.weight(i) * difference * difference;
  }
  return sum;
}

// Gauss-Newton: the least-squares fit to the link's straight line through the present output.
Controller LeafTargets::step(const Controller& controller, std::span<const int> samples,
                             int output) const {
  const auto terms = static_cast<int>(controller.terms.size());
  Moments moments(terms);
  std::vector<double> chosen(controller.terms.size());
  for (const int i : samples) {
    for (std::size_t t = 0; t < chosen.size(); ++t) chosen[t] = x(i)[controller.terms[t].feature];
    const double present = evaluate(controller, x(i));
    const double action = std::tanh(present);
    const double slope = 1 - action * action;
    const double curvature = slope * slope + kFlat;
    moments.add(chosen, present + slope * (samples_.y(i, output) - action) / curvature,
                samples_.weight(i) * curvature);
  }
  const Controller fitted = fit_forward(moments, terms).controller;
  Controller result = controller;
  result.bias = fitted.bias;
  for (Term& term : result.terms) term.gain = 0;
  for (const Term& term : fitted.terms)
    result.terms[static_cast<std::size_t>(term.feature)].gain = term.gain;
  return result;
}

Controller LeafTargets::refined(Controller controller, std::span<const int> samples,
                                int output) const {
  if (link_ == Link::Identity) return controller;  // the fit is exact already
  double best = error(controller, samples, output);
  for (int i = 0; i < kSteps; ++i) {
    Controller next = step(controller, samples, output);
    double next_error = error(next, samples, output);
    for (int h = 0; h < kHalvings && !(next_error < best); ++h) {
      next.bias = (next.bias + controller.bias) / 2;
      for (std::size_t t = 0; t < next.terms.size(); ++t)
        next.terms[t].gain = (next.terms[t].gain + controller.terms[t].gain) / 2;
      next_error = error(next, samples, output);
    }
    const bool helps = next_error < best * (1 - 1e-4);
    if (next_error < best) controller = next;
    if (!helps) break;
    best = next_error;
  }
  std::erase_if(controller.terms, [](const Term& term) { return term.gain == 0; });
  return controller;
}

Controller LeafTargets::unscaled(Controller controller) const {
  for (Term& term : controller.terms) {
    term.gain /= scales_[static_cast<std::size_t>(term.feature)];
    controller.bias -= term.gain * means_[static_cast<std::size_t>(term.feature)];
  }
  return controller;
}

}  // namespace icct
