#include "icct/train/train_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/base/option_range.h"
#include "icct/env/environment_spec.h"
#include "icct/env/traffic.h"
#include "icct/policy/parameter_count.h"
#include "icct/policy/policy_file.h"
#include "icct/search/active_numbers.h"
#include "icct/train/feature_choice.h"
#include "icct/train/gradient_learner.h"
#include "icct/train/option_fields.h"
#include "icct/train/tree_search.h"
#include "icct/tree/learnable.h"

namespace icct {
namespace {

// Direct search: about five minutes of one core at the most, longer for traffic.
std::int64_t search_steps(const std::string& environment) {
  const std::string name = parse_environment_spec(environment).name;
  if (name == "inverted_pendulum") return 3'000'000;
  if (name == "lane_keeping") return 600'000'000;
  if (name == "ring") return 4'000'000;
  if (name == "ring_two_lane" || name == "figure8") return 8'000'000;
  if (name == "i94") return 4'000'000;
  if (name == "i280") return 200'000;  // of a second each
  return is_traffic(environment) ? 1'500'000 : 16'000'000;
}

void use_published(TrainOptions& o) {
  struct Published {
    const char* environment;
    double learning_rate;
    std::int64_t steps;
    int leaves, batch_size, learning_starts, validate_every;
  };
  constexpr Published kTable[] = {
      {"inverted_pendulum", 5e-4, 500'000, 4, 1024, 10'000, 1500},
      {"lunar_lander", 5e-4, 500'000, 8, 256, 10'000, 1500},
      {"lane_keeping", 3e-4, 500'000, 16, 1024, 10'000, 1500},
      {"ring", 5e-4, 100'000, 16, 1024, 5000, 1500},
      {"ring_two_lane", 5e-4, 500'000, 16, 1024, 5000, 2500},
      {"figure8", 6e-4, 500'000, 16, 1024, 5000, 2500},
  };
  const std::string name = parse_environment_spec(o.environment).name;
  for (const Published& row : kTable) {
    if (name != row.environment) continue;
    o.leaves = row.leaves;
    o.learning_rate = o.actor_learning_rate = row.learning_rate;
    o.batch_size = row.batch_size;
    o.steps = row.steps;
    o.learning_starts = row.learning_starts;
    o.validate_every = row.validate_every;
    // Of the two forms of the selectors' gradient, one domain used the other.
    o.combined_selector_gradient = name == "inverted_pendulum";
    return;
  }
  throw Error("the paper has no hyper-parameters for '" + o.environment + "'");
}

constexpr double kEntropyCoefficientOfStart = 0.01;
constexpr int kMaxLeavesWithStart = 1 << 20;

// Gradients are taken in single precision.
void require_single_precision(const Tree& tree, const std::string& file) {
  const auto require = [&](double value, NodeRef where) {
    if (std::abs(value) <= std::numeric_limits<float>::max()) return;
    throw Error(file + ": '" + name_of(tree, where) + "' has the number " + exact_text(value) +
                ", but sac and td3 learn in single precision, up to 3.4e38; change it with icct "
                "edit, or begin with it by --algorithm search");
  };
  for (int i = 0; i < std::ssize(tree.splits); ++i)
    require(tree.splits[static_cast<std::size_t>(i)].threshold, {i, false});
  for (int i = 0; i < std::ssize(tree.leaves); ++i) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(i)];
    for (const double log_std : leaf.log_std) require(log_std, {i, true});
    for (const Controller& controller : leaf.controllers) {
      require(controller.bias, {i, true});
      for (const Term& term : controller.terms) require(term.gain, {i, true});
    }
  }
}

// The policy to begin with, if there is one.
std::optional<Policy> start_of(const TrainOptions& o, const Environment& environment) {
  if (o.from.empty()) return {};
  const std::filesystem::path file = find_policy_file(o.from, o.seed);
  Policy start = load_policy(file);
  require_match(start, environment);
  const auto* tree = std::get_if<Tree>(&start.controller);
  if (tree == nullptr)
    throw Error(file.string() +
                ": is a network, but training begins with a tree; make one of it with icct distill "
                "--teacher " +
                shell_word(file.string()) + " --out FOLDER");
  if (o.algorithm == "search") return start;
  if (start.squashing != Squashing::Tanh)
    throw Error(file.string() +
                ": its actions are clipped, those that sac and td3 learn are squashed by tanh; "
                "begin with it by --algorithm search, or distil it first");
  require_single_precision(*tree, file.string());
  return start;
}

TreeActorPlan tree_plan(const TrainOptions& o, const Environment& environment,
                        const std::optional<Policy>& start) {
  TreeActorPlan plan;
  plan.tree.observations = static_cast<int>(environment.observations().size());
  plan.tree.actions = static_cast<int>(environment.actions().size());
  plan.tree.leaves = o.leaves;
  const int features = feature_count(o.features, plan.tree.observations);
  plan.tree.features = std::max(features, 1);
  plan.tree.leaf = features == 0                        ? LeafKind::Static
                   : features == plan.tree.observations ? LeafKind::Complete
                                                        : LeafKind::Sparse;
  if (o.actor == "cddt" || o.actor == "cddt_controllers") {
    plan.tree.nodes = NodeKind::Soft;
    plan.tree.leaf = o.actor == "cddt" ? LeafKind::Static : LeafKind::Complete;
  }
  if (start) {
    plan.tree = learnable_options(tree_of(*start), plan.tree.observations, plan.tree.actions,
                                  o.leaves, features);
  }
  if (o.combined_selector_gradient) plan.tree.selector_gradient = SelectorGradient::Combined;
  plan.learning.gumbel = o.gumbel;
  plan.learning.l1_coefficient = o.l1;
  return plan;
}

GradientOptions gradient_options(const TrainOptions& o, const Environment& environment,
                                 const std::optional<Policy>& start, int threads) {
  GradientOptions result;
  result.start = start;
  const auto fill = [&](auto options) {
    options.learning_rate = o.learning_rate;
    options.actor_learning_rate = o.actor_learning_rate;
    options.discount = o.discount;
    options.tau = o.tau;
    options.batch_size = o.batch_size;
    options.critic_hidden = {o.critic_width, o.critic_width};
    options.actor_average = o.actor_average;
    options.threads = std::clamp(threads, 1, 2);
    if (start) options.actor_starts = o.learning_starts;
    result.algorithm = options;
  };
  if (o.algorithm == "sac") {
    // A coefficient of 1 would have the start forgotten for more entropy.
    fill(start ? SacOptions{.initial_entropy_coefficient = kEntropyCoefficientOfStart}
               : SacOptions{});
  } else {
    fill(Td3Options{});
  }
  const TreeActorPlan tree = tree_plan(o, environment, start);
  result.actor = tree;
  if (o.actor == "mlp_lower") result.actor = MlpActorPlan{hidden_layers(MlpSize::Lower, tree.tree)};
  if (o.actor == "mlp_upper") result.actor = MlpActorPlan{hidden_layers(MlpSize::Upper, tree.tree)};
  if (o.actor == "mlp_max") result.actor = MlpActorPlan{hidden_layers(MlpSize::Max, tree.tree)};
  result.steps = o.steps;
  result.replay_capacity = o.replay_capacity;
  result.learning_starts = o.learning_starts;
  result.validate_every = o.validate_every;
  result.validation_episodes = o.validation_episodes;
  return result;
}

Policy blank_policy(const TrainOptions& o, const Environment& environment,
                    const std::optional<Policy>& start) {
  Policy policy;
  policy.name = o.environment + ", seed " + std::to_string(o.seed);
  policy.environment = o.environment;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  if (start) {
    policy.observations = start->observations;
    policy.actions = start->actions;
    policy.squashing = start->squashing;
    policy.safe_action = start->safe_action;
  }
  policy.provenance = {.program = "icct " ICCT_VERSION,
                       .command = command_of(o),
                       .seed = o.seed,
                       .options = write_json(to_json(o))};
  return policy;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names = {""};
  for (const char c : list) {
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

}  // namespace

int feature_count(const std::string& text, int observations) {
  if (text == "all") return observations;
  int count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size() || count < 0)
    refuse_option("features", "'" + text + "'", "0, 1, 2, ... or all");
  return std::min(count, observations);
}

TrainOptions preset_options(const std::string& environment, const std::string& preset,
                            const std::string& algorithm) {
  require_one_of("preset", preset, {"default", "paper"});
  TrainOptions o;
  o.environment = environment;
  o.algorithm = !algorithm.empty() ? algorithm : preset == "paper" ? "sac" : "search";
  require_one_of("algorithm", o.algorithm, {"search", "sac", "td3"});
  o.steps = o.algorithm == "search" ? search_steps(environment) : 500'000;
  if (o.algorithm != "search") o.validation_episodes = 20;
  if (is_traffic(environment)) {  // a hundred times slower, and less a matter of luck
    o.validation_episodes = o.algorithm == "search" ? 10 : 5;
    o.report_episodes = 20;
  }
  if (preset == "paper") use_published(o);
  if (o.algorithm == "td3") o.tau = Td3Options{}.tau;
  return o;
}

void validate(const TrainOptions& o) {
  require_one_of("algorithm", o.algorithm, {"search", "sac", "td3"});
  require_one_of("actor", o.actor,
                 {"icct", "cddt", "cddt_controllers", "mlp_lower", "mlp_upper", "mlp_max"});
  if (o.algorithm == "search" && o.actor != "icct")
    refuse_option("actor", "'" + o.actor + "'",
                  "icct for direct search; sac and td3 learn the others");
  if (!o.from.empty() && o.actor != "icct")
    refuse_option("actor", "'" + o.actor + "'", "icct to begin with a tree");
  // The tree makes up for too few, so that nobody else would notice.
  if (!o.from.empty()) require_between("leaves", o.leaves, 1, kMaxLeavesWithStart);
  if (!o.keep.empty() && (o.from.empty() || o.algorithm != "search"))
    refuse_option("keep", "'" + o.keep + "'", "for direct search that begins with a tree (--from)");
  feature_count(o.features, 1);
  require_at_least("report_episodes", o.report_episodes, 1);
  require_between("critic_width", o.critic_width, 1, 65536);
}

Json to_json(const TrainOptions& options) {
  return json_of_fields(options);
}

TrainOptions train_options_from(const JsonReader& json) {
  return read_fields<TrainOptions>(json);
}

std::string command_of(const TrainOptions& options) {
  const TrainOptions usual = preset_options(options.environment, "default", options.algorithm);
  std::string command =
      "icct train " + shell_word(options.environment) + changed_flags(options, usual);
  if (options.algorithm != "search") command += " --algorithm " + options.algorithm;
  return command;
}

std::unique_ptr<Learner> make_learner(const TrainOptions& options,
                                      const EnvironmentFactory& make_environment, Workers& workers,
                                      int threads) {
  validate(options);
  const std::optional<Policy> start = start_of(options, workers.environment());
  const Policy blank = blank_policy(options, workers.environment(), start);
  if (options.algorithm != "search") {
    return std::make_unique<GradientLearner>(
        make_environment(), workers, blank,
        gradient_options(options, workers.environment(), start, threads), options.seed);
  }
  TreeSearchOptions search = {
      .steps = options.steps,
      .leaves = options.leaves,
      .features = feature_count(options.features, static_cast<int>(blank.observations.size())),
      .validation_episodes = options.validation_episodes};
  if (start) {
    search.start = tree_of(*start);
    search.leaves = std::max(search.leaves, static_cast<int>(search.start->leaves.size()));
    while (terms_over(*search.start, search.features) > 0) ++search.features;
    if (!options.keep.empty()) search.kept = named_numbers(*start, names_in(options.keep));
  }
  return std::make_unique<TreeSearch>(workers, blank, search, options.seed);
}

}  // namespace icct
