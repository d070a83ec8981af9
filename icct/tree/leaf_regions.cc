#include "icct/tree/leaf_regions.h"

#include <algorithm>
#include <cmath>

namespace icct {
namespace {

// "yes" of x >= t is x >= t, "no" is x < t; "yes" of x <= t is x <= t, "no" is x > t.
void narrow(Interval& interval, const Split& split, bool yes) {
  const double t = split.threshold;
  if (split.less != yes) {  // a lower bound
    const bool open = split.less;
    if (t > interval.lower || (t == interval.lower && open)) {
      interval.lower = t;
      interval.lower_open = open;
    }
  } else {
    const bool open = !split.less;
    if (t < interval.upper || (t == interval.upper && open)) {
      interval.upper = t;
      interval.upper_open = open;
    }
  }
}

std::vector<FeatureInterval> narrowed(std::vector<FeatureInterval> conditions, const Split& split,
                                      bool yes) {
  auto found = std::find_if(
      conditions.begin(), conditions.end(),
      [&](const FeatureInterval& condition) { return condition.feature == split.feature; });
  if (found == conditions.end()) found = conditions.insert(found, {split.feature, {}});
  narrow(found->interval, split, yes);
  return conditions;
}

}  // namespace

bool Interval::empty() const {
  const double infinity = std::numeric_limits<double>::infinity();
  const double first = lower_open ? std::nextafter(lower, infinity) : lower;
  const double last = upper_open ? std::nextafter(upper, -infinity) : upper;
  return !(first <= last);
}

bool LeafRegion::empty() const {
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const FeatureInterval& condition) { return condition.interval.empty(); });
}

std::vector<LeafRegion> leaf_regions(const Tree& tree) {
  struct Open {
    NodeRef ref;
    std::vector<FeatureInterval> conditions;
  };
  std::vector<LeafRegion> regions;
  std::vector<Open> open = {{tree.root, {}}};
  while (!open.empty()) {
    const Open at = std::move(open.back());
    open.pop_back();
    if (at.ref.is_leaf) {
      regions.push_back({at.ref.index, at.conditions});
      continue;
    }
    const Split& split = tree.splits[static_cast<std::size_t>(at.ref.index)];
    open.push_back({split.no, narrowed(at.conditions, split, false)});
    open.push_back({split.yes, narrowed(at.conditions, split, true)});
  }
  return regions;
}

}  // namespace icct
