#include <cmath>

#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/policy/policy_file.h"
#include "icct/policy/policy_layout.h"

namespace icct {
namespace {

Json bound_to_json(double bound) {
  return std::isfinite(bound) ? Json(bound) : Json(nullptr);
}

// Actions, with what people call parts of their ranges: {"hard brake": [-5, -3], ...}.
Json actions_to_json(const Policy& policy) {
  Json list = space_to_json(policy.actions);
  for (std::size_t a = 0; a < policy.action_words.size(); ++a) {
    for (const NamedRange& word : policy.action_words[a])
      list[a]["ranges"][word.name] = {word.lower, word.upper};
  }
  return list;
}

// One number per action, by name.
Json per_action_to_json(const std::vector<double>& values, const Space& actions) {
  Json object = Json::object();
  for (std::size_t a = 0; a < values.size(); ++a) object[actions[a].name] = values[a];
  return object;
}

Json controller_to_json(const Controller& controller, const Space& observations) {
  if (controller.terms.empty()) return controller.bias;
  Json gains = Json::object();
  for (const Term& term : controller.terms)
    gains[observations[static_cast<std::size_t>(term.feature)].name] = term.gain;
  return {{"bias", controller.bias}, {"gains", gains}};
}

Json tree_to_json(const Tree& tree, const Policy& policy) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    const Split& split = tree.splits[i];
    nodes.push_back({{"name", name_of(tree, {static_cast<int>(i), false})},
                     {"if", policy.observations[static_cast<std::size_t>(split.feature)].name},
                     {split.less ? "at_most" : "at_least", split.threshold},
                     {"then", name_of(tree, split.yes)},
                     {"else", name_of(tree, split.no)}});
  }
  Json leaves = Json::array();
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const Leaf& leaf = tree.leaves[i];
    Json entry = {{"name", name_of(tree, {static_cast<int>(i), true})}};
    for (std::size_t a = 0; a < leaf.controllers.size(); ++a) {
      entry["actions"][policy.actions[a].name] =
          controller_to_json(leaf.controllers[a], policy.observations);
    }
    if (!leaf.log_std.empty()) entry["log_std"] = per_action_to_json(leaf.log_std, policy.actions);
    leaves.push_back(entry);
  }
  return {{"root", name_of(tree, tree.root)}, {"nodes", nodes}, {"leaves", leaves}};
}

Json network_to_json(const Mlp<double>& mlp) {
  Json layers = Json::array();
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    Json rows = Json::array();
    for (int o = 0; o < mlp.weights(layer).rows; ++o) {
      const auto row = mlp.weights(layer).row(o);
      rows.push_back(std::vector<double>(row.begin(), row.end()));
    }
    const auto bias = mlp.bias(layer);
    layers.push_back({{"weights", rows}, {"bias", std::vector<double>(bias.begin(), bias.end())}});
  }
  return {{"hidden_activation", "relu"}, {"layers", layers}};
}

Json provenance_to_json(const Provenance& provenance) {
  const Json options = parse_json(provenance.options, "provenance.options");
  if (!options.is_object()) throw Error("provenance.options: expected a JSON object");
  return {{"program", provenance.program},
          {"command", provenance.command},
          {"seed", provenance.seed ? Json(*provenance.seed) : Json(nullptr)},
          {"options", options}};
}

}  // namespace

Json space_to_json(const Space& space) {
  Json list = Json::array();
  for (const Dimension& d : space) {
    list.push_back({{"name", d.name},
                    {"unit", d.unit},
                    {"lower", bound_to_json(d.lower)},
                    {"upper", bound_to_json(d.upper)}});
  }
  return list;
}

std::string write_policy(const Policy& policy) {
  validate(policy);
  Json file = {{"format", kPolicyFormat},
               {"version", kPolicyVersion},
               {"name", policy.name},
               {"environment", policy.environment},
               {"observations", space_to_json(policy.observations)},
               {"actions", actions_to_json(policy)},
               {"squashing", policy.squashing == Squashing::Tanh ? "tanh" : "clip"}};
  file["invalid_observation"] = "error";
  if (policy.safe_action)
    file["invalid_observation"] = {
        {"action", per_action_to_json(*policy.safe_action, policy.actions)}};
  if (const Tree* tree = std::get_if<Tree>(&policy.controller)) {
    file["tree"] = tree_to_json(*tree, policy);
  } else {
    file["network"] = network_to_json(std::get<Mlp<double>>(policy.controller));
  }
  file["provenance"] = provenance_to_json(policy.provenance);
  std::string text = write_json(file) + "\n";
  if (text.size() > kMaxPolicyBytes) {
    throw Error("the policy takes " + std::to_string(text.size()) +
                " bytes; the limit of the format is " + std::to_string(kMaxPolicyBytes));
  }
  return text;
}

}  // namespace icct
