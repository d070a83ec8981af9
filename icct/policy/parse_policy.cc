#include <limits>
#include <map>
#include <unordered_map>

#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/policy/policy_file.h"
#include "icct/policy/policy_layout.h"

namespace icct {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Space read_space(const JsonReader& list, bool may_name_ranges) {
  Space space;
  for (const JsonReader& entry : list.elements()) {
    if (may_name_ranges) {
      entry.allow_only({"name", "unit", "lower", "upper", "ranges"});
    } else {
      entry.allow_only({"name", "unit", "lower", "upper"});
    }
    Dimension dimension{.name = entry.at("name").string(), .unit = {}};
    if (entry.has("unit")) dimension.unit = entry.at("unit").string();
    if (entry.has("lower")) dimension.lower = entry.at("lower").number_or_null(-kInfinity);
    if (entry.has("upper")) dimension.upper = entry.at("upper").number_or_null(kInfinity);
    space.push_back(dimension);
  }
  return space;
}

std::vector<NamedRange> read_words(const JsonReader& object) {
  std::vector<NamedRange> words;
  for (const auto& [name, ends] : object.members()) {
    const std::vector<double> numbers = ends.numbers();
    if (numbers.size() != 2) ends.fail("expected two numbers, [lower, upper]");
    words.push_back({name, numbers[0], numbers[1]});
  }
  return words;
}

std::vector<std::vector<NamedRange>> read_action_words(const JsonReader& list) {
  std::vector<std::vector<NamedRange>> words;
  bool any = false;
  for (const JsonReader& entry : list.elements()) {
    words.push_back(entry.has("ranges") ? read_words(entry.at("ranges"))
                                        : std::vector<NamedRange>{});
    any = any || !words.back().empty();
  }
  return any ? words : std::vector<std::vector<NamedRange>>{};
}

// Positions by name; reading a large tree looks them up often.
using Positions = std::unordered_map<std::string, int>;

Positions positions_of(const Space& space) {
  Positions positions;
  for (std::size_t i = 0; i < space.size(); ++i)
    positions.emplace(space[i].name, static_cast<int>(i));
  return positions;
}

int position(const Positions& positions, const std::string& name, const JsonReader& where,
             const std::string& what) {
  const auto found = positions.find(name);
  if (found == positions.end()) where.fail("there is no " + what + " called \"" + name + "\"");
  return found->second;
}

std::vector<double> read_per_action(const JsonReader& object, const Space& actions) {
  const Positions positions = positions_of(actions);
  for (const auto& [name, value] : object.members()) position(positions, name, object, "action");
  std::vector<double> values;
  for (const Dimension& action : actions) values.push_back(object.at(action.name).number());
  return values;
}

Controller read_controller(const JsonReader& entry, const Positions& observations) {
  Controller controller;
  if (!entry.value().is_object()) {
    controller.bias = entry.number();
    return controller;
  }
  entry.allow_only({"bias", "gains"});
  if (entry.has("bias")) controller.bias = entry.at("bias").number();
  if (!entry.has("gains")) return controller;
  std::map<int, double> gains;  // ascending features, whatever the order in the file
  for (const auto& [name, gain] : entry.at("gains").members()) {
    gains[position(observations, name, entry, "observation")] = gain.number();
  }
  for (const auto& [feature, gain] : gains) controller.terms.push_back({feature, gain});
  return controller;
}

Leaf read_leaf(const JsonReader& entry, const Positions& observations, const Positions& positions,
               const Space& actions) {
  entry.allow_only({"name", "actions", "log_std"});
  const JsonReader controllers = entry.at("actions");
  for (const auto& [name, value] : controllers.members())
    position(positions, name, controllers, "action");
  Leaf leaf;
  for (const Dimension& action : actions) {
    leaf.controllers.push_back(read_controller(controllers.at(action.name), observations));
  }
  if (entry.has("log_std")) leaf.log_std = read_per_action(entry.at("log_std"), actions);
  return leaf;
}

// A name that only repeats the position ("node3" for the fourth) is not kept; name_of brings it
// back.
std::string given_name(const JsonReader& entry, const std::string& kind, std::size_t index) {
  const std::string name = entry.at("name").string();
  if (name.empty()) entry.at("name").fail("must not be empty");
  return name == kind + std::to_string(index) ? "" : name;
}

using Refs = std::unordered_map<std::string, NodeRef>;

NodeRef read_ref(const JsonReader& entry, const Refs& refs) {
  const auto found = refs.find(entry.string());
  if (found == refs.end()) entry.fail("there is no node or leaf called \"" + entry.string() + "\"");
  return found->second;
}

Split read_split(const JsonReader& entry, const Refs& refs, const Positions& observations) {
  entry.allow_only({"name", "if", "at_least", "at_most", "then", "else"});
  const bool less = entry.has("at_most");
  if (less == entry.has("at_least"))
    entry.fail("needs exactly one of \"at_least\" and \"at_most\"");
  const JsonReader feature = entry.at("if");
  return {.feature = position(observations, feature.string(), feature, "observation"),
          .less = less,
          .threshold = entry.at(less ? "at_most" : "at_least").number(),
          .yes = read_ref(entry.at("then"), refs),
          .no = read_ref(entry.at("else"), refs)};
}

Tree read_tree(const JsonReader& object, const Policy& policy) {
  object.allow_only({"root", "nodes", "leaves"});
  const auto leaves = object.at("leaves").elements();
  const auto nodes =
      object.has("nodes") ? object.at("nodes").elements() : std::vector<JsonReader>{};
  Refs refs;
  const auto add_refs = [&refs](const std::vector<JsonReader>& entries, bool is_leaf) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const JsonReader name = entries[i].at("name");
      if (!refs.emplace(name.string(), NodeRef{static_cast<int>(i), is_leaf}).second) {
        name.fail("\"" + name.string() +
                  "\" is the name of another node or leaf; names must differ");
      }
    }
  };
  add_refs(nodes, false);
  add_refs(leaves, true);

  const Positions observations = positions_of(policy.observations);
  const Positions actions = positions_of(policy.actions);
  Tree tree;
  tree.root = read_ref(object.at("root"), refs);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    tree.splits.push_back(read_split(nodes[i], refs, observations));
    tree.splits.back().name = given_name(nodes[i], "node", i);
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    tree.leaves.push_back(read_leaf(leaves[i], observations, actions, policy.actions));
    tree.leaves.back().name = given_name(leaves[i], "leaf", i);
  }
  return tree;
}

Mlp<double> read_network(const JsonReader& object) {
  object.allow_only({"hidden_activation", "layers"});
  if (object.at("hidden_activation").string() != "relu")
    object.at("hidden_activation").fail("must be \"relu\"");
  const auto layers = object.at("layers").elements();
  if (layers.empty()) object.at("layers").fail("a network needs at least one layer");
  std::vector<std::vector<std::vector<double>>> weights;
  std::vector<std::vector<double>> biases;
  std::vector<int> sizes;
  for (const JsonReader& layer : layers) {
    layer.allow_only({"weights", "bias"});
    weights.emplace_back();
    for (const JsonReader& row : layer.at("weights").elements())
      weights.back().push_back(row.numbers());
    biases.push_back(layer.at("bias").numbers());
    if (weights.back().empty() || weights.back()[0].empty())
      layer.at("weights").fail("must not be empty");
    if (sizes.empty()) sizes.push_back(static_cast<int>(weights.back()[0].size()));
    for (const auto& row : weights.back()) {
      if (row.size() != static_cast<std::size_t>(sizes.back())) {
        layer.at("weights").fail("every row must hold " + std::to_string(sizes.back()) +
                                 " numbers");
      }
    }
    if (biases.back().size() != weights.back().size())
      layer.at("bias").fail("needs one number per row of weights");
    sizes.push_back(static_cast<int>(weights.back().size()));
  }
  Mlp<double> mlp(sizes);
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    for (int o = 0; o < mlp.weights(layer).rows; ++o) {
      std::copy(weights[layer][o].begin(), weights[layer][o].end(),
                mlp.weights(layer).row(o).begin());
    }
    std::copy(biases[layer].begin(), biases[layer].end(), mlp.bias(layer).begin());
  }
  return mlp;
}

Squashing read_squashing(const JsonReader& entry) {
  const std::string text = entry.string();
  if (text == "tanh") return Squashing::Tanh;
  if (text == "clip") return Squashing::Clip;
  entry.fail("must be \"tanh\" or \"clip\"");
}

std::optional<std::vector<double>> read_safe_action(const JsonReader& entry, const Space& actions) {
  if (!entry.value().is_object()) {
    if (entry.string() != "error") entry.fail("must be \"error\" or {\"action\": {...}}");
    return std::nullopt;
  }
  entry.allow_only({"action"});
  return read_per_action(entry.at("action"), actions);
}

Provenance read_provenance(const JsonReader& object) {
  object.allow_only({"program", "command", "seed", "options"});
  Provenance provenance;
  if (object.has("program")) provenance.program = object.at("program").string();
  if (object.has("command")) provenance.command = object.at("command").string();
  if (object.has("seed") && !object.at("seed").value().is_null()) {
    const JsonReader seed = object.at("seed");
    if (!seed.value().is_number_unsigned())
      seed.fail("must be a whole number from 0 to 2^64 - 1, or null");
    provenance.seed = seed.value().get<std::uint64_t>();
  }
  if (object.has("options")) {
    object.at("options").members();  // must be an object
    provenance.options = write_json(object.at("options").value());
  }
  return provenance;
}

void check_header(const JsonReader& file) {
  if (file.at("format").string() != kPolicyFormat) {
    file.at("format").fail("is not \"" + std::string(kPolicyFormat) + "\"; is this a policy file?");
  }
  const JsonReader version = file.at("version");
  if (version.value() != kPolicyVersion) {
    version.fail("this program reads version " + std::to_string(kPolicyVersion) +
                 ", the file has " + version.value().dump());
  }
}

}  // namespace

Policy parse_policy(std::string_view text, const std::string& source) {
  const Json json = parse_json(text, source);
  const JsonReader file(json, source);
  check_header(file);
  file.allow_only({"format", "version", "name", "environment", "observations", "actions",
                   "squashing", "invalid_observation", "tree", "network", "provenance"});
  Policy policy;
  if (file.has("name")) policy.name = file.at("name").string();
  if (file.has("environment")) policy.environment = file.at("environment").string();
  policy.observations = read_space(file.at("observations"), false);
  policy.actions = read_space(file.at("actions"), true);
  policy.action_words = read_action_words(file.at("actions"));
  policy.squashing = read_squashing(file.at("squashing"));
  policy.safe_action = read_safe_action(file.at("invalid_observation"), policy.actions);
  if (file.has("tree") == file.has("network"))
    file.fail("needs exactly one of \"tree\" and \"network\"");
  if (file.has("tree")) {
    policy.controller = read_tree(file.at("tree"), policy);
  } else {
    policy.controller = read_network(file.at("network"));
  }
  if (file.has("provenance")) policy.provenance = read_provenance(file.at("provenance"));
  try {
    validate(policy);
  } catch (const Error& error) {
    throw Error(source + ": " + error.what());
  }
  return policy;
}

}  // namespace icct
