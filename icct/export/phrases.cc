#include "icct/export/phrases.h"

#include <algorithm>
#include <cmath>

#include "icct/base/number.h"

namespace icct {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// "0.2 + 2.1 angle - 0.5 speed"
std::string linear_formula(const Controller& controller, const Space& observations,
                           const TextOptions& options) {
  std::string text;
  if (controller.bias != 0 || controller.terms.empty())
    text = number_text(controller.bias, options);
  for (const Term& term : controller.terms) {
    const std::string& name = observations[static_cast<std::size_t>(term.feature)].name;
    const std::string magnitude = number_text(std::abs(term.gain), options) + " " + name;
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
  if (half != 1) text = number_text(half, options) + " " + text;
  if (middle != 0) text = number_text(middle, options) + " + " + text;
  return text;
}

// Both ends, with as many digits as it takes to tell them apart.
std::string between(const Interval& interval, const Dimension& feature,
                    const TextOptions& options) {
  TextOptions finer = options;
  while (finer.digits > 0 && finer.digits < 17 &&
         number_text(interval.lower, finer) == number_text(interval.upper, finer))
    ++finer.digits;
  return "between " + number_text(interval.lower, finer) + " and " +
         with_unit(interval.upper, feature, finer);
}

// The bounds of a feature where it reaches a leaf.
Interval reached(const Policy& policy, const LeafRegion& region, int feature) {
  const Dimension& observation = policy.observations[static_cast<std::size_t>(feature)];
  Interval range{observation.lower, observation.upper};
  for (const FeatureInterval& condition : region.conditions) {
    if (condition.feature != feature) continue;
    range.lower = std::max(range.lower, condition.interval.lower);
    range.upper = std::min(range.upper, condition.interval.upper);
  }
  return range;
}

// The smallest or largest value of an action at a leaf, but for the rounding of open ends.
double extreme_action(const Policy& policy, const LeafRegion& region, std::size_t action,
                      bool largest) {
  const Leaf& leaf = tree_of(policy).leaves[static_cast<std::size_t>(region.leaf)];
  const double output = evaluate_with(leaf.controllers[action], [&](const Term& term) {
    if (term.gain == 0) return 0.0;
    const Interval range = reached(policy, region, term.feature);
    return (term.gain > 0) == largest ? range.upper : range.lower;
  });
  return squash(policy.squashing, output, policy.actions[action]);
}

}  // namespace

std::string number_text(double value, const TextOptions& options) {
  return options.digits == 0 ? exact_text(value) : rounded_text(value, options.digits);
}

std::string with_unit(double value, const Dimension& dimension, const TextOptions& options) {
  return number_text(value, options) + (dimension.unit.empty() ? "" : " " + dimension.unit);
}

std::string condition_text(const Policy& policy, const Split& split, const TextOptions& options) {
  const Dimension& feature = policy.observations[static_cast<std::size_t>(split.feature)];
  return feature.name + (split.less ? " <= " : " >= ") +
         with_unit(split.threshold, feature, options);
}

std::string interval_text(const FeatureInterval& condition, const Space& observations,
                          const TextOptions& options) {
  const Dimension& feature = observations[static_cast<std::size_t>(condition.feature)];
  const Interval& interval = condition.interval;
  const std::string is = feature.name + " is ";
  const bool has_upper = std::isfinite(interval.upper);
  if (std::isfinite(interval.lower) && has_upper) {
    if (interval.lower == interval.upper && !interval.empty())
      return is + "exactly " + with_unit(interval.lower, feature, options);
    return is + between(interval, feature, options);
  }
  if (has_upper) {
    return is + (interval.upper_open ? "below " : "at most ") +
           with_unit(interval.upper, feature, options);
  }
  return is + (interval.lower_open ? "above " : "at least ") +
         with_unit(interval.lower, feature, options);
}

std::string action_formula(const Policy& policy, const Controller& controller, int action,
                           const TextOptions& options) {
  const Dimension& dimension = policy.actions[static_cast<std::size_t>(action)];
  const std::string unit = dimension.unit.empty() ? "" : " " + dimension.unit;
  if (controller.terms.empty()) {
    return number_text(squash(policy.squashing, controller.bias, dimension), options) + unit;
  }
  const std::string inner = linear_formula(controller, policy.observations, options);
  if (policy.squashing == Squashing::Tanh) return scaled_tanh(inner, dimension, options) + unit;
  return inner + unit + ", kept within [" + number_text(dimension.lower, options) + ", " +
         number_text(dimension.upper, options) + "]";
}

std::string action_words(const Policy& policy, const LeafRegion& region, std::size_t action) {
  if (policy.action_words.empty() || region.empty()) return "";
  const double lowest = extreme_action(policy, region, action, false);
  const double highest = extreme_action(policy, region, action, true);
  std::string first = word_for(policy, action, lowest);
  std::string last = word_for(policy, action, highest);
  // An end without a name: the nearest named part inside.
  for (const NamedRange& word : policy.action_words[action]) {
    if (word.upper <= lowest || word.lower >= highest) continue;
    if (first.empty()) first = word.name;
    if (word_for(policy, action, highest).empty()) last = word.name;
  }
  if (first.empty() || last.empty()) return first + last;
  return first == last ? first : first + " to " + last;
}

std::string action_phrase(const Policy& policy, const LeafRegion& region, std::size_t action,
                          const TextOptions& options) {
  const Leaf& leaf = tree_of(policy).leaves[static_cast<std::size_t>(region.leaf)];
  const std::string formula =
      action_formula(policy, leaf.controllers[action], static_cast<int>(action), options);
  const std::string words = action_words(policy, region, action);
  return words.empty() ? formula : words + " (" + formula + ")";
}

std::string printed(std::string text) {
  replace_all(text, " >= ", " ≥ ");
  replace_all(text, " <= ", " ≤ ");
  replace_all(text, " - ", " − ");
  for (const char* before : {"(", " ", "["}) {
    for (char digit = '0'; digit <= '9'; ++digit) {
      replace_all(text, std::string(before) + "-" + digit, std::string(before) + "−" + digit);
    }
  }
  return text;
}

std::string listed(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace icct
