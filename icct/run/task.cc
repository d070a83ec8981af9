#include "icct/run/task.h"

namespace icct {
namespace {

// What both kinds of options have in common.
template <class Options>
RunTask task_of(const Options& options, const EnvironmentFactory& make_environment) {
  validate(options);
  RunTask task;
  task.title = options.environment + ", seed " + std::to_string(options.seed);
  task.command = command_of(options);
  task.options = to_json(options);
  task.seed = options.seed;
  task.report_episodes = options.report_episodes;
  task.make_environment = make_environment;
  return task;
}

}  // namespace

RunTask training_task(const TrainOptions& options, const EnvironmentFactory& make_environment) {
  RunTask task = task_of(options, make_environment);
  task.make_learner = [options, make_environment](Workers& workers, int threads) {
    return make_learner(options, make_environment, workers, threads);
  };
  return task;
}

RunTask distillation_task(const DistillOptions& options,
                          const EnvironmentFactory& make_environment) {
  RunTask task = task_of(options, make_environment);
  task.title =
      options.environment + ", " + options.method + ", seed " + std::to_string(options.seed);
  task.make_learner = [options](Workers& workers, int /*threads*/) {
    return make_distillation(options, workers);
  };
  return task;
}

}  // namespace icct
