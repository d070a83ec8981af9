#include "icct/verify/range.h"

#include <algorithm>
#include <string>

#include "icct/base/error.h"

namespace icct {
namespace {

// The end of the range where a term is largest or smallest.
double end_of(const Term& term, const Box& box, bool largest) {
  const Range& range = box[static_cast<std::size_t>(term.feature)];
  return (term.gain > 0) == largest ? range.upper : range.lower;
}

// Whether the action `value` is beyond what was found so far.
bool beyond(double value, double found, bool largest) {
  return largest ? value > found : value < found;
}

}  // namespace

void require_box(const Policy& policy, const Box& box) {
  if (box.size() != policy.observations.size()) {
    throw Error("the box has " + std::to_string(box.size()) + " ranges, the policy " +
                std::to_string(policy.observations.size()) + " observations");
  }
  for (std::size_t i = 0; i < box.size(); ++i) {
    if (box[i].empty()) {
      throw Error("no observation is inside the box: the range of '" + policy.observations[i].name +
                  "' is empty");
    }
  }
}

std::vector<double> extreme_corner(const Controller& controller, const Box& box, bool largest) {
  std::vector<double> x = centre(box);
  for (const Term& term : controller.terms)
    x[static_cast<std::size_t>(term.feature)] = end_of(term, box, largest);
  return x;
}

double extreme_output(const Controller& controller, const Box& box, bool largest) {
  return evaluate_with(controller, [&](const Term& term) { return end_of(term, box, largest); });
}

std::vector<ActionRange> action_ranges(const Policy& policy, const Box& box) {
  require_box(policy, box);
  const Tree& tree = tree_of(policy);
  std::vector<ActionRange> ranges(policy.actions.size());
  bool first = true;
  Box part = box;
  for_each_leaf(tree, part, [&](int leaf, const Box& inside) {
    for (std::size_t a = 0; a < ranges.size(); ++a) {
      const Controller& controller = tree.leaves[static_cast<std::size_t>(leaf)].controllers[a];
      for (const bool largest : {false, true}) {
        const double value = squash(policy.squashing, extreme_output(controller, inside, largest),
                                    policy.actions[a]);
        Extreme& extreme = largest ? ranges[a].max : ranges[a].min;
        if (!first && !beyond(value, extreme.value, largest)) continue;
        extreme = {value, extreme_corner(controller, inside, largest), leaf};
      }
    }
    first = false;
  });
  return ranges;
}

std::vector<LeafRange> leaf_ranges(const Policy& policy, const Box& box) {
  require_box(policy, box);
  const Tree& tree = tree_of(policy);
  std::vector<LeafRange> result;
  Box part = box;
  for_each_leaf(tree, part, [&](int leaf, const Box& inside) {
    LeafRange range{leaf, inside, {}};
    for (std::size_t a = 0; a < policy.actions.size(); ++a) {
      const Controller& controller = tree.leaves[static_cast<std::size_t>(leaf)].controllers[a];
      const auto extreme = [&](bool largest) {
        const std::vector<double> x = extreme_corner(controller, inside, largest);
        return Extreme{squash(policy.squashing, evaluate(controller, x), policy.actions[a]), x,
                       leaf};
      };
      range.actions.push_back({extreme(false), extreme(true)});
    }
    result.push_back(std::move(range));
  });
  return result;
}

std::vector<int> unreachable_leaves(const Tree& tree, const Box& box) {
  std::vector<bool> reached(tree.leaves.size());
  Box part = box;
  for_each_leaf(tree, part,
                [&](int leaf, const Box&) { reached[static_cast<std::size_t>(leaf)] = true; });
  std::vector<int> result;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (!reached[i]) result.push_back(static_cast<int>(i));
  }
  return result;
}

}  // namespace icct
