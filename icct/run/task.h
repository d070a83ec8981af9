#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "icct/base/json.h"
#include "icct/imitation/distill_options.h"
#include "icct/rollout/workers.h"
#include "icct/train/learner.h"
#include "icct/train/train_options.h"

namespace icct {

// What a run learns, and how it is called: all that a run folder must know of it.
struct RunTask {
  std::string title;          // e.g. "lunar_lander, seed 0"
  std::string command;        // repeats the run, without where to put it
  Json options;               // everything that decides what is learned
  std::uint64_t seed = 0;     // of the run, and of the episodes of its report
  int report_episodes = 100;  // fresh ones, at the end
  EnvironmentFactory make_environment;
  // `workers` and `threads` change nothing but the speed.
  std::function<std::unique_ptr<Learner>(Workers& workers, int threads)> make_learner;
};

// Throws Error if the options are not valid.
RunTask training_task(const TrainOptions& options, const EnvironmentFactory& make_environment);

RunTask distillation_task(const DistillOptions& options,
                          const EnvironmentFactory& make_environment);

}  // namespace icct
