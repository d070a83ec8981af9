#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icct/env/sumo/plain_network.h"

namespace icct {

// One entry of the list "observations": one number, or several that belong together.
struct ObservationBlock {
  enum class Kind {
    Progress,           // m driven along the route
    Speed,              // m/s
    SpeedLimit,         // m/s, of the lane
    Lane,               // from the right, 0 first
    LaneCount,          // of the edge
    MainLane,           // 1 .. lanes from the right, 0 on a ramp or an auxiliary lane
    TargetLanes,        // how many lanes of the edge lead on along the route
    TargetsFromRight,   // 1 if the rightmost lane is one of them
    DistanceToEdgeEnd,  // m
    LaneGaps,           // for every main lane: gap and speed of leader and of follower
    Neighbours          // gap and speed ahead and behind: own lane, right, left
  };
  Kind kind = Kind::Speed;
  double divide_by = 1;         // of the number, or of gaps
  double divide_speeds_by = 1;  // of LaneGaps and Neighbours
  int lanes = 0;                // of MainLane and LaneGaps
  double range = 100;           // m; of LaneGaps and Neighbours: nobody nearer counts as this gap
};

// One entry of the list "reward": what is paid when, times its weight.
struct RewardTerm {
  enum class Kind {
    Speed,             // every step: speed / divide_by, or over the limit if that is 0
    Time,              // every step
    ShortHeadway,      // leader nearer than `seconds` of driving
    LongHeadway,       // leader farther than `seconds`, but within `distance`
    HardBraking,       // slowing down by more than `deceleration`
    UnsafeLaneChange,  // a lane command that was refused
    OffTargetLane,     // exp(-distance to the end of the edge / distance)
    Milestone,         // once, at `share` of the route
    Arrival,           // once, at its end
    MissedExit,        // once, when the car has left the route, which ends the episode
    Collision          // once, which ends the episode
  };
  Kind kind = Kind::Speed;
  double weight = 1;
  double divide_by = 0;
  double seconds = 0;
  double distance = 0;
  double deceleration = 0;
  double share = 0;
};

// A road with traffic that a car drives along: everything a highway file says.
struct HighwayTask {
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  struct VehicleType {
    std::string id;
    Attributes attributes;  // as SUMO names them
  };
  struct Flow {
    std::vector<std::string> route;
    double per_hour = 0;
    std::string type, depart_lane, depart_speed;
  };
  struct Car {
    std::string type;
    std::vector<std::string> route;
    std::string lane = "best";  // number, or SUMO's words
    double position = 0;        // m on the first edge
    double speed = 0;           // m/s
    int speed_mode = 31, lane_change_mode = 512;
  };
  // A lane command is refused unless gaps in the other lane are at least distance + seconds * speed
  // of whoever is behind.
  struct SafeGap {
    double distance = 0, seconds = 0;
  };

  std::string name;
  std::optional<PlainNetwork> network;  // else:
  std::filesystem::path network_file;
  std::vector<VehicleType> types;
  std::vector<Flow> flows;
  std::filesystem::path routes_file;  // further traffic; may be empty
  double step_length = 0.1;           // s
  double warm_up = 0;                 // s before the car enters
  double radius = 0;                  // m from the car within which traffic is kept; 0: everywhere
  int max_steps = 0;
  Car car;
  double min_acceleration = -3, max_acceleration = 3;  // m/s2
  bool lane_changes = true;
  bool sumo_drives = false;  // the car is driven by SUMO, whatever the actions: a baseline
  SafeGap safe_gap;
  std::vector<ObservationBlock> observations;
  std::vector<RewardTerm> reward;
};

// m within which other cars matter to the car.
double sight(const HighwayTask& task);

// The number of a lane that is not one of SUMO's words.
std::optional<int> lane_number(const std::string& lane);

// Reads a highway file (docs/traffic.md). Paths in it are relative to it. Throws Error naming the
// file and the place in it.
HighwayTask read_highway(const std::filesystem::path& file);
HighwayTask parse_highway(const std::string& text, const std::string& source,
                          const std::filesystem::path& folder);

}  // namespace icct
