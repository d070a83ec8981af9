#include "icct/env/sumo/car_view.h"

#include <libsumo/libsumo.h>

#include <algorithm>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

void require_connected(const std::vector<std::string>& edges, const LaneMap& lanes,
                       const std::string& what) {
  const auto connected = [&lanes](const std::string& from, const std::string& to) {
    for (int i = 0; i < lanes.lane_count(from); ++i) {
      if (std::ranges::count(lanes.next_edges(lane_of(from, i)), to) > 0) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (lanes.lane_count(edges[i]) == 0)
      throw Error(what + " has an edge '" + edges[i] + "' that the network has not");
    if (i > 0 && !connected(edges[i - 1], edges[i]))
      throw Error(what + " goes from '" + edges[i - 1] + "' to '" + edges[i] +
                  "', which no connection does");
  }
}

void require_lane(const std::string& lane, const std::string& edge, const LaneMap& lanes,
                  const std::string& what) {
  const std::optional<int> number = lane_number(lane);
  const int count = lanes.lane_count(edge);
  if (number && *number >= count)
    throw Error(what + " is " + lane + ", but edge '" + edge + "' has lanes 0 to " +
                std::to_string(count - 1));
}

CarRoute::CarRoute(const std::vector<std::string>& edges, const LaneMap& lanes) : edges_(edges) {
  require_connected(edges, lanes, "the car's route");
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (!places_.emplace(edges_[i], i).second)
      throw Error("the car's route has the edge '" + edges_[i] + "' twice");
    starts_.push_back(length_);
    length_ += lanes.length(edges_[i]);
  }
}

const std::string& CarRoute::after(const std::string& edge) const {
  ICCT_CHECK(!ends_with(edge));
  return edges_[places_.at(edge) + 1];
}

std::vector<std::string> CarRoute::from(const std::string& edge) const {
  return {edges_.begin() + static_cast<std::ptrdiff_t>(places_.at(edge)), edges_.end()};
}

bool CarRoute::leads_on(const std::string& lane, const LaneMap& lanes) const {
  const std::string edge = edge_of(lane);
  if (!contains(edge)) return false;
  return ends_with(edge) || std::ranges::count(lanes.next_edges(lane), after(edge)) > 0;
}

CarView look(const CarRoute& route, const LaneMap& lanes, const CarView& before) {
  CarView view;
  view.lane_id = libsumo::Vehicle::getLaneID(kCar);
  view.edge = edge_of(view.lane_id);
  view.lane = libsumo::Vehicle::getLaneIndex(kCar);
  view.lane_count = lanes.lane_count(view.edge);
  view.position = libsumo::Vehicle::getLanePosition(kCar);
  view.speed = libsumo::Vehicle::getSpeed(kCar);
  view.speed_limit = lanes.speed_limit(view.lane_id);
  view.distance_to_edge_end = lanes.length(view.edge) - view.position;
  if (view.edge.starts_with(':')) {  // within a junction everything leads on
    view.progress = before.progress;
    view.target_lanes = view.lane_count;
    view.targets_from_right = view.in_target_lane = true;
    return view;
  }
  view.on_route = route.contains(view.edge);
  view.progress = view.on_route ? route.start_of(view.edge) + view.position : before.progress;
  for (int i = 0; i < view.lane_count; ++i) {
    if (!route.leads_on(lane_of(view.edge, i), lanes)) continue;
    ++view.target_lanes;
    if (i == 0) view.targets_from_right = true;
    if (i == view.lane) view.in_target_lane = true;
  }
  return view;
}

namespace {

using Kind = ObservationBlock::Kind;

// The lane of an edge that is main lane `index`, counted so that the leftmost lanes are the main
// ones; nothing where the edge has not that many, such as a ramp.
std::optional<int> lane_of_main(const CarView& view, int lanes, int index) {
  if (view.lane_count < lanes) return {};
  return view.lane_count - lanes + index;
}

double main_lane(const CarView& view, int lanes) {
  if (view.lane_count < lanes) return 0;
  return std::max(0, view.lane - (view.lane_count - lanes) + 1);
}

struct Pair {
  double gap, speed;
};

// Nobody there: the largest gap, and a speed as on a free road.
Pair pair_of(const std::optional<LaneMap::Neighbour>& neighbour, const ObservationBlock& block,
             const CarView& view) {
  const double gap = neighbour ? std::min(neighbour->gap, block.range) : block.range;
  const double speed = neighbour ? neighbour->speed : view.speed_limit;
  return {gap / block.divide_by, speed / block.divide_speeds_by};
}

void write_both(const ObservationBlock& block, const CarView& view, std::optional<int> lane,
                const LaneMap& lanes, double*& next) {
  std::optional<LaneMap::Neighbour> ahead, behind;
  if (lane && *lane >= 0 && *lane < view.lane_count) {
    const std::string id = lane_of(view.edge, *lane);
    ahead = lanes.leader(id, view.position, block.range, kCar);
    behind = lanes.follower(id, view.position, block.range, kCar);
  }
  for (const auto& neighbour : {ahead, behind}) {
    const Pair pair = pair_of(neighbour, block, view);
    *next++ = pair.gap;
    *next++ = pair.speed;
  }
}

double single(const ObservationBlock& block, const CarView& view) {
  switch (block.kind) {
    case Kind::Progress:
      return view.progress;
    case Kind::Speed:
      return view.speed;
    case Kind::SpeedLimit:
      return view.speed_limit;
    case Kind::Lane:
      return view.lane;
    case Kind::LaneCount:
      return view.lane_count;
    case Kind::MainLane:
      return main_lane(view, block.lanes);
    case Kind::TargetLanes:
      return view.target_lanes;
    case Kind::TargetsFromRight:
      return view.targets_from_right ? 1 : 0;
    case Kind::DistanceToEdgeEnd:
      return view.distance_to_edge_end;
    case Kind::LaneGaps:
    case Kind::Neighbours:
      break;
  }
  ICCT_CHECK(false);
  return 0;
}

std::string unit(const std::string& base, double divide_by) {
  return divide_by == 1 ? base
                        : "×" + rounded_text(divide_by, 6) + (base.empty() ? "" : " ") + base;
}

Dimension single_dimension(const ObservationBlock& block) {
  switch (block.kind) {
    case Kind::Progress:
      return {"progress", unit("m", block.divide_by), 0};
    case Kind::Speed:
      return {"speed", unit("m/s", block.divide_by), 0};
    case Kind::SpeedLimit:
      return {"speed_limit", unit("m/s", block.divide_by), 0};
    case Kind::Lane:
      return {"lane", unit("", block.divide_by), 0};
    case Kind::LaneCount:
      return {"lane_count", unit("", block.divide_by), 0};
    case Kind::MainLane:
      return {"main_lane", unit("", block.divide_by), 0};
    case Kind::TargetLanes:
      return {"target_lanes", unit("", block.divide_by), 0};
    case Kind::TargetsFromRight:
      return {"targets_from_right", unit("", block.divide_by), 0, 1 / block.divide_by};
    case Kind::DistanceToEdgeEnd:
      return {"distance_to_edge_end", unit("m", block.divide_by), 0};
    case Kind::LaneGaps:
    case Kind::Neighbours:
      break;
  }
  ICCT_CHECK(false);
  return {};
}

void add_both(const ObservationBlock& block, const std::string& where, Space& space) {
  for (const char* who : {"leader", "follower"}) {
    // Gaps of cars side by side are negative.
    space.push_back({.name = where + who + "_gap",
                     .unit = unit("m", block.divide_by),
                     .upper = block.range / block.divide_by});
    space.push_back({where + who + "_speed", unit("m/s", block.divide_speeds_by), 0});
  }
}

}  // namespace

Space observation_space(const HighwayTask& task) {
  Space space;
  for (const ObservationBlock& block : task.observations) {
    if (block.kind == Kind::LaneGaps) {
      for (int i = 0; i < block.lanes; ++i)
        add_both(block, "lane" + std::to_string(i + 1) + "_", space);
    } else if (block.kind == Kind::Neighbours) {
      for (const char* where : {"", "right_", "left_"}) add_both(block, where, space);
    } else {
      space.push_back(single_dimension(block));
    }
  }
  return space;
}

double view_range(const HighwayTask& task) {
  double range = 0;
  for (const ObservationBlock& block : task.observations) {
    if (block.kind == Kind::LaneGaps || block.kind == Kind::Neighbours)
      range = std::max(range, block.range);
  }
  return range;
}

void observe(const HighwayTask& task, const CarView& view, const LaneMap& lanes,
             std::span<double> observation) {
  double* next = observation.data();
  for (const ObservationBlock& block : task.observations) {
    if (block.kind == Kind::LaneGaps) {
      for (int i = 0; i < block.lanes; ++i)
        write_both(block, view, lane_of_main(view, block.lanes, i), lanes, next);
    } else if (block.kind == Kind::Neighbours) {
      for (const int lane : {view.lane, view.lane - 1, view.lane + 1})
        write_both(block, view, lane, lanes, next);
    } else {
      *next++ = single(block, view) / block.divide_by;
    }
  }
  ICCT_CHECK(next == observation.data() + observation.size());
}

}  // namespace icct
