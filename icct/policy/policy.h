#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "icct/base/space.h"
#include "icct/nn/mlp.h"
#include "icct/tree/tree.h"

namespace icct {

// From a controller's output to an action inside its bounds.
enum class Squashing {
  // lower + (tanh(output) + 1) / 2 * (upper - lower), as in the paper's experiments;
  // (tanh(output) + 1) / 2 is computed as logistic(2 * output).
  Tanh,
  Clip,  // the output itself, in the action's unit, cut at the bounds
};

// Where a policy comes from.
struct Provenance {
  std::string program;  // e.g. "icct 0.1.0"
  std::string command;  // the command line that made it
  std::optional<std::uint64_t> seed;
  std::string options = "{}";  // the options of the run, a JSON object

  bool operator==(const Provenance&) const = default;
};

// What people call a part of an action's range: "hard brake" from -5 to -3.
struct NamedRange {
  std::string name;
  double lower = 0;
  double upper = 0;

  bool operator==(const NamedRange&) const = default;
};

// What is deployed: a controller with the names, units and bounds of what goes in and out. A plain
// value.
struct Policy {
  std::string name;
  std::string environment = {};  // the environment it was made for; may be empty
  Space observations;
  Space actions;  // bounds finite
  Squashing squashing = Squashing::Tanh;
  // The action when an observation is NaN or infinite. Without one, act() throws Error then.
  std::optional<std::vector<double>> safe_action;
  // Names for parts of each action's range, ascending and without overlap; one list per action, or
  // none at all. They play no part in acting.
  std::vector<std::vector<NamedRange>> action_words = {};
  std::variant<Tree, Mlp<double>> controller;
  Provenance provenance;

  bool operator==(const Policy&) const = default;
};

// Throws Error saying what is wrong and where.
void validate(const Policy& policy);

// The deployed function: checks x, evaluates the controller, squashes. `policy` must be valid. For
// finite x every action is inside its bounds; with a NaN or infinite number in x, used or not, it
// is the safe action, or Error is thrown and `action` stays untouched. Observation bounds are a
// statement about the plant: they are not enforced here. Trees: deterministic IEEE double
// arithmetic, no allocation.
void act(const Policy& policy, std::span<const double> x, std::span<double> action);
std::vector<double> act(const Policy& policy, std::span<const double> x);

// The action for a controller output; not decreasing in it. `output` may be infinite.
double squash(Squashing squashing, double output, const Dimension& action);

// What people call this value of an action: "hard brake"; empty if it has no name. Where two ranges
// meet, the upper one counts.
std::string word_for(const Policy& policy, std::size_t action, double value);

// The policy's tree; throws Error if its controller is a network.
const Tree& tree_of(const Policy& policy);

}  // namespace icct
