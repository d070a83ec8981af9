#include <memory>

#include "cli/commands.h"
#include "cli/observation_source.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/export/to_dot.h"
#include "icct/export/to_html.h"
#include "icct/export/to_svg.h"
#include "icct/export/to_text.h"
#include "icct/policy/policy_file.h"
#include "icct/tree/leaf_regions.h"

namespace icct {
namespace {

enum class Form { Text, Paragraph, Svg, Html, Dot, Json };

struct ShowOptions {
  std::string file, out, environment, log;
  Form form = Form::Text;
  TextOptions text;
  int episodes = 10;
  std::uint64_t seed = 0;
};

constexpr const char* kFooter =
    "\nThe tree is read from the top: at each question follow 'yes' or 'no' until a leaf says what "
    "each action is.\n"
    "Formulas are the deployed function, tanh and scaling included. Numbers are rounded for "
    "reading; the file and\n"
    "--json hold them exactly.\n"
    "\nExamples:\n"
    "  icct show policy.json --digits 5\n"
    "  icct show policy.json --svg -o tree.svg                          for a paper\n"
    "  icct show policy.json --html -o tree.html                        to play with, offline\n"
    "  icct show policy.json --visits lunar_lander --episodes 20        what is used, and what "
    "never\n"
    "  icct show policy.json --dot | dot -Tpdf > tree.pdf";

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
Json rules_to_json(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
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
    if (visits != nullptr)
      rules.back()["visits"] = visits->leaves[static_cast<std::size_t>(region.leaf)];
  }
  return {{"name", policy.name},
          {"squashing", policy.squashing == Squashing::Tanh ? "tanh" : "clip"},
          {"rules", rules}};
}

// How often everything is used, if asked for.
std::optional<VisitCounts> count_visits(const ShowOptions& options, const Policy& policy) {
  if (options.environment.empty() && options.log.empty()) return std::nullopt;
  const Tree& tree = tree_of(policy);
  VisitCounts visits = no_visits(tree);
  for (const auto& x : options.log.empty() ? met_observations(policy, options.environment,
                                                              options.episodes, options.seed)
                                           : read_observations(options.log, policy))
    count_visit(tree, x, visits);
  return visits;
}

std::string shown(const ShowOptions& options, const Policy& policy) {
  const std::optional<VisitCounts> counted = count_visits(options, policy);
  const VisitCounts* visits = counted ? &*counted : nullptr;
  switch (options.form) {
    case Form::Text:
      return to_text(policy, options.text, visits);
    case Form::Paragraph:
      return to_paragraphs(policy, options.text, visits);
    case Form::Svg:
      return to_svg(policy, options.text, visits);
    case Form::Html:
      return to_html(policy, options.text, visits);
    case Form::Dot:
      return to_dot(policy, options.text, visits);
    case Form::Json:
      return write_json(rules_to_json(policy, options.text, visits)) + "\n";
  }
  throw Error("unknown form");
}

void show(const ShowOptions& options) {
  const Policy policy = load_policy(options.file);
  if (!options.out.empty()) require_writable(options.out);
  const std::string text = shown(options, policy);
  if (options.out.empty()) return print(text);
  write_file_atomically(options.out, text);
  print("Open " + options.out + "\n");
}

void add_forms(CLI::App& verb, const std::shared_ptr<ShowOptions>& options) {
  CLI::Option_group* forms = verb.add_option_group("form");
  const auto add = [&](const char* flag, Form form, const char* help) {
    forms->add_flag_callback(
        flag, [options, form] { options->form = form; }, help);
  };
  add("--text", Form::Text, "lines of text; the default");
  add("--paragraph", Form::Paragraph, "one paragraph per leaf: conditions, then consequence");
  add("--svg", Form::Svg, "a drawing for a paper");
  add("--html", Form::Html, "a page to play with: fold, search, move sliders; needs no network");
  add("--dot", Form::Dot, "for Graphviz");
  add("--json", Form::Json, "one rule per leaf, with exact numbers");
  forms->require_option(0, 1);
}

}  // namespace

void add_show_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* verb =
      program.add_subcommand("show", "A policy's tree as text, drawing, page or paragraphs");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  add_forms(*verb, options);
  verb->add_option("-o,--out", options->out, "write to this file instead of standard output");
  verb->add_option("--digits", options->text.digits, "significant digits shown")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  CLI::Option* env =
      verb->add_option("--visits", options->environment,
                       "how often nodes and leaves are used in episodes of this environment");
  verb->add_option("--log", options->log,
                   "the same for logged observations, as for icct act (CSV, JSON lines)")
      ->excludes(env);
  verb->add_option("--episodes", options->episodes, "of --visits")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "of --visits")->capture_default_str();
  verb->callback([options] { show(*options); });
}

}  // namespace icct
