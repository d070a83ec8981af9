#include "icct/export/to_text.h"

#include <algorithm>
#include <cmath>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/tree/leaf_regions.h"

namespace icct {
namespace {

std::string with_unit(double value, const Dimension& dimension, const TextOptions& options) {
  return rounded_text(value, options.digits) + (dimension.unit.empty() ? "" : " " + dimension.unit);
}

// "0.2 + 2.1 angle - 0.5 speed"
std::string linear_formula(const Controller& controller, const Space& observations,
                           const TextOptions& options) {
  std::string text;
  if (controller.bias != 0 || controller.terms.empty())
    text = rounded_text(controller.bias, options.digits);
  for (const Term& term : controller.terms) {
    const std::string& name = observations[static_cast<std::size_t>(term.feature)].name;
    const std::string magnitude = rounded_text(std::abs(term.gain), options.digits) + " " + name;
    const bool negative = std::signbit(term.gain);
    if (text.empty()) {
      text = (negative ? "-" : "") + magnitude;
    } else {
      text += (negative ? " - " : " + ") + magnitude;
    }
  }
  return text;
}

// "1.5 + 1.5 tanh(...)": the middle of the bounds plus half their distance.
std::string scaled_tanh(const std::string& inner, const Dimension& action,
                        const TextOptions& options) {
  const double middle = 0.5 * action.lower + 0.5 * action.upper;
  const double half = 0.5 * action.upper - 0.5 * action.lower;
  std::string text = "tanh(" + inner + ")";
  if (half != 1) text = rounded_text(half, options.digits) + " " + text;
  if (middle != 0) text = rounded_text(middle, options.digits) + " + " + text;
  return text;
}

std::string condition_text(const Split& split, const Space& observations,
                           const TextOptions& options) {
  const Dimension& feature = observations[static_cast<std::size_t>(split.feature)];
  return feature.name + (split.less ? " <= " : " >= ") +
         with_unit(split.threshold, feature, options);
}

void draw_leaf(const Policy& policy, int index, const std::string& margin,
               const TextOptions& options, std::string& text) {
  const Leaf& leaf = tree_of(policy).leaves[static_cast<std::size_t>(index)];
  std::size_t width = 0;
  for (const Dimension& action : policy.actions) width = std::max(width, action.name.size());
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const std::string& name = policy.actions[a].name;
    text += margin + name + std::string(width - name.size(), ' ') + " = " +
            action_formula(policy, leaf.controllers[a], static_cast<int>(a), options) + "\n";
  }
}

// The lines below a branch; `lead` stands before its first line, `margin` before the others.
void draw(const Policy& policy, NodeRef ref, const std::string& lead, const std::string& margin,
          const TextOptions& options, std::string& text) {
  const Tree& tree = tree_of(policy);
  text += lead + name_of(tree, ref);
  if (ref.is_leaf) {
    text += "\n";
    draw_leaf(policy, ref.index, margin + "  ", options, text);
    return;
  }
  const Split& split = tree.splits[static_cast<std::size_t>(ref.index)];
  text += ": " + condition_text(split, policy.observations, options) + "?\n";
  draw(policy, split.yes, margin + "├─ yes ─ ", margin + "│        ", options, text);
  draw(policy, split.no, margin + "└─ no ── ", margin + "         ", options, text);
}

std::string interval_text(const FeatureInterval& condition, const Space& observations,
                          const TextOptions& options) {
  const Dimension& feature = observations[static_cast<std::size_t>(condition.feature)];
  const Interval& interval = condition.interval;
  const bool has_lower = std::isfinite(interval.lower);
  const bool has_upper = std::isfinite(interval.upper);
  if (has_lower && interval.lower == interval.upper && !interval.empty()) {
    return feature.name + " is exactly " + with_unit(interval.lower, feature, options);
  }
  std::string text = feature.name + " is ";
  if (has_lower)
    text += (interval.lower_open ? "above " : "at least ") +
            with_unit(interval.lower, feature, options);
  if (has_lower && has_upper) text += " and ";
  if (has_upper)
    text +=
        (interval.upper_open ? "below " : "at most ") + with_unit(interval.upper, feature, options);
  return text;
}

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

std::string paragraph(const Policy& policy, const LeafRegion& region, const TextOptions& options) {
  const Tree& tree = tree_of(policy);
  const Leaf& leaf = tree.leaves[static_cast<std::size_t>(region.leaf)];
  std::vector<std::string> conditions;
  for (const FeatureInterval& condition : region.conditions) {
    conditions.push_back(interval_text(condition, policy.observations, options));
  }
  std::vector<std::string> consequences;
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    consequences.push_back(
        policy.actions[a].name + " is " +
        action_formula(policy, leaf.controllers[a], static_cast<int>(a), options));
  }
  std::string text = name_of(tree, {region.leaf, true}) + ". ";
  text += conditions.empty() ? "In every case, " : "If " + listed(conditions) + ", then ";
  text += listed(consequences) + ".";
  if (region.empty()) text += " (These conditions contradict each other: this case never occurs.)";
  return text;
}

std::string headline(const Policy& policy) {
  return (policy.name.empty() ? "Policy" : policy.name) + "\n\n";
}

std::string network_text(const Policy& policy) {
  const auto& sizes = std::get<Mlp<double>>(policy.controller).sizes();
  std::string text = headline(policy) + "A network, not a tree: layers of";
  for (const int size : sizes) text += " " + std::to_string(size);
  return text + " numbers, ReLU in between.\n";
}

}  // namespace

std::string action_formula(const Policy& policy, const Controller& controller, int action,
                           const TextOptions& options) {
  const Dimension& dimension = policy.actions[static_cast<std::size_t>(action)];
  const std::string unit = dimension.unit.empty() ? "" : " " + dimension.unit;
  if (controller.terms.empty()) {
    return rounded_text(squash(policy.squashing, controller.bias, dimension), options.digits) +
           unit;
  }
  const std::string inner = linear_formula(controller, policy.observations, options);
  if (policy.squashing == Squashing::Tanh) return scaled_tanh(inner, dimension, options) + unit;
  return inner + unit + ", kept within [" + rounded_text(dimension.lower, options.digits) + ", " +
         rounded_text(dimension.upper, options.digits) + "]";
}

std::string to_text(const Policy& policy, const TextOptions& options) {
  if (!std::holds_alternative<Tree>(policy.controller)) return network_text(policy);
  std::string text = headline(policy);
  draw(policy, tree_of(policy).root, "", "", options, text);
  return text;
}

std::string to_paragraphs(const Policy& policy, const TextOptions& options) {
  if (!std::holds_alternative<Tree>(policy.controller)) return network_text(policy);
  std::string text = headline(policy);
  bool first = true;
  for (const LeafRegion& region : leaf_regions(tree_of(policy))) {
    text += (first ? "" : "\n") + paragraph(policy, region, options) + "\n";
    first = false;
  }
  return text;
}

}  // namespace icct
