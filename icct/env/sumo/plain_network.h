#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace icct {

// A road network as SUMO's plain XML: what a person writes, before netconvert works out the
// junctions.
struct PlainNetwork {
  struct Point {
    double x = 0, y = 0;
  };
  struct Node {
    std::string id;
    Point at;
    double radius = 0;  // of the corners, m; 0: netconvert's own
  };
  struct Edge {
    std::string id, from, to;
    int lanes = 1;
    double speed = 0;   // limit, m/s
    double length = 0;  // m, as declared; 0: that of the shape
    int priority = 0;   // 0: netconvert's own
    std::vector<Point> shape;
    bool centred = false;  // the shape is the middle of all lanes, not their left border
  };
  struct Connection {
    std::string from, to;
    int from_lane = -1, to_lane = -1;  // -1: all of them
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Connection> connections;  // none: netconvert's own
  bool normalised = true;               // netconvert may move the origin
};

// The network file that netconvert makes of it, in the cache (icct/env/sumo/cache.h). Throws Error
// with netconvert's words if it fails.
std::filesystem::path build_network(const PlainNetwork& network);

}  // namespace icct
