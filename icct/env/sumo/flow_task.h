#pragma once

#include <string>
#include <vector>

#include "icct/env/sumo/plain_network.h"

namespace icct {

// How the vehicles of one kind drive: what SUMO is told about their type.
struct DriverType {
  double min_gap = 2.5;       // m
  double max_speed = 30;      // m/s
  double deceleration = 4.5;  // m/s2
  int speed_mode = 25;        // which of its own checks SUMO keeps, as bits
};

// One of the closed-loop tasks of Flow: humans and one controlled car go round and round.
struct FlowTask {
  // Where an edge or a piece of a junction begins on the loop. Some pieces count as a point.
  struct Place {
    std::string edge;
    double offset = 0;  // m
    bool is_point = false;
  };
  struct Start {
    double x = 0;  // m along the loop
    int lane = 0;
  };

  std::string name;
  PlainNetwork network;
  std::vector<std::string> loop;  // its edges in driving order
  std::vector<Place> places;      // the edges of the loop among them, by offset
  double length = 0;              // m, the divisor of positions
  double speed_limit = 0;         // m/s, the divisor of speeds
  double target_speed = 0;        // m/s, rewarded
  double max_acceleration = 0;    // m/s2, of the controlled car, either way
  int warm_up = 0;                // steps before an episode
  int horizon = 0;                // steps of an episode
  int lanes = 1;                  // with two, the car can be told to change lane
  bool human_noise = true;        // humans follow Flow's IDM with noise; else SUMO's IDM
  bool junction_collisions = true;
  bool sumo_drives = false;  // the car is driven by SUMO, whatever the actions: a baseline
  DriverType human, controlled;
  std::vector<Start> starts;  // the controlled car last
};

FlowTask ring_task();
FlowTask two_lane_ring_task();
FlowTask figure_eight_task();

}  // namespace icct
