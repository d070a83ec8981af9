#include "icct/env/sumo/lane_map.h"

#include <libsumo/libsumo.h>

#include <functional>
#include <queue>

namespace icct {

std::string edge_of(const std::string& lane) {
  return lane.substr(0, lane.rfind('_'));
}

std::string lane_of(const std::string& edge, int index) {
  return edge + "_" + std::to_string(index);
}

LaneMap::LaneMap(const std::vector<std::string>& route) {
  for (const std::string& id : libsumo::Lane::getIDList()) {
    numbers_[id] = lanes_.size();
    ++lane_counts_[edge_of(id)];
    lanes_.push_back({.id = id,
                      .length = libsumo::Lane::getLength(id),
                      .speed_limit = libsumo::Lane::getMaxSpeed(id),
                      .next = {},
                      .previous = {},
                      .exits = {},
                      .next_edges = {}});
  }
  connect();
  follow(route);
}

void LaneMap::connect() {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    for (const auto& link : libsumo::Lane::getLinks(lanes_[i].id)) {
      const std::string& piece = link.approachedInternal;
      const std::size_t next = number(piece.empty() ? link.approachedLane : piece);
      lanes_[i].next.push_back(next);
      lanes_[next].previous.push_back(i);
      lanes_[i].exits.push_back(number(link.approachedLane));
      lanes_[i].next_edges.push_back(edge_of(link.approachedLane));
    }
  }
}

// From the end of the route on, counts the edges of it that each lane leads along.
void LaneMap::follow(const std::vector<std::string>& route) {
  std::unordered_map<std::size_t, int> reach;  // of lanes of the edge after
  for (auto edge = route.rbegin(); edge != route.rend(); ++edge) {
    std::unordered_map<std::size_t, int> here;
    for (int lane = 0; lane < lane_count(*edge); ++lane) {
      const std::size_t at = number(lane_of(*edge, lane));
      int farthest = 0;
      for (std::size_t i = 0; i < lanes_[at].exits.size(); ++i) {
        const auto found = reach.find(lanes_[at].exits[i]);
        if (found == reach.end() || found->second <= farthest) continue;
        farthest = found->second;
        lanes_[at].straight_on = i;
      }
      here[at] = farthest + 1;
    }
    reach = std::move(here);
  }
}

int LaneMap::lane_count(const std::string& edge) const {
  const auto found = lane_counts_.find(edge);
  return found == lane_counts_.end() ? 0 : found->second;
}

double LaneMap::length(const std::string& edge) const {
  return lanes_[number(lane_of(edge, 0))].length;
}

double LaneMap::speed_limit(const std::string& lane) const {
  return lanes_[number(lane)].speed_limit;
}

const std::vector<std::string>& LaneMap::next_edges(const std::string& lane) const {
  return lanes_[number(lane)].next_edges;
}

std::optional<LaneMap::Neighbour> LaneMap::leader(const std::string& lane, double position,
                                                  double range, const std::string& self) const {
  std::size_t current = number(lane);
  double start = -position;  // of the lane, seen from the asker
  while (start < range) {
    std::optional<Neighbour> nearest;
    for (const std::string& id : libsumo::Lane::getLastStepVehicleIDs(lanes_[current].id)) {
      const double front = start + libsumo::Vehicle::getLanePosition(id);
      if (id == self || front < 0) continue;
      const double gap = front - libsumo::Vehicle::getLength(id);
      if (!nearest || gap < nearest->gap) nearest = Neighbour{gap, libsumo::Vehicle::getSpeed(id)};
    }
    if (nearest) return nearest->gap <= range ? nearest : std::nullopt;
    if (lanes_[current].next.empty()) return {};
    start += lanes_[current].length;
    current = lanes_[current].next[lanes_[current].straight_on];
  }
  return {};
}

// Lanes are looked at in the order of how near their ends are, each once: a town has so many ways
// from one place to another that nobody could follow them all. Only the own lane may come twice,
// for a loop leads back to it.
std::optional<LaneMap::Neighbour> LaneMap::follower(const std::string& lane, double position,
                                                    double range, const std::string& self) const {
  using End = std::pair<double, std::size_t>;  // m from the end of a lane to the asker's rear; lane
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::vector<bool> seen(lanes_.size());
  std::optional<Neighbour> nearest;
  const auto look = [&](std::size_t at, double rear) {
    const auto found = nearest_behind(at, rear, self);
    if (found && (!nearest || found->gap < nearest->gap)) nearest = found;
    for (const std::size_t before : lanes_[at].previous) ends.emplace(rear, before);
  };
  look(number(lane), position - libsumo::Vehicle::getLength(self));
  while (!ends.empty() && ends.top().first <= (nearest ? nearest->gap : range)) {
    const auto [distance, at] = ends.top();
    ends.pop();
    if (seen[at]) continue;
    seen[at] = true;
    look(at, distance + lanes_[at].length);
  }
  return nearest && nearest->gap <= range ? nearest : std::nullopt;
}

// `rear`: where the asker's rear bumper is on the lane; negative where it is still on the one
// before, beyond the lane's length where it is on one ahead.
std::optional<LaneMap::Neighbour> LaneMap::nearest_behind(std::size_t lane, double rear,
                                                          const std::string& self) const {
  const double front_of_asker = rear + libsumo::Vehicle::getLength(self);
  std::optional<Neighbour> nearest;
  for (const std::string& id : libsumo::Lane::getLastStepVehicleIDs(lanes_[lane].id)) {
    const double front = libsumo::Vehicle::getLanePosition(id);
    if (id == self || front >= front_of_asker) continue;
    const double gap = rear - front;
    if (!nearest || gap < nearest->gap) nearest = Neighbour{gap, libsumo::Vehicle::getSpeed(id)};
  }
  return nearest;
}

}  // namespace icct
