#pragma once

#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "icct/base/space.h"
#include "icct/env/sumo/highway_task.h"
#include "icct/env/sumo/lane_map.h"

namespace icct {

inline constexpr const char* kCar = "car";  // the controlled one, in SUMO

// What the controlled car sees at one moment.
struct CarView {
  std::string edge, lane_id;
  int lane = 0, lane_count = 1;
  double position = 0;  // m on the lane, front bumper
  double speed = 0, speed_limit = 0;
  double progress = 0;  // m along the route
  double distance_to_edge_end = 0;
  int target_lanes = 0;  // lanes of the edge that lead on along the route
  bool targets_from_right = false;
  bool in_target_lane = false;
  bool on_route = true;
};

// Throws Error, beginning with `what`, unless the network has all edges and each leads to the next.
void require_connected(const std::vector<std::string>& edges, const LaneMap& lanes,
                       const std::string& what);

// Throws Error, beginning with `what`, if the lane is a number that the edge has not.
void require_lane(const std::string& lane, const std::string& edge, const LaneMap& lanes,
                  const std::string& what);

// The route of the car, looked up by edge; none of them twice.
class CarRoute {
 public:
  CarRoute(const std::vector<std::string>& edges, const LaneMap& lanes);

  double length() const { return length_; }  // m
  bool contains(const std::string& edge) const { return places_.contains(edge); }
  bool ends_with(const std::string& edge) const { return edges_.back() == edge; }
  const std::string& after(const std::string& edge) const;  // not of the last
  double start_of(const std::string& edge) const { return starts_[places_.at(edge)]; }
  std::vector<std::string> from(const std::string& edge) const;
  // Whether a lane of an edge of the route leads to the next one; all do on the last.
  bool leads_on(const std::string& lane, const LaneMap& lanes) const;

 private:
  std::vector<std::string> edges_;
  std::vector<double> starts_;
  std::unordered_map<std::string, std::size_t> places_;
  double length_ = 0;
};

// Reads the car's place and speed from SUMO. On a piece of a junction, progress stays that of
// `before`.
CarView look(const CarRoute& route, const LaneMap& lanes, const CarView& before);

// Names, units and bounds of the blocks, in order.
Space observation_space(const HighwayTask& task);

// m within which the blocks show other cars, the farthest of them; 0 where none does.
double view_range(const HighwayTask& task);

// Writes what the blocks say about `view`.
void observe(const HighwayTask& task, const CarView& view, const LaneMap& lanes,
             std::span<double> observation);

}  // namespace icct
