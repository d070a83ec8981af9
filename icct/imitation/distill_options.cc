#include "icct/imitation/distill_options.h"

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/base/option_range.h"
#include "icct/env/traffic.h"
#include "icct/imitation/distillation.h"
#include "icct/train/option_fields.h"
#include "icct/train/train_options.h"

namespace icct {
namespace {

Policy blank_policy(const DistillOptions& o, const Environment& environment) {
  Policy policy;
  policy.name = o.environment + ", " + o.method + ", seed " + std::to_string(o.seed);
  policy.environment = o.environment;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.provenance = {.program = "icct " ICCT_VERSION,
                       .command = command_of(o),
                       .seed = o.seed,
                       .options = write_json(to_json(o))};
  policy.controller = make_leaf(std::vector<Controller>(policy.actions.size()));
  return policy;
}

}  // namespace

DistillOptions usual_distillation(const std::string& method, const std::string& environment) {
  DistillOptions options;
  options.method = method;
  options.environment = environment;
  require_one_of("method", method, {"cart", "dagger", "linear"});
  if (method == "linear") options.leaves = 8;
  if (is_traffic(environment)) {  // a hundred times slower, and less a matter of luck
    options.iterations = 20;
    options.samples = 15'000;
    options.validation_episodes = 10;
    options.report_episodes = 20;
  }
  return options;
}

void validate(const DistillOptions& o) {
  require_one_of("method", o.method, {"cart", "dagger", "linear"});
  require_one_of("weights", o.weights, {"equal", "critic"});
  if (o.teacher.empty()) throw Error("name a teacher: a policy file, a run folder or a library");
  if (feature_count(o.features, 1) == 0 && o.method == "linear")
    refuse_option("features", "'" + o.features + "'",
                  "1, 2, ... or all; leaves of constants are what dagger and cart make");
  if (o.method != "linear" && o.features != DistillOptions{}.features)
    refuse_option("features", "'" + o.features + "'", "left out: " + o.method + " makes constants");
  if (o.method == "linear" && o.pruning != 0)
    refuse_option("pruning", rounded_text(o.pruning, 6), "left out: linear does not prune");
  require_between("leaves", o.leaves, 1, 1 << 20);
  require_between("iterations", o.iterations, 1, 1 << 20);
  require_between("samples", o.samples, 1, 1 << 30);
  require_between("validation_episodes", o.validation_episodes, 1, 1 << 20);
  require_between("report_episodes", o.report_episodes, 1, 1 << 20);
  require_between("depth", o.depth, 0, kMaxTreeDepth);
  require_at_least("leaf_samples", o.leaf_samples, 1);
  require_at_least("pruning", o.pruning, 0);
}

Json to_json(const DistillOptions& options) {
  return json_of_fields(options);
}

DistillOptions distill_options_from(const JsonReader& json) {
  return read_fields<DistillOptions>(json);
}

std::string command_of(const DistillOptions& options) {
  return "icct distill --env " + shell_word(options.environment) +
         changed_flags(options, usual_distillation(options.method, options.environment)) +
         (options.method == DistillOptions{}.method ? "" : " --method " + options.method);
}

std::unique_ptr<Learner> make_distillation(const DistillOptions& options, Workers& workers) {
  validate(options);
  return std::make_unique<Distillation>(
      workers, blank_policy(options, workers.environment()),
      load_teacher(options.teacher, options.seed, workers.environment()), options);
}

}  // namespace icct
