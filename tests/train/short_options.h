#pragma once

#include <string>

#include "icct/train/train_options.h"

namespace icct {

// A run on the toy environment `tracking` that takes no time.
inline TrainOptions short_options(const std::string& algorithm) {
  TrainOptions options;
  options.environment = "tracking";
  options.seed = 3;
  options.algorithm = algorithm;
  options.leaves = 2;
  options.features = "1";
  options.steps = algorithm == "search" ? 8'000 : 303;
  options.validation_episodes = 6;
  options.report_episodes = 8;
  options.validate_every = 70;
  options.batch_size = 16;
  options.critic_width = 8;
  options.learning_starts = 100;
  options.replay_capacity = 200;
  return options;
}

}  // namespace icct
