#include "icct/verify/excess_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/logistic.h"

namespace icct {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kUnit = 0x1p-53;  // relative rounding of one operation

double size_at(const Controller& controller, std::span<const double> x) {
  double size = std::abs(controller.bias);
  for (const Term& term : controller.terms)
    size += std::abs(term.gain * x[static_cast<std::size_t>(term.feature)]);
  return size;
}

double largest_size(const Controller& controller, const Box& box) {
  std::vector<double> x;
  for (const Range& range : box)
    x.push_back(std::max(std::abs(range.lower), std::abs(range.upper)));
  return size_at(controller, x);
}

// How far evaluate() can be from the exact sum. n products and n additions cost at most n + 1 units
// of `size`, ordering the path by rounded slopes two, the rest is spare; products below the
// smallest double may vanish.
double rounding(const Controller& controller, double size) {
  const auto n = static_cast<double>(controller.terms.size());
  return (n + 8) * kUnit * size + (n + 1) * std::numeric_limits<double>::denorm_min();
}

struct Slopes {
  double min, max;
};

// Of the squashing, for outputs from `low` to `high`.
Slopes slopes(Squashing squashing, double low, double high, const Dimension& action) {
  if (squashing == Squashing::Clip) {
    if (high <= action.lower || low >= action.upper) return {0, 0};
    return {low >= action.lower && high <= action.upper ? 1.0 : 0.0, 1};
  }
  // span * 2 logistic(2 u) logistic(-2 u) falls on both sides of 0.
  constexpr double kSpare = 1e-14;
  const double span = action.upper - action.lower;
  const auto slope = [&](double u) { return 2 * span * logistic(2 * u) * logistic(-2 * u); };
  const double nearest = std::clamp(0.0, low, high);
  const double farthest = -low > high ? low : high;
  return {(1 - kSpare) * slope(farthest), (1 + kSpare) * slope(nearest) + 1e-300 * span};
}

// The largest value of a function on a piece of length h, given its values at both ends and the
// range of its slope.
double tent(double from, double to, double h, Slopes slope) {
  if (slope.max <= 0) return from;
  if (slope.min >= 0) return to;
  const double peak = ((to - from) - slope.min * h) / (slope.max - slope.min);
  const double spare = 8 * kUnit * (slope.max - slope.min) * h;
  const double top = from + slope.max * std::clamp(peak, 0.0, h) + spare;
  return std::isnan(top) ? kInfinity : std::max({from, to, top});
}

// The slope of tanh changes by at most this share of the action's span per unit of output.
constexpr double kBend = 0.4;

// Another range for the slope rise_a s'(u) - rise_b s'(v), good where both outputs are close:
// (rise_a - rise_b) s'(v) + rise_a (s'(u) - s'(v)), the last difference being at most `change`.
Slopes narrowed(Slopes slope, Slopes slope_b, double rise_a, double rise_b, double change) {
  const double rise = rise_a - rise_b;
  const double one = rise * slope_b.min;
  const double other = rise * slope_b.max;
  return {std::max(slope.min, std::min(one, other) - rise_a * change),
          std::min(slope.max, std::max(one, other) + rise_a * change)};
}

double raised(double u, double by) {
  return by > 0 ? std::nextafter(u + by, kInfinity) : u;
}

}  // namespace

ExcessBounds::ExcessBounds(const Response& a, const Response& b, const Dimension& action,
                           const Box* box)
    : a_(a), b_(b), action_(action), several_edges_(box != nullptr) {
  if (box == nullptr) return;
  box_size_a_ = largest_size(a.controller, *box);
  box_size_b_ = largest_size(b.controller, *box);
}

PathPoint ExcessBounds::point(std::span<const double> x, double at) const {
  const double u = evaluate(a_.controller, x);
  const double v = evaluate(b_.controller, x);
  const double excess = squash(a_.squashing, u, action_) - squash(b_.squashing, v, action_);
  return {at, u, v, excess, size_at(a_.controller, x), size_at(b_.controller, x)};
}

PieceBound ExcessBounds::bound(const PathPoint& from, const PathPoint& to, double rise_a,
                               double rise_b) const {
  // u and v rise along the piece: the best of both ends together.
  const double slack_a = several_edges_ ? 2 * rounding(a_.controller, box_size_a_) : 0;
  const double slack_b = several_edges_ ? 2 * rounding(b_.controller, box_size_b_) : 0;
  const double by_ends = squash(a_.squashing, raised(to.u, slack_a), action_) -
                         squash(b_.squashing, -raised(-from.v, slack_b), action_);
  const auto [by_slope, noise] = bound_by_slope(from, to, rise_a, rise_b);
  // Where astronomical sizes met, the slope tells nothing: it is infinite or not a number.
  return {by_slope < by_ends ? by_slope : by_ends, several_edges_ ? 2 * noise : 0};
}

PieceBound ExcessBounds::bound_by_slope(const PathPoint& from, const PathPoint& to, double rise_a,
                                        double rise_b) const {
  const double size_a = several_edges_ ? box_size_a_ : std::max(from.size_a, to.size_a);
  const double size_b = several_edges_ ? box_size_b_ : std::max(from.size_b, to.size_b);
  const double off_a = 2 * rounding(a_.controller, size_a);
  const double off_b = 2 * rounding(b_.controller, size_b);
  const Slopes slope_a = slopes(a_.squashing, from.u - off_a, to.u + off_a, action_);
  const Slopes slope_b = slopes(b_.squashing, from.v - off_b, to.v + off_b, action_);
  Slopes slope = {rise_a * slope_a.min - rise_b * slope_b.max,
                  rise_a * slope_a.max - rise_b * slope_b.min};
  if (a_.squashing == Squashing::Tanh && b_.squashing == Squashing::Tanh) {
    const double apart = std::max(std::abs(from.u - from.v), std::abs(to.u - to.v));
    slope = narrowed(slope, slope_b, rise_a, rise_b,
                     kBend * (action_.upper - action_.lower) * (apart + off_a + off_b));
  }
  const double spare = 1e-15 * (rise_a * slope_a.max + rise_b * slope_b.max) +
                       4 * std::numeric_limits<double>::denorm_min();
  slope = {slope.min - spare, slope.max + spare};
  // The actions' own rounding is below 1e-15 of their sizes, a few times over.
  const double span = action_.upper - action_.lower;
  const double action_size = span + std::max(std::abs(action_.lower), std::abs(action_.upper));
  const double noise = off_a * slope_a.max + off_b * slope_b.max + 1e-14 * action_size;
  return {tent(from.excess, to.excess, std::abs(to.at - from.at), slope) + noise, noise};
}

}  // namespace icct
