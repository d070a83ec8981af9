#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

namespace icct {

struct Leader {
  double gap = 0;    // m, bumper to bumper
  double speed = 0;  // m/s
};

// Flow's intelligent driver model: the acceleration (m/s2) of a human at `speed` (m/s) behind a
// leader, or on a free road.
inline double intelligent_driver(double speed, const std::optional<Leader>& leader) {
  constexpr double desired_speed = 30, time_gap = 1, acceleration = 1, comfortable_braking = 1.5,
                   standstill_gap = 2, smallest_gap = 1e-3;
  const double free_road = 1 - std::pow(speed / desired_speed, 4);
  if (!leader) return acceleration * free_road;
  const double gap = std::abs(leader->gap) < smallest_gap ? smallest_gap : leader->gap;
  const double closing =
      speed * (speed - leader->speed) / (2 * std::sqrt(acceleration * comfortable_braking));
  const double wanted_gap = standstill_gap + std::max(0.0, speed * time_gap + closing);
  return acceleration * (free_road - std::pow(wanted_gap / gap, 2));
}

}  // namespace icct
