#include "icct/policy/edit.h"

#include <algorithm>
#include <cmath>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

// One assignment; errors begin with it.
struct Edit {
  std::string text;
  std::string target, value;

  [[noreturn]] void fail(const std::string& complaint) const {
    throw Error("--set '" + text + "': " + complaint);
  }

  double number() const {
    const std::optional<double> parsed = parse_number(value);
    if (!parsed || !std::isfinite(*parsed)) fail("'" + value + "' is no finite number");
    return *parsed;
  }
};

Edit parse_edit(const std::string& assignment) {
  Edit edit{.text = assignment, .target = {}, .value = {}};
  const std::size_t equals = assignment.rfind('=');
  if (equals == std::string::npos) edit.fail("expected TARGET=VALUE, e.g. node3.threshold=0.25");
  edit.target = trimmed(assignment.substr(0, equals));
  edit.value = trimmed(assignment.substr(equals + 1));
  return edit;
}

// If `text` begins with `name` and a point: what follows.
std::optional<std::string> after(const std::string& text, const std::string& name) {
  if (!text.starts_with(name + ".")) return std::nullopt;
  return text.substr(name.size() + 1);
}

struct Target {
  NodeRef ref;
  std::string rest;  // after the name of the node or leaf
};

// Names may have points, so the longest that fits counts.
Target find_target(const Tree& tree, const Edit& edit) {
  std::optional<Target> best;
  const auto consider = [&](NodeRef ref) {
    const auto rest = after(edit.target, name_of(tree, ref));
    if (rest && (!best || rest->size() < best->rest.size())) best = Target{ref, *rest};
  };
  for (std::size_t i = 0; i < tree.splits.size(); ++i) consider({static_cast<int>(i), false});
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) consider({static_cast<int>(i), true});
  if (!best) edit.fail("no node or leaf has this name; icct show names them");
  return *best;
}

int find_observation(const Policy& policy, const Edit& edit, const std::string& name) {
  const std::optional<int> found = find_dimension(policy.observations, name);
  if (!found)
    edit.fail("there is no observation '" + name + "'; there are " +
              list_names(policy.observations));
  return *found;
}

void edit_split(Policy& policy, Split& split, const std::string& what, const Edit& edit) {
  if (what == "threshold") {
    split.threshold = edit.number();
  } else if (what == "observation") {
    split.feature = find_observation(policy, edit, edit.value);
  } else {
    edit.fail("a node has threshold, observation and name, not '" + what + "'");
  }
}

void set_gain(Controller& controller, int feature, double gain) {
  const auto at = std::ranges::lower_bound(controller.terms, feature, {}, &Term::feature);
  const bool exists = at != controller.terms.end() && at->feature == feature;
  if (gain == 0) {
    if (exists) controller.terms.erase(at);
  } else if (exists) {
    at->gain = gain;
  } else {
    controller.terms.insert(at, {feature, gain});
  }
}

void edit_leaf(Policy& policy, Leaf& leaf, const std::string& what, const Edit& edit) {
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const auto part = after(what, policy.actions[a].name);
    if (!part) continue;
    Controller& controller = leaf.controllers[a];
    if (*part == "bias") {
      controller.bias = edit.number();
      return;
    }
    if (const auto observation = after(*part, "gain")) {
      return set_gain(controller, find_observation(policy, edit, *observation), edit.number());
    }
  }
  edit.fail("a leaf has name, ACTION.bias and ACTION.gain.OBSERVATION, not '" + what +
            "'; the actions are " + list_names(policy.actions));
}

}  // namespace

void apply_edit(Policy& policy, const std::string& assignment) {
  tree_of(policy);  // must be one
  const Edit edit = parse_edit(assignment);
  Policy edited = policy;
  Tree& tree = std::get<Tree>(edited.controller);
  const Target target = find_target(tree, edit);
  const auto i = static_cast<std::size_t>(target.ref.index);
  if (target.rest == "name") {
    (target.ref.is_leaf ? tree.leaves[i].name : tree.splits[i].name) = edit.value;
  } else if (target.ref.is_leaf) {
    edit_leaf(edited, tree.leaves[i], target.rest, edit);
  } else {
    edit_split(edited, tree.splits[i], target.rest, edit);
  }
  try {
    validate(edited);
  } catch (const Error& error) {
    edit.fail(error.what());
  }
  policy = edited;
}

}  // namespace icct
