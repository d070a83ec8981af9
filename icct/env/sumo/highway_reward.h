#pragma once

#include <optional>

#include "icct/env/sumo/car_view.h"
#include "icct/env/sumo/highway_task.h"

namespace icct {

// What happened in one step, as far as the reward asks.
struct HighwayEvents {
  double acceleration = 0;  // m/s2
  bool refused_lane_change = false;
  bool gone = false;  // arrived, or off by another exit
  bool arrived = false;
  bool missed_exit = false;
  bool collided = false;
  std::optional<LaneMap::Neighbour> leader;  // on the own lane, after the step
};

// The weighted sum of all terms. `before` and `after` are the car's views around the step.
double highway_reward(const std::vector<RewardTerm>& terms, const CarView& before,
                      const CarView& after, const HighwayEvents& events, double route_length);

}  // namespace icct
