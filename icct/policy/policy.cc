#include "icct/policy/policy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "icct/base/error.h"
#include "icct/base/logistic.h"
#include "icct/base/number.h"

namespace icct {
namespace {

void validate_network(const Mlp<double>& mlp, std::size_t observations, std::size_t actions) {
  if (mlp.sizes().size() < 2) throw Error("the network has no layers");
  if (static_cast<std::size_t>(mlp.sizes().front()) != observations) {
    throw Error("the network takes " + std::to_string(mlp.sizes().front()) +
                " inputs, but there are " + std::to_string(observations) + " observations");
  }
  if (static_cast<std::size_t>(mlp.sizes().back()) != actions) {
    throw Error("the network gives " + std::to_string(mlp.sizes().back()) +
                " outputs, but there are " + std::to_string(actions) + " actions");
  }
  for (const double parameter : mlp.parameters()) {
    if (!std::isfinite(parameter))
      throw Error("the network has a weight or bias that is not a finite number");
  }
}

void validate_actions(const Policy& policy) {
  validate_space(policy.actions, "action");
  if (policy.actions.empty()) throw Error("the policy has no actions");
  for (const Dimension& action : policy.actions) {
    if (!std::isfinite(action.upper - action.lower)) {
      throw Error("action '" + action.name +
                  "' needs finite bounds that are not astronomically far apart");
    }
  }
  if (!policy.safe_action) return;
  if (policy.safe_action->size() != policy.actions.size())
    throw Error("the safe action needs one number per action");
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const Dimension& action = policy.actions[a];
    const double value = (*policy.safe_action)[a];
    if (!(value >= action.lower && value <= action.upper)) {
      throw Error("the safe action for '" + action.name + "' is " + exact_text(value) +
                  ", outside its bounds");
    }
  }
}

// The names of parts of one action's range.
void validate_words(const std::vector<NamedRange>& words, const Dimension& action) {
  double previous = action.lower;
  std::set<std::string> seen;
  for (const NamedRange& word : words) {
    const std::string where = "action '" + action.name + "', range '" + word.name + "'";
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    if (word.name.empty() || std::ranges::any_of(word.name, is_control))
      throw Error(where + ": the name must be printable text");
    if (!seen.insert(word.name).second)
      throw Error(where + " has the name of an earlier one; names must differ");
    if (!(word.lower < word.upper))
      throw Error(where + " has a lower end that is not below its upper end");
    if (!(word.lower >= previous && word.upper <= action.upper)) {
      throw Error(where + " must begin where the one before ends or later, and stay inside " +
                  exact_text(action.lower) + " to " + exact_text(action.upper));
    }
    previous = word.upper;
  }
}

void validate_words(const Policy& policy) {
  if (policy.action_words.empty()) return;
  if (policy.action_words.size() != policy.actions.size())
    throw Error("named ranges need one list per action, or none at all");
  for (std::size_t a = 0; a < policy.actions.size(); ++a)
    validate_words(policy.action_words[a], policy.actions[a]);
}

[[noreturn]] void report_invalid(const Policy& policy, std::span<const double> x) {
  const auto bad =
      std::find_if(x.begin(), x.end(), [](double value) { return !std::isfinite(value); });
  const Dimension& observation = policy.observations[static_cast<std::size_t>(bad - x.begin())];
  throw Error("observation '" + observation.name + "' is " + exact_text(*bad) +
              ", and the policy declares no safe action for that");
}

bool all_finite(std::span<const double> x) {
  // x - x is 0 for finite numbers and NaN otherwise; one comparison at the end keeps the loop free
  // of branches.
  double sum = 0;
  for (const double value : x) sum += value - value;
  return sum == 0;
}

}  // namespace

void validate(const Policy& policy) {
  validate_space(policy.observations, "observation");
  if (policy.observations.empty()) throw Error("the policy has no observations");
  validate_actions(policy);
  validate_words(policy);
  if (const Tree* tree = std::get_if<Tree>(&policy.controller)) {
    validate(*tree, static_cast<int>(policy.observations.size()),
             static_cast<int>(policy.actions.size()));
  } else {
    validate_network(std::get<Mlp<double>>(policy.controller), policy.observations.size(),
                     policy.actions.size());
  }
}

double squash(Squashing squashing, double output, const Dimension& action) {
  double value = output;
  if (squashing == Squashing::Tanh) {
    value = action.lower + logistic(2 * output) * (action.upper - action.lower);
  }
  return std::clamp(value, action.lower,
                    action.upper);  // also against the rounding of the line above
}

void act(const Policy& policy, std::span<const double> x, std::span<double> action) {
  if (x.size() != policy.observations.size() || action.size() != policy.actions.size()) {
    throw Error("the policy takes " + std::to_string(policy.observations.size()) +
                " observations and gives " + std::to_string(policy.actions.size()) +
                " actions; it was asked with " + std::to_string(x.size()) + " and " +
                std::to_string(action.size()));
  }
  if (!all_finite(x)) {
    if (!policy.safe_action) report_invalid(policy, x);
    std::copy(policy.safe_action->begin(), policy.safe_action->end(), action.begin());
    return;
  }
  if (const Tree* tree = std::get_if<Tree>(&policy.controller)) {
    const Leaf& leaf = tree->leaves[static_cast<std::size_t>(find_leaf(*tree, x))];
    for (std::size_t a = 0; a < action.size(); ++a) {
      action[a] = squash(policy.squashing, evaluate(leaf.controllers[a], x), policy.actions[a]);
    }
    return;
  }
  const std::vector<double> output = evaluate(std::get<Mlp<double>>(policy.controller), x);
  for (std::size_t a = 0; a < action.size(); ++a) {
    // Inputs near the largest double can overflow inside a network; a NaN there means no
    // preference.
    const double finite_or_infinite = std::isnan(output[a]) ? 0.0 : output[a];
    action[a] = squash(policy.squashing, finite_or_infinite, policy.actions[a]);
  }
}

std::vector<double> act(const Policy& policy, std::span<const double> x) {
  std::vector<double> action(policy.actions.size());
  act(policy, x, action);
  return action;
}

std::string word_for(const Policy& policy, std::size_t action, double value) {
  if (policy.action_words.empty()) return "";
  std::string name;
  for (const NamedRange& word : policy.action_words[action]) {
    if (value >= word.lower && value <= word.upper) name = word.name;
  }
  return name;
}

const Tree& tree_of(const Policy& policy) {
  const Tree* tree = std::get_if<Tree>(&policy.controller);
  if (tree == nullptr)
    throw Error("policy '" + policy.name + "' is a network, not a tree; this needs a tree");
  return *tree;
}

}  // namespace icct
