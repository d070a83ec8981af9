#include "icct/verify/explain.h"

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/region_options.h"
#include "icct/base/number.h"
#include "icct/export/phrases.h"
#include "icct/policy/policy_file.h"
#include "icct/verify/robustness.h"

namespace icct {
namespace {

struct ExplainOptions {
  std::string file, at, weights;
  RegionOptions region;
  TextOptions text;
  double change = 0;
  bool json = false;
};

constexpr const char* kFooter =
    "\nThe decisions on the way to the leaf, with how far the observation is from each threshold; "
    "what each term of the\n"
    "controllers adds; and the nearest observation that reaches another leaf. With --change also "
    "the nearest one that\n"
    "moves an action by so much. Nearest: every observation moves by at most the distance, times "
    "its weight.\n"
    "\nExample:\n"
    "  icct explain policy.json --at 'height = 0.5, angle = 0.1' --change 0.2";

// What is asked, and around what.
struct Question {
  const Policy& policy;
  const ExplainOptions& options;
  std::vector<double> x, weights;
  Box box;
};

Question question(const Policy& policy, const ExplainOptions& options) {
  Question asked{policy, options, {}, {}, region_of(options.region, policy)};
  asked.x = parse_point(options.at, policy, asked.box);
  asked.weights = parse_point(options.weights, policy, Box(policy.observations.size(), {1, 1}));
  // An observation outside the declared bounds is explained too.
  for (std::size_t i = 0; i < asked.x.size(); ++i) {
    asked.box[i] = {std::min(asked.box[i].lower, asked.x[i]),
                    std::max(asked.box[i].upper, asked.x[i])};
  }
  return asked;
}

std::optional<Robustness> nearest_change(const Question& asked) {
  if (asked.options.change <= 0) return std::nullopt;
  RobustnessQuery query{asked.x, {}, asked.weights, asked.box};
  for (const double action : act(asked.policy, asked.x))
    query.allowed.push_back({action - asked.options.change, action + asked.options.change});
  const Robustness found = robustness(asked.policy, query);
  return found.radius ? std::optional(found) : std::nullopt;
}

const Dimension& observation(const Question& asked, int feature) {
  return asked.policy.observations[static_cast<std::size_t>(feature)];
}

std::string step_text(const Question& asked, const PathStep& step) {
  const Tree& tree = tree_of(asked.policy);
  const Split& split = tree.splits[static_cast<std::size_t>(step.split)];
  const Dimension& feature = observation(asked, split.feature);
  const std::string side = step.value >= split.threshold ? " above" : " below";
  return "  " + name_of(tree, {step.split, false}) + ": " +
         condition_text(asked.policy, split, asked.options.text) + "? " +
         (step.yes ? "yes" : "no") + ", " + with_unit(step.value, feature, asked.options.text) +
         (step.margin == 0 ? " is the threshold"
                           : " is " + with_unit(step.margin, feature, asked.options.text) + side) +
         "\n";
}

// "-4.2 m/s2, hard brake"
std::string action_text(const Question& asked, std::size_t a, double value) {
  const std::string word = word_for(asked.policy, a, value);
  return with_unit(value, asked.policy.actions[a], asked.options.text) +
         (word.empty() ? "" : ", " + word);
}

std::string signed_number(double value, const TextOptions& options) {
  return (value < 0 ? "" : "+") + number_text(value, options);
}

std::string reason_text(const Question& asked, std::size_t a, const ActionReason& reason) {
  const TextOptions& options = asked.options.text;
  std::string text = "  " + asked.policy.actions[a].name + " = " +
                     action_text(asked, a, reason.action) + "\n    " +
                     signed_number(reason.bias, options) + "  bias\n";
  for (const Contribution& c : reason.terms) {
    const Dimension& feature = observation(asked, c.term.feature);
    text += "    " + signed_number(c.amount, options) + "  " + feature.name + ": " +
            number_text(c.term.gain, options) + " times " + with_unit(c.value, feature, options) +
            "\n";
  }
  return text + "    = " + number_text(reason.output, options) +
         (asked.policy.squashing == Squashing::Tanh ? ", then tanh and scaling\n"
                                                    : ", then kept within its bounds\n");
}

// What would have to be different: only the observations that move.
std::string moved_text(const Question& asked, const std::vector<double>& at, int leaf) {
  std::string text;
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] == asked.x[i]) continue;
    text +=
        (text.empty() ? "" : ", ") + asked.policy.observations[i].name + " = " + exact_text(at[i]) +
        (asked.policy.observations[i].unit.empty() ? "" : " " + asked.policy.observations[i].unit);
  }
  const std::vector<double> action = act(asked.policy, at);
  text = "  " + text + "\n  " + name_of(tree_of(asked.policy), {leaf, true}) + " answers ";
  for (std::size_t a = 0; a < action.size(); ++a) {
    text += (a == 0 ? "" : "; ") + asked.policy.actions[a].name + " = " +
            action_text(asked, a, action[a]);
  }
  return text + "\n";
}

std::string to_text(const Question& asked, const Explanation& explanation,
                    const std::optional<NearestLeaf>& leaf,
                    const std::optional<Robustness>& change) {
  std::string text = "at " + values_text(asked.policy.observations, asked.x) + "\n\npath\n";
  for (const PathStep& step : explanation.path) text += step_text(asked, step);
  text += "\n" + name_of(tree_of(asked.policy), {explanation.leaf, true}) + " answers\n";
  for (std::size_t a = 0; a < explanation.actions.size(); ++a)
    text += reason_text(asked, a, explanation.actions[a]);
  text += "\nnearest observation of another leaf: ";
  text += leaf ? "distance " + number_text(leaf->distance, asked.options.text) + "\n" +
                     moved_text(asked, leaf->at, leaf->leaf)
               : "there is none\n";
  if (asked.options.change <= 0) return text;
  const std::string amount = number_text(asked.options.change, asked.options.text);
  text += "\nnearest observation that moves an action by more than " + amount + ": ";
  return text + (change ? "distance " + number_text(*change->radius, asked.options.text) + "\n" +
                              moved_text(asked, change->at, change->leaf)
                        : "there is none\n");
}

Json nearest_json(const Question& asked, double distance, const std::vector<double>& at, int leaf) {
  return {{"distance", distance},
          {"observation", values_json(asked.policy.observations, at)},
          {"leaf", name_of(tree_of(asked.policy), {leaf, true})},
          {"action", values_json(asked.policy.actions, act(asked.policy, at))}};
}

Json path_json(const Question& asked, const Explanation& explanation) {
  const Tree& tree = tree_of(asked.policy);
  Json path = Json::array();
  for (const PathStep& step : explanation.path) {
    const Split& split = tree.splits[static_cast<std::size_t>(step.split)];
    path.push_back({{"node", name_of(tree, {step.split, false})},
                    {"observation", observation(asked, split.feature).name},
                    {split.less ? "at_most" : "at_least", split.threshold},
                    {"value", step.value},
                    {"decision", step.yes ? "yes" : "no"},
                    {"margin", step.margin}});
  }
  return path;
}

Json to_json(const Question& asked, const Explanation& explanation,
             const std::optional<NearestLeaf>& leaf, const std::optional<Robustness>& change) {
  Json actions = Json::array();
  for (std::size_t a = 0; a < explanation.actions.size(); ++a) {
    const ActionReason& reason = explanation.actions[a];
    Json terms = Json::array();
    for (const Contribution& c : reason.terms) {
      terms.push_back({{"observation", observation(asked, c.term.feature).name},
                       {"gain", c.term.gain},
                       {"value", c.value},
                       {"amount", c.amount}});
    }
    actions.push_back({{"name", asked.policy.actions[a].name},
                       {"action", reason.action},
                       {"words", word_for(asked.policy, a, reason.action)},
                       {"bias", reason.bias},
                       {"terms", terms},
                       {"output", reason.output}});
  }
  Json json = {{"observation", values_json(asked.policy.observations, asked.x)},
               {"path", path_json(asked, explanation)},
               {"leaf", name_of(tree_of(asked.policy), {explanation.leaf, true})},
               {"actions", actions},
               {"nearest_other_leaf",
                leaf ? nearest_json(asked, leaf->distance, leaf->at, leaf->leaf) : Json()}};
  if (asked.options.change > 0) {
    json["nearest_change"] =
        change ? nearest_json(asked, *change->radius, change->at, change->leaf) : Json();
  }
  return json;
}

void explain_action(const ExplainOptions& options) {
  const Policy policy = load_policy(options.file);
  const Question asked = question(policy, options);
  const Explanation explanation = explain(policy, asked.x);
  const auto leaf = nearest_other_leaf(policy, asked.x, asked.weights, asked.box);
  const auto change = nearest_change(asked);
  print(options.json ? write_json(to_json(asked, explanation, leaf, change)) + "\n"
                     : to_text(asked, explanation, leaf, change));
}

}  // namespace

void add_explain_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* verb = program.add_subcommand("explain", "Why a policy answers an observation so");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option(
          "--at", options->at,
          "the observation: \"height = 0.5, angle = 0.1\"; those not named are 0 or in the "
          "middle of their bounds")
      ->required();
  verb->add_option("--change", options->change,
                   "also: what moves an action by so much, in its unit")
      ->check(CLI::PositiveNumber);
  verb->add_option("--weights", options->weights,
                   "what counts as near: \"angle = 0.1\" lets it move a tenth as far; 1 if not "
                   "named, 0: fixed");
  add_region_options(*verb, options->region);
  verb->add_option("--digits", options->text.digits, "significant digits shown")
      ->check(CLI::Range(1, 17))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options] { explain_action(*options); });
}

}  // namespace icct
