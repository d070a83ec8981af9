#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "icct/policy/policy.h"

namespace icct {

// Doubles from `lower` to `upper`, both included and finite. An open end is the closed one of the
// neighbouring double: between neighbours there is no observation.
struct Range {
  double lower = -std::numeric_limits<double>::max();
  double upper = std::numeric_limits<double>::max();

  bool empty() const { return !(lower <= upper); }
  bool contains(double x) const { return x >= lower && x <= upper; }

  bool operator==(const Range&) const = default;
};

// A range for every observation. Empty as soon as one of them is.
using Box = std::vector<Range>;

bool is_empty(const Box& box);
bool contains(const Box& box, std::span<const double> x);

// The doubles x with x >= bound (or > if open), and the like.
Range at_least(double bound, bool open = false);
Range at_most(double bound, bool open = false);
Range intersection(const Range& a, const Range& b);

Box whole_box(std::size_t observations);     // every finite observation
Box declared_box(const Policy& policy);      // inside the bounds that the policy declares
std::vector<double> centre(const Box& box);  // inside the box, zero where that is allowed

// The part of a range that takes the branch.
Range branch_range(const Split& split, bool yes, const Range& range);

// For every leaf that some x in `box` reaches, calls visit(leaf, part)
// with the part of the box that does. `box` must not be empty; it is narrowed in place, one range
// per decision, and is as before afterwards. So the walk takes time per node, whatever the number
// of observations.
template <class Visit>
void for_each_leaf(const Tree& tree, Box& box, const Visit& visit) {
  const auto walk = [&](const auto& self, NodeRef at) -> void {
    if (at.is_leaf) return visit(at.index, std::as_const(box));
    const Split& split = tree.splits[static_cast<std::size_t>(at.index)];
    Range& range = box[static_cast<std::size_t>(split.feature)];
    const Range whole = range;
    for (const bool yes : {true, false}) {
      range = branch_range(split, yes, whole);
      if (!range.empty()) self(self, yes ? split.yes : split.no);
      range = whole;
    }
  };
  walk(walk, tree.root);
}

}  // namespace icct
