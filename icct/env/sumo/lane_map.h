#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace icct {

// The lanes of the network that SUMO has loaded, and who drives ahead and behind on them.
class LaneMap {
 public:
  // Where a lane forks, the one that leads along `route` farthest is straight on, else the first.
  explicit LaneMap(const std::vector<std::string>& route);

  struct Neighbour {
    double gap = 0;    // m, bumper to bumper
    double speed = 0;  // m/s
  };

  // The next vehicle ahead of `position` (m) on a lane, and on those straight on; nobody within
  // `range`: nothing. `self` is left out.
  std::optional<Neighbour> leader(const std::string& lane, double position, double range,
                                  const std::string& self) const;

  // The next vehicle behind, on the lane and on all that lead to it.
  std::optional<Neighbour> follower(const std::string& lane, double position, double range,
                                    const std::string& self) const;

  int lane_count(const std::string& edge) const;      // 0 for an unknown edge
  double length(const std::string& edge) const;       // m, of a known edge
  double speed_limit(const std::string& lane) const;  // m/s
  // The edges that a lane leads to, the first connection first.
  const std::vector<std::string>& next_edges(const std::string& lane) const;

 private:
  struct Lane {
    std::string id;
    double length = 0, speed_limit = 0;
    std::vector<std::size_t> next, previous;  // pieces of junctions are lanes too
    std::vector<std::size_t> exits;           // what comes after those pieces
    std::vector<std::string> next_edges;      // theirs: asked for in every step
    std::size_t straight_on = 0;              // which of the next
  };

  void connect();
  void follow(const std::vector<std::string>& route);
  std::size_t number(const std::string& lane) const { return numbers_.at(lane); }
  std::optional<Neighbour> nearest_behind(std::size_t lane, double rear,
                                          const std::string& self) const;

  std::vector<Lane> lanes_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::unordered_map<std::string, int> lane_counts_;
};

// "m4" for "m4_0", ":n4_1" for ":n4_1_0".
std::string edge_of(const std::string& lane);

// "m4_2" for lane 2 of "m4".
std::string lane_of(const std::string& edge, int index);

}  // namespace icct
