#pragma once

#include <span>
#include <string_view>

#include "icct/base/space.h"
#include "icct/env/environment.h"

namespace icct {

// Counts the steps of an episode and ends it at the time limit.
class EpisodeClock {
 public:
  explicit EpisodeClock(int max_steps) : max_steps_(max_steps) {}

  int max_steps() const { return max_steps_; }
  bool running() const { return running_; }
  void start();

  // The result of the step just taken. The time limit truncates unless the task ended by itself in
  // this very step. Must be running.
  Step finish_step(double reward, bool terminated);

 private:
  int max_steps_;
  int steps_ = 0;
  bool running_ = false;
};

// Throws Error unless there is one finite number per dimension of `actions`. `environment` begins
// the message.
void require_valid_action(std::span<const double> action, const Space& actions,
                          std::string_view environment);

}  // namespace icct
