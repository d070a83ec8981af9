#include "icct/verify/difference.h"

#include <algorithm>
#include <cmath>

#include "icct/base/error.h"
#include "icct/verify/excess.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

void check_same_spaces(const Policy& a, const Policy& b) {
  if (a.observations != b.observations) {
    throw Error("policies '" + a.name + "' and '" + b.name +
                "' cannot be compared: their observations differ");
  }
  if (a.actions != b.actions) {
    throw Error("policies '" + a.name + "' and '" + b.name +
                "' cannot be compared: their actions differ");
  }
}

// Something attained to start from.
std::vector<Difference> differences_at(const Policy& a, const Policy& b,
                                       const std::vector<double>& x) {
  const std::vector<double> action_a = act(a, x);
  const std::vector<double> action_b = act(b, x);
  std::vector<Difference> result;
  for (std::size_t i = 0; i < action_a.size(); ++i) {
    const double size = std::abs(action_a[i] - action_b[i]);
    result.push_back({size, size, x, find_leaf(tree_of(a), x), find_leaf(tree_of(b), x)});
  }
  return result;
}

// Two leaves that meet in a part of the box.
struct LeafPair {
  int a, b;
  const Box& part;
};

void include(const LeafPair& leaves, const Excess& excess, Difference& difference) {
  if (excess.largest > difference.largest)
    difference = {excess.largest, difference.proven, excess.at, leaves.a, leaves.b};
  difference.proven = std::max(difference.proven, excess.proven);
}

void compare(const Policy& a, const Policy& b, const LeafPair& leaves,
             std::vector<Difference>& result) {
  const Leaf& leaf_a = tree_of(a).leaves[static_cast<std::size_t>(leaves.a)];
  const Leaf& leaf_b = tree_of(b).leaves[static_cast<std::size_t>(leaves.b)];
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Response one{leaf_a.controllers[i], a.squashing};
    const Response other{leaf_b.controllers[i], b.squashing};
    if (one.squashing == other.squashing && one.controller == other.controller) continue;
    const Dimension& action = a.actions[i];
    include(leaves, largest_excess(one, other, action, leaves.part, result[i].largest), result[i]);
    include(leaves, largest_excess(other, one, action, leaves.part, result[i].largest), result[i]);
  }
}

}  // namespace

std::vector<Difference> largest_differences(const Policy& a, const Policy& b, const Box& box) {
  check_same_spaces(a, b);
  require_box(a, box);
  const Tree& tree_b = tree_of(b);
  std::vector<Difference> result = differences_at(a, b, centre(box));
  Box part_a = box;
  for_each_leaf(tree_of(a), part_a, [&](int leaf_a, const Box& inside) {
    Box part_b = inside;
    for_each_leaf(tree_b, part_b, [&](int leaf_b, const Box& both) {
      compare(a, b, {leaf_a, leaf_b, both}, result);
    });
  });
  return result;
}

}  // namespace icct
