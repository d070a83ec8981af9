#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

#include "icct/base/json.h"
#include "icct/train/learner.h"

namespace icct {

// Everything that decides what a run learns. The same names serve as flags of the command line, as
// keys of options.json and as rows of the help.
struct TrainOptions {
  std::string environment;
  std::uint64_t seed = 0;
  std::string algorithm = "search";
  std::string actor = "icct";
  std::string from = {};
  std::string keep = {};
  int leaves = 8;
  std::string features = "2";
  std::int64_t steps = 16'000'000;
  int validation_episodes = 100;
  int report_episodes = 100;

  // Gradients only.
  int validate_every = 1500;
  double learning_rate = 3e-4;
  double actor_learning_rate = 3e-4;
  int batch_size = 256;
  int critic_width = 256;
  double tau = 0.01;
  double discount = 0.99;
  int learning_starts = 10'000;
  int replay_capacity = 1'000'000;
  double actor_average = 0;
  double l1 = 0;
  bool gumbel = false;
  bool combined_selector_gradient = false;

  bool operator==(const TrainOptions&) const = default;
};

// Calls visit(name, field, help) for every field but the environment.
template <class Options, class Visit>
requires(std::is_same_v<std::remove_const_t<Options>, TrainOptions>) void visit_fields(
    Options& o, const Visit& visit) {
  visit("seed", o.seed, "of everything random");
  visit("algorithm", o.algorithm, "search (direct search, growing the tree), sac or td3");
  visit("actor", o.actor,
        "icct; for sac and td3 also cddt, cddt_controllers, mlp_lower, mlp_upper, mlp_max");
  visit("from", o.from,
        "policy file or folder of a run whose tree to begin with; leaves and features are then at "
        "least those it has");
  visit("keep", o.keep,
        "search with from: names of splits, leaves and actions, with commas, whose numbers stay as "
        "they are; the structure stays then, too");
  visit("leaves", o.leaves, "of the tree: at most, for search; a power of two for sac and td3");
  visit("features", o.features, "per leaf and action at most: 0 (constants), 1, 2, ... or all");
  visit("steps", o.steps, "environment steps to learn from");
  visit("validation_episodes", o.validation_episodes, "per validation; they choose what is kept");
  visit("report_episodes", o.report_episodes, "fresh episodes of the final report");
  visit("validate_every", o.validate_every, "sac, td3: steps between validations");
  visit("learning_rate", o.learning_rate, "sac, td3: of the critics");
  visit("actor_learning_rate", o.actor_learning_rate, "sac, td3: of the actor");
  visit("batch_size", o.batch_size, "sac, td3: transitions per update");
  visit("critic_width", o.critic_width, "sac, td3: units of each of the two hidden layers");
  visit("tau", o.tau, "sac, td3: share of the critics that their targets take over");
  visit("discount", o.discount, "sac, td3: weight of the next value");
  visit(
      "learning_starts", o.learning_starts,
      "sac, td3: steps of random actions at first; with from, of the tree's own, and then updates "
      "of the critics alone");
  visit("replay_capacity", o.replay_capacity, "sac, td3: transitions kept");
  visit("actor_average", o.actor_average,
        "sac, td3: weight of the past in an average of the actor that is deployed; 0: none");
  visit("l1", o.l1, "sac, td3: weight of the L1 penalty on leaves with all features");
  visit("gumbel", o.gumbel, "sac, td3: Gumbel noise in every choice of the tree");
  visit("combined_selector_gradient", o.combined_selector_gradient,
        "sac, td3: gradient of feature selectors as in the paper's equation");
}

// What is best here ("default"), or the hyper-parameters that the paper's experiments used for the
// environment ("paper"). `algorithm` may be empty: that of the preset. Throws Error if there is no
// such preset or algorithm.
TrainOptions preset_options(const std::string& environment, const std::string& preset,
                            const std::string& algorithm);

// Throws Error naming the option, its value and what it may be.
void validate(const TrainOptions& options);

Json to_json(const TrainOptions& options);
TrainOptions train_options_from(const JsonReader& json);  // throws Error saying what and where

// The number that "0", "1", "2", ... or "all" features of so many observations mean. Throws Error
// if it is none of these.
int feature_count(const std::string& text, int observations);

// The command that repeats the run, without where to put it: "icct train lunar_lander --leaves 4".
std::string command_of(const TrainOptions& options);

// A learner for the options. `workers` run its validations and candidates; `threads` may share
// other work. Neither changes what is learned. Throws Error if the options are not valid or do not
// fit the environment.
std::unique_ptr<Learner> make_learner(const TrainOptions& options,
                                      const EnvironmentFactory& make_environment, Workers& workers,
                                      int threads);

}  // namespace icct
