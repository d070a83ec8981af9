#pragma once

#include <algorithm>
#include <vector>

#include "icct/base/json.h"
#include "icct/env/environment.h"

namespace icct {

struct RecordedDrive {
  double total_reward = 0;
  int steps = 0;
  double mean_speed = 0;  // m/s, of all vehicles in all steps
};

// One episode of the driver of the noisy recordings, who holds a speed and changes lanes by the
// clock, on a ring or the figure-8. `policy` is what the recording says about him.
inline RecordedDrive drive_as_recorded(Environment& environment, const Json& policy,
                                       std::uint64_t seed) {
  const bool two_lanes = environment.actions().size() == 2;
  const std::size_t vehicles = environment.observations().size() / (two_lanes ? 3 : 2);
  const double limit = two_lanes || vehicles == 14 ? 12 : 30;  // m/s, the divisor of speeds
  const double bound = environment.actions()[0].upper;
  const int period = policy.at("lane_change_period").get<int>();
  std::vector<double> x(environment.observations().size());
  environment.reset(seed, x);
  RecordedDrive drive;
  for (bool running = true; running;) {
    const double wanted = policy.at("gain").get<double>() *
                          (policy.at("target_speed").get<double>() - limit * x[vehicles - 1]);
    std::vector<double> action = {std::clamp(wanted, -bound, bound)};
    if (two_lanes) action.push_back(period == 0 ? 0 : (drive.steps / period) % 2 == 0 ? 1 : -1);
    const Step step = environment.step(action, x);
    ++drive.steps;
    drive.total_reward += step.reward;
    for (std::size_t i = 0; i < vehicles; ++i) drive.mean_speed += limit * x[i];
    running = !step.terminated && !step.truncated;
  }
  drive.mean_speed /= drive.steps * static_cast<double>(vehicles);
  return drive;
}

}  // namespace icct
