#include "icct/verify/robustness.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/observation_source.h"
#include "cli/region_options.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/policy/policy_file.h"
#include "icct/verify/allowed_actions.h"
#include "icct/verify/radius_histogram.h"

namespace icct {
namespace {

constexpr std::size_t kBins = 20;

struct RobustnessOptions {
  std::string file, at, data, environment, allow, weights, svg;
  RegionOptions region;
  double change = 0;
  int episodes = 10;
  std::uint64_t seed = 0;
  bool json = false;
};

constexpr const char* kFooter =
    "\nThe smallest error e of an observation (each of them off by at most e times its weight) "
    "that "
    "can move an action\n"
    "out of what is allowed: exact for the deployed function, with the observation that does it. "
    "Over many observations\n"
    "(--data, --env): how the radii are distributed.\n"
    "\nExamples:\n"
    "  icct robustness policy.json --at 'height = 0.5' --allow 'main_engine <= 0'\n"
    "  icct robustness policy.json --env lunar_lander --change 0.5 --weights 'leg0_contact = 0, "
    "leg1_contact = 0'";

// The question for any observation: all but x, and what --change allows around its action.
RobustnessQuery question(const RobustnessOptions& options, const Policy& policy, const Box& box) {
  // Weights are written like an observation, 1 where nothing is said.
  const Box unit(policy.observations.size(), {1, 1});
  return {.x = {},
          .allowed = options.allow.empty() ? std::vector<Range>(policy.actions.size())
                                           : allowed_actions(options.allow, policy),
          .weights = parse_point(options.weights, policy, unit),
          .box = box};
}

Robustness ask(const RobustnessOptions& options, const Policy& policy, RobustnessQuery query,
               const std::vector<double>& x) {
  query.x = x;
  if (options.change > 0) {
    const std::vector<double> action = act(policy, x);
    for (std::size_t a = 0; a < action.size(); ++a) {
      query.allowed[a] =
          intersection(query.allowed[a], {action[a] - options.change, action[a] + options.change});
    }
  }
  return robustness(policy, query);
}

Json finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

void print_one(const RobustnessOptions& options, const Policy& policy, const Box& box) {
  const std::vector<double> x = parse_point(options.at, policy, box);
  const Robustness result = ask(options, policy, question(options, policy, box), x);
  Json json = {{"observation", values_json(policy.observations, x)},
               {"action", values_json(policy.actions, act(policy, x))},
               {"radius", result.radius ? Json(*result.radius) : Json(nullptr)}};
  std::string text = "at " + values_text(policy.observations, x) + "\n  the policy answers " +
                     values_text(policy.actions, act(policy, x)) + "\n";
  if (!result.radius) {
    text += "no error of the observation makes a difference\n";
  } else {
    const std::vector<double> there = act(policy, result.at);
    const std::string leaf = name_of(tree_of(policy), {result.leaf, true});
    json["perturbed"] = {{"observation", values_json(policy.observations, result.at)},
                         {"action", values_json(policy.actions, there)},
                         {"leaf", leaf}};
    text += "smallest error that makes a difference: " + exact_text(*result.radius) + "\n  at " +
            values_text(policy.observations, result.at) + "\n  " + leaf + " answers " +
            values_text(policy.actions, there) + "\n";
  }
  print(options.json ? write_json(json) + "\n" : text);
}

void print_many(const RobustnessOptions& options, const Policy& policy, const Box& box,
                const std::vector<std::vector<double>>& observations) {
  const RobustnessQuery query = question(options, policy, box);
  std::vector<double> radii;
  for (const auto& x : observations)
    radii.push_back(ask(options, policy, query, x).radius.value_or(HUGE_VAL));
  const RadiusHistogram histogram = radius_histogram(radii, kBins);
  if (!options.svg.empty())
    write_file_atomically(options.svg,
                          histogram_svg(histogram, policy.name + ": robustness", "radius"));
  const auto weakest = static_cast<std::size_t>(std::ranges::min_element(radii) - radii.begin());
  if (options.json) {
    Json json = {{"observations", radii.size()},
                 {"smallest_radius", finite_or_null(radii[weakest])},
                 {"unlimited", histogram.unlimited},
                 {"weakest", values_json(policy.observations, observations[weakest])},
                 {"radii", Json::array()}};
    for (const double radius : radii) json["radii"].push_back(finite_or_null(radius));
    return print(write_json(json) + "\n");
  }
  print(histogram_text(histogram) + "weakest: radius " + exact_text(radii[weakest]) + " at " +
        values_text(policy.observations, observations[weakest]) + "\n" +
        (options.svg.empty() ? "" : "Open " + options.svg + "\n"));
}

void run_robustness(const RobustnessOptions& options) {
  const Policy policy = load_policy(options.file);
  const Box box = region_of(options.region, policy);
  if (options.allow.empty() && options.change <= 0)
    throw Error("what is allowed? Give --allow 'action <= 5' or --change 0.5");
  if (!options.svg.empty()) require_writable(options.svg);
  if (!options.environment.empty())
    return print_many(
        options, policy, box,
        met_observations(policy, options.environment, options.episodes, options.seed));
  if (!options.data.empty())
    return print_many(options, policy, box, read_observations(options.data, policy));
  print_one(options, policy, box);
}

}  // namespace

void add_robustness_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<RobustnessOptions>();
  CLI::App* verb =
      program.add_subcommand("robustness", "How wrong an observation may be before it matters");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  CLI::Option* at = verb->add_option("--at", options->at, "an observation: \"height = 0.5\"");
  CLI::Option* data =
      verb->add_option("--data", options->data, "observations, as for icct act (CSV, JSON lines)");
  CLI::Option* env = verb->add_option("--env", options->environment,
                                      "observations that the policy meets in this environment");
  at->excludes(data)->excludes(env);
  data->excludes(env);
  verb->add_option("--episodes", options->episodes, "of the environment")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "of the episodes")->capture_default_str();
  verb->add_option("--allow", options->allow, "what actions may be: \"main_engine <= 0.5\"");
  verb->add_option("--change", options->change, "or how far each may move, in its unit")
      ->check(CLI::PositiveNumber);
  verb->add_option("--weights", options->weights,
                   "how far off each observation may be per unit of error: \"angle = 0.1\"; 1 if "
                   "not named, 0: exactly known");
  add_region_options(*verb, options->region);
  verb->add_option("--svg", options->svg, "draw the histogram of --data or --env to this file");
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options] { run_robustness(*options); });
}

}  // namespace icct
