#include "icct/verify/box.h"

#include <algorithm>
#include <cmath>

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

bool is_empty(const Box& box) {
  return std::ranges::any_of(box, [](const Range& range) { return range.empty(); });
}

bool contains(const Box& box, std::span<const double> x) {
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (!box[i].contains(x[i])) return false;
  }
  return true;
}

Range at_least(double bound, bool open) {
  return {std::max(-kLargest, open ? std::nextafter(bound, kInfinity) : bound), kLargest};
}

Range at_most(double bound, bool open) {
  return {-kLargest, std::min(kLargest, open ? std::nextafter(bound, -kInfinity) : bound)};
}

Range intersection(const Range& a, const Range& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Box whole_box(std::size_t observations) {
  return Box(observations);
}

Box declared_box(const Policy& policy) {
  Box box;
  for (const Dimension& dimension : policy.observations)
    box.push_back(intersection(at_least(dimension.lower), at_most(dimension.upper)));
  return box;
}

std::vector<double> centre(const Box& box) {
  std::vector<double> x;
  for (const Range& range : box) {
    const bool bounded = range.lower > -kLargest && range.upper < kLargest;
    const double middle = bounded ? range.lower / 2 + range.upper / 2 : 0;
    x.push_back(std::clamp(middle, range.lower, range.upper));
  }
  return x;
}

Range branch_range(const Split& split, bool yes, const Range& range) {
  // "yes" of x >= t is x >= t, "no" is x < t; "yes" of x <= t is x <= t, "no" is x > t.
  const bool from_below = split.less != yes;
  return intersection(range, from_below ? at_least(split.threshold, split.less)
                                        : at_most(split.threshold, !split.less));
}

}  // namespace icct
