#include "icct/policy/policy_file.h"

#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/json.h"

namespace icct {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t(64) << 20;
constexpr std::string_view kFormat = "icct-policy";
constexpr int kVersion = 1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Spaces.

Json bound_to_json(double bound) {
  return std::isfinite(bound) ? Json(bound) : Json(nullptr);
}

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

// Actions, with what people call parts of their ranges: {"hard brake": [-5, -3], ...}.
Json actions_to_json(const Policy& policy) {
  Json list = space_to_json(policy.actions);
  for (std::size_t a = 0; a < policy.action_words.size(); ++a) {
    for (const NamedRange& word : policy.action_words[a])
      list[a]["ranges"][word.name] = {word.lower, word.upper};
  }
  return list;
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

// One number per action, by name.
Json per_action_to_json(const std::vector<double>& values, const Space& actions) {
  Json object = Json::object();
  for (std::size_t a = 0; a < values.size(); ++a) object[actions[a].name] = values[a];
  return object;
}

std::vector<double> read_per_action(const JsonReader& object, const Space& actions) {
  const Positions positions = positions_of(actions);
  for (const auto& [name, value] : object.members()) position(positions, name, object, "action");
  std::vector<double> values;
  for (const Dimension& action : actions) values.push_back(object.at(action.name).number());
  return values;
}

// Trees.

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

// Networks.

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

// The rest of a policy.

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

Json provenance_to_json(const Provenance& provenance) {
  const Json options = parse_json(provenance.options, "provenance.options");
  if (!options.is_object()) throw Error("provenance.options: expected a JSON object");
  return {{"program", provenance.program},
          {"command", provenance.command},
          {"seed", provenance.seed ? Json(*provenance.seed) : Json(nullptr)},
          {"options", options}};
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
  if (file.at("format").string() != kFormat) {
    file.at("format").fail("is not \"" + std::string(kFormat) + "\"; is this a policy file?");
  }
  const JsonReader version = file.at("version");
  if (version.value() != kVersion) {
    version.fail("this program reads version " + std::to_string(kVersion) + ", the file has " +
                 version.value().dump());
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

std::string write_policy(const Policy& policy) {
  validate(policy);
  Json file = {{"format", kFormat},
               {"version", kVersion},
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
  if (text.size() > kMaxFileBytes) {
    throw Error("the policy takes " + std::to_string(text.size()) +
                " bytes; the limit of the format is " + std::to_string(kMaxFileBytes));
  }
  return text;
}

std::filesystem::path find_policy_file(const std::filesystem::path& path, std::uint64_t seed) {
  if (!std::filesystem::is_directory(path)) return path;
  const std::filesystem::path of_seed = path / ("seed" + std::to_string(seed)) / "policy.json";
  for (const std::filesystem::path& file : {path / "policy.json", of_seed}) {
    if (std::filesystem::exists(file)) return file;
  }
  throw Error(path.string() + ": there is neither policy.json nor seed" + std::to_string(seed) +
              "/policy.json in this folder");
}

Policy load_policy(const std::filesystem::path& path) {
  return parse_policy(read_file(path, kMaxFileBytes), path.string());
}

void save_policy(const Policy& policy, const std::filesystem::path& path) {
  write_file_atomically(path, write_policy(policy));
}

void visit_policy(StateArchive& archive, const std::string& name, Policy& policy) {
  std::string text = archive.reading() ? "" : write_policy(policy);
  archive.text(name, text);
  if (archive.reading()) policy = parse_policy(text, "saved state");
}

}  // namespace icct
