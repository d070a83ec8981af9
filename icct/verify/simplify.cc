#include "icct/verify/simplify.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/verify/difference.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

// Equal decisions and controllers; names and log_std do not count.
bool same_function(const Tree& a, NodeRef at_a, const Tree& b, NodeRef at_b) {
  if (at_a.is_leaf != at_b.is_leaf) return false;
  const auto i = static_cast<std::size_t>(at_a.index);
  const auto j = static_cast<std::size_t>(at_b.index);
  if (at_a.is_leaf) return a.leaves[i].controllers == b.leaves[j].controllers;
  const Split& one = a.splits[i];
  const Split& other = b.splits[j];
  return one.feature == other.feature && one.less == other.less &&
         one.threshold == other.threshold && same_function(a, one.yes, b, other.yes) &&
         same_function(a, one.no, b, other.no);
}

std::string condition(const Policy& policy, const Split& split) {
  return policy.observations[static_cast<std::size_t>(split.feature)].name +
         (split.less ? " <= " : " >= ") + exact_text(split.threshold);
}

// The policy reduced to one leaf that only does one action, for comparing controllers.
Policy single_leaf(const Policy& policy, std::size_t action, const Controller& controller) {
  std::vector<Controller> controllers(policy.actions.size());
  controllers[action] = controller;
  Policy result;
  result.name = policy.name;
  result.observations = policy.observations;
  result.actions = policy.actions;
  result.squashing = policy.squashing;
  result.controller = make_leaf(controllers);
  return result;
}

// The controller without one term, whose observation is taken to be in the middle of its range;
// none if that is too large a number.
std::optional<Controller> without(const Controller& controller, const Term& dropped,
                                  const Box& part) {
  Controller result = controller;
  std::erase_if(result.terms, [&](const Term& term) { return term.feature == dropped.feature; });
  result.bias += dropped.gain * centre(part)[static_cast<std::size_t>(dropped.feature)];
  if (!std::isfinite(result.bias)) return std::nullopt;
  return result;
}

class Simplifier {
 public:
  Simplifier(const Policy& policy, const Box& box, double drop_below)
      : policy_(policy),
        tree_(tree_of(policy)),
        box_(box),
        drop_below_(drop_below),
        dropped_(policy.actions.size()) {}

  Simplified run() {
    Tree tree = simplified(tree_.root);
    Simplified result{policy_, std::vector<double>(policy_.actions.size()), changes_};
    if (changes_.empty()) return result;
    result.policy.controller = std::move(tree);
    validate(result.policy);
    if (std::ranges::find(dropped_, true) == dropped_.end()) return result;
    const std::vector<Difference> differences = largest_differences(policy_, result.policy, box_);
    for (std::size_t a = 0; a < dropped_.size(); ++a) {
      if (dropped_[a]) result.bounds[a] = differences[a].proven;
    }
    return result;
  }

 private:
  // What stays of a subtree, numbered depth first. box_ is the part that reaches it.
  Tree simplified(NodeRef at) {
    if (at.is_leaf) return simplified_leaf(at);
    const Split& split = tree_.splits[static_cast<std::size_t>(at.index)];
    const std::string name = name_of(tree_, at);
    const std::optional<Tree> yes = branch(split, true);
    const std::optional<Tree> no = branch(split, false);
    const std::string where = name + " (" + condition(policy_, split) + ")";
    if (!yes || !no) {
      changes_.push_back("removed " + where + ": always " + (yes ? "yes" : "no"));
      return yes ? *yes : *no;
    }
    if (same_function(*yes, yes->root, *no, no->root)) {
      changes_.push_back("removed " + where + ": yes and no do the same");
      return *yes;
    }
    Tree tree = split.less ? make_split_less(split.feature, split.threshold, *yes, *no)
                           : make_split(split.feature, split.threshold, *yes, *no);
    tree.splits[0].name = name;
    return tree;
  }

  std::optional<Tree> branch(const Split& split, bool yes) {
    Range& range = box_[static_cast<std::size_t>(split.feature)];
    const Range whole = range;
    range = branch_range(split, yes, whole);
    std::optional<Tree> result;
    if (!range.empty()) result = simplified(yes ? split.yes : split.no);
    range = whole;
    return result;
  }

  Tree simplified_leaf(NodeRef at) {
    Tree tree;
    tree.leaves.push_back(tree_.leaves[static_cast<std::size_t>(at.index)]);
    Leaf& leaf = tree.leaves.front();
    leaf.name = name_of(tree_, at);
    for (std::size_t a = 0; a < leaf.controllers.size(); ++a) {
      if (hold(leaf, a)) continue;
      drop_zero_gains(leaf, a);
      drop_terms(leaf, a);
    }
    return tree;
  }

  // An action that takes one value only needs no terms.
  bool hold(Leaf& leaf, std::size_t action) {
    Controller& controller = leaf.controllers[action];
    if (controller.terms.empty()) return true;
    const double min = extreme_output(controller, box_, false);
    const double max = extreme_output(controller, box_, true);
    const double value = squash(policy_.squashing, min, policy_.actions[action]);
    if (value != squash(policy_.squashing, max, policy_.actions[action])) return false;
    constexpr double kLargest = std::numeric_limits<double>::max();
    controller = {.bias = std::clamp(evaluate(controller, centre(box_)), -kLargest, kLargest)};
    const Dimension& held = policy_.actions[action];
    changes_.push_back(leaf.name + ": " + held.name + " is always " + rounded_text(value, 6) +
                       (held.unit.empty() ? "" : " " + held.unit) + ", without terms");
    return true;
  }

  void drop_zero_gains(Leaf& leaf, std::size_t action) {
    for (const Term& term : std::vector<Term>(leaf.controllers[action].terms)) {
      if (term.gain != 0) continue;
      std::erase(leaf.controllers[action].terms, term);
      report_dropped(leaf, action, term);
    }
  }

  void report_dropped(const Leaf& leaf, std::size_t action, const Term& term) {
    changes_.push_back(leaf.name + ": " + policy_.actions[action].name + " no longer uses " +
                       policy_.observations[static_cast<std::size_t>(term.feature)].name);
  }

  // Terms of little effect go first, as long as all of it together is small enough.
  void drop_terms(Leaf& leaf, std::size_t action) {
    if (drop_below_ == 0) return;
    Controller& controller = leaf.controllers[action];
    const Policy original = single_leaf(policy_, action, controller);
    std::vector<Term> terms = controller.terms;
    std::ranges::stable_sort(terms, {}, [&](const Term& term) {
      const Range& range = box_[static_cast<std::size_t>(term.feature)];
      return std::abs(term.gain) * (range.upper / 2 - range.lower / 2);
    });
    const Dimension& moved = policy_.actions[action];
    for (const Term& term : terms) {
      const std::optional<Controller> shorter = without(controller, term, box_);
      if (!shorter) continue;
      const Policy candidate = single_leaf(policy_, action, *shorter);
      const double bound = largest_differences(original, candidate, box_)[action].proven;
      if (bound > drop_below_ * (moved.upper - moved.lower)) break;
      controller = *shorter;
      dropped_[action] = true;
      report_dropped(leaf, action, term);
    }
  }

  const Policy& policy_;
  const Tree& tree_;
  Box box_;
  double drop_below_;
  std::vector<bool> dropped_;  // per action: whether a term went that had an effect
  std::vector<std::string> changes_;
};

}  // namespace

Simplified simplify(const Policy& policy, const Box& box, double drop_below) {
  require_box(policy, box);
  if (!(drop_below >= 0 && drop_below <= 1))
    throw Error("drop_below must be a share of the action's span, from 0 to 1");
  return Simplifier(policy, box, drop_below).run();
}

}  // namespace icct
