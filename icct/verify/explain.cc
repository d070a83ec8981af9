#include "icct/verify/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace icct {
namespace {

ActionReason reason_of(const Policy& policy, const Controller& controller, std::size_t action,
                       std::span<const double> x) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  ActionReason reason{
      .bias = controller.bias, .terms = {}, .output = evaluate(controller, x), .action = 0};
  reason.action = squash(policy.squashing, reason.output, policy.actions[action]);
  for (const Term& term : controller.terms) {
    const double value = x[static_cast<std::size_t>(term.feature)];
    reason.terms.push_back({term, value, std::clamp(term.gain * value, -kLargest, kLargest)});
  }
  std::ranges::stable_sort(reason.terms, std::greater(),
                           [](const Contribution& c) { return std::abs(c.amount); });
  return reason;
}

// The point of the part that is nearest to x, and how far it is.
NearestLeaf nearest_point(const Box& part, int leaf, std::span<const double> x,
                          std::span<const double> weights) {
  NearestLeaf nearest{.distance = 0, .at = {}, .leaf = leaf};
  for (std::size_t i = 0; i < x.size(); ++i) {
    nearest.at.push_back(std::clamp(x[i], part[i].lower, part[i].upper));
    const double moved = std::abs(nearest.at[i] - x[i]);
    if (moved > 0) nearest.distance = std::max(nearest.distance, moved / weights[i]);
  }
  return nearest;
}

}  // namespace

Explanation explain(const Policy& policy, std::span<const double> x) {
  const Tree& tree = tree_of(policy);
  Explanation explanation;
  NodeRef ref = tree.root;
  while (!ref.is_leaf) {
    const Split& split = tree.splits[static_cast<std::size_t>(ref.index)];
    const double value = x[static_cast<std::size_t>(split.feature)];
    const bool yes = decides_yes(split, value);
    explanation.path.push_back({ref.index, yes, value, std::abs(value - split.threshold)});
    ref = yes ? split.yes : split.no;
  }
  explanation.leaf = ref.index;
  const Leaf& leaf = tree.leaves[static_cast<std::size_t>(ref.index)];
  for (std::size_t a = 0; a < leaf.controllers.size(); ++a)
    explanation.actions.push_back(reason_of(policy, leaf.controllers[a], a, x));
  return explanation;
}

std::optional<NearestLeaf> nearest_other_leaf(const Policy& policy, std::span<const double> x,
                                              std::span<const double> weights, const Box& box) {
  const Tree& tree = tree_of(policy);
  const int here = find_leaf(tree, x);
  std::optional<NearestLeaf> best;
  Box narrowed = box;
  for_each_leaf(tree, narrowed, [&](int leaf, const Box& part) {
    if (leaf == here) return;
    const NearestLeaf nearest = nearest_point(part, leaf, x, weights);
    if (std::isfinite(nearest.distance) && (!best || nearest.distance < best->distance))
      best = nearest;
  });
  return best;
}

}  // namespace icct
