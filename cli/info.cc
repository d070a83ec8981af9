#include <memory>

#include "cli/commands.h"
#include "icct/base/json.h"
#include "icct/policy/parameter_count.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct InfoOptions {
  std::string file;
  bool json = false;
};

constexpr const char* kFooter =
    "\nParameters are counted as in the paper: 3 per split, and per leaf and action 1 for a "
    "constant, 2 e + 1 for e\n"
    "features, m + 1 for all m features; networks: all weights and biases.";

Json features_to_json(const Tree& tree, const Space& observations) {
  Json names = Json::array();
  for (const int feature : features_used(tree))
    names.push_back(observations[static_cast<std::size_t>(feature)].name);
  return names;
}

Json info_to_json(const Policy& policy) {
  Json info = {{"name", policy.name},
               {"kind", std::holds_alternative<Tree>(policy.controller) ? "tree" : "network"},
               {"observations", policy.observations.size()},
               {"actions", policy.actions.size()},
               {"parameters", count_parameters(policy)}};
  if (const Tree* tree = std::get_if<Tree>(&policy.controller)) {
    std::size_t most_terms = 0;
    for (const Leaf& leaf : tree->leaves) {
      for (const Controller& controller : leaf.controllers)
        most_terms = std::max(most_terms, controller.terms.size());
    }
    info["splits"] = tree->splits.size();
    info["leaves"] = tree->leaves.size();
    info["depth"] = depth(*tree);
    info["features_per_controller"] = most_terms;
    info["features_used"] = features_to_json(*tree, policy.observations);
  } else {
    info["layers"] = std::get<Mlp<double>>(policy.controller).sizes();
  }
  info["squashing"] = policy.squashing == Squashing::Tanh ? "tanh" : "clip";
  info["invalid_observation"] = policy.safe_action ? "safe action" : "error";
  info["program"] = policy.provenance.program;
  info["command"] = policy.provenance.command;
  info["seed"] = policy.provenance.seed ? Json(*policy.provenance.seed) : Json(nullptr);
  return info;
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_null()) return "";
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Json& element : value) text += (text.empty() ? "" : ", ") + plain(element);
  return text;
}

// "features per controller  2", what is empty left out.
std::string info_to_text(const Json& info) {
  constexpr std::size_t kWidth = 25;
  std::string text;
  for (auto item = info.begin(); item != info.end(); ++item) {
    const std::string value = plain(*item);
    if (value.empty()) continue;
    std::string label = item.key();
    std::replace(label.begin(), label.end(), '_', ' ');
    text += label + std::string(kWidth - label.size(), ' ') + value + "\n";
  }
  return text;
}

}  // namespace

void add_info_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* verb =
      program.add_subcommand("info", "Size, depth, features used and origin of a policy");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->callback([options] {
    const Json info = info_to_json(load_policy(options->file));
    print(options->json ? write_json(info) + "\n" : info_to_text(info));
  });
}

}  // namespace icct
