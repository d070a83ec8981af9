#include <memory>

#include "cli/commands.h"
#include "icct/base/json.h"
#include "icct/export/to_text.h"
#include "icct/policy/policy_file.h"
#include "icct/tree/leaf_regions.h"

namespace icct {
namespace {

struct ShowOptions {
  std::string file;
  bool paragraph = false;
  bool json = false;
  TextOptions text;
};

constexpr const char* kFooter =
    "\nThe tree is read from the top: at each question follow 'yes' or 'no' until a leaf says what "
    "each action is.\n"
    "Formulas are the deployed function, tanh and scaling included. Numbers are rounded for "
    "reading; the file and\n"
    "--json hold them exactly.\n"
    "\nExample:\n"
    "  icct show policy.json --digits 5";

Json bound(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json condition_to_json(const FeatureInterval& condition, const Space& observations) {
  const Dimension& feature = observations[static_cast<std::size_t>(condition.feature)];
  return {
      {"observation", feature.name},
      {"unit", feature.unit},
      {"lower", bound(condition.interval.lower)},
      {"lower_included", std::isfinite(condition.interval.lower) && !condition.interval.lower_open},
      {"upper", bound(condition.interval.upper)},
      {"upper_included",
       std::isfinite(condition.interval.upper) && !condition.interval.upper_open}};
}

Json controller_to_json(const Policy& policy, const Controller& controller, int action,
                        const TextOptions& options) {
  Json gains = Json::object();
  for (const Term& term : controller.terms) {
    gains[policy.observations[static_cast<std::size_t>(term.feature)].name] = term.gain;
  }
  const Dimension& dimension = policy.actions[static_cast<std::size_t>(action)];
  return {{"action", dimension.name},
          {"unit", dimension.unit},
          {"bias", controller.bias},
          {"gains", gains},
          {"formula", action_formula(policy, controller, action, options)}};
}

// One rule per leaf: all its conditions, then all its actions.
Json rules_to_json(const Policy& policy, const TextOptions& options) {
  const Tree& tree = tree_of(policy);
  Json rules = Json::array();
  for (const LeafRegion& region : leaf_regions(tree)) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(region.leaf)];
    Json conditions = Json::array();
    for (const FeatureInterval& condition : region.conditions) {
      conditions.push_back(condition_to_json(condition, policy.observations));
    }
    Json actions = Json::array();
    for (std::size_t a = 0; a < policy.actions.size(); ++a) {
      actions.push_back(
          controller_to_json(policy, leaf.controllers[a], static_cast<int>(a), options));
    }
    rules.push_back({{"leaf", name_of(tree, {region.leaf, true})},
                     {"reachable", !region.empty()},
                     {"conditions", conditions},
                     {"actions", actions}});
  }
  return {{"name", policy.name},
          {"squashing", policy.squashing == Squashing::Tanh ? "tanh" : "clip"},
          {"rules", rules}};
}

void show(const ShowOptions& options) {
  const Policy policy = load_policy(options.file);
  if (options.json) {
    print(write_json(rules_to_json(policy, options.text)) + "\n");
  } else {
    print(options.paragraph ? to_paragraphs(policy, options.text) : to_text(policy, options.text));
  }
}

}  // namespace

void add_show_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb = program.add_subcommand("show", "Draw a policy's tree, or tell it in paragraphs");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_flag("--paragraph", options->paragraph,
                 "one paragraph per leaf: conditions, then consequence");
  verb->add_flag("--json", options->json, "one rule per leaf as JSON, with exact numbers");
  verb->add_option("--digits", options->text.digits, "significant digits shown")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->callback([options] { show(*options); });
}

}  // namespace icct
