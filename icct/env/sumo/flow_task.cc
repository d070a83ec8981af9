#include "icct/env/sumo/flow_task.h"

#include <cmath>
#include <functional>
#include <numbers>

namespace icct {
namespace {

constexpr int kShapePoints = 40;
constexpr int kRingVehicles = 22;
constexpr double kRingLength = 230;  // m
constexpr double kBunching = 20;     // m of the ring that stay free at first

double to_centimetres(double value) {
  return std::round(value * 100) / 100;
}

// Points of a curve at equal steps of its angle, in centimetres.
std::vector<PlainNetwork::Point> curve(double from, double to,
                                       const std::function<PlainNetwork::Point(double angle)>& at) {
  std::vector<PlainNetwork::Point> points;
  for (int i = 0; i < kShapePoints; ++i) {
    const auto point = at(from + (to - from) * i / (kShapePoints - 1));
    points.push_back({to_centimetres(point.x), to_centimetres(point.y)});
  }
  return points;
}

// Four quarters of a circle, counter-clockwise, each named after the node where it begins.
PlainNetwork ring_network(int lanes, double speed_limit) {
  const double radius = kRingLength / (2 * std::numbers::pi);
  const char* names[] = {"bottom", "right", "top", "left"};
  PlainNetwork network;
  network.nodes = {{"bottom", {0, -radius}},
                   {"right", {radius, 0}},
                   {"top", {0, radius}},
                   {"left", {-radius, 0}}};
  for (int i = 0; i < 4; ++i) {
    const double begin = (i - 1) * std::numbers::pi / 2;
    network.edges.push_back(
        {.id = names[i],
         .from = names[i],
         .to = names[(i + 1) % 4],
         .lanes = lanes,
         .speed = speed_limit,
         .length = kRingLength / 4,
         .shape = curve(begin, begin + std::numbers::pi / 2, [radius](double angle) {
           return PlainNetwork::Point{radius * std::cos(angle), radius * std::sin(angle)};
         })});
  }
  return network;
}

// The part that both rings share; joints count as 0.1 m whatever their length.
FlowTask common_ring(int lanes, double speed_limit) {
  FlowTask task;
  task.network = ring_network(lanes, speed_limit);
  task.loop = {"bottom", "right", "top", "left"};
  task.places = {{"bottom", 0},  {":right_0", 57.5}, {"right", 57.6}, {":top_0", 115.1},
                 {"top", 115.2}, {":left_0", 172.7}, {"left", 172.8}, {":bottom_0", 230.3}};
  task.speed_limit = speed_limit;
  task.lanes = lanes;
  return task;
}

}  // namespace

FlowTask ring_task() {
  FlowTask task = common_ring(1, 30);
  task.name = "ring";
  task.length = 230.4;
  task.target_speed = 20;
  task.max_acceleration = 1;
  task.warm_up = 100;
  task.horizon = 750;
  task.human = {.min_gap = 0, .max_speed = 30};
  task.controlled = {};
  for (int i = 0; i < kRingVehicles; ++i)
    task.starts.push_back({.x = (kRingLength - kBunching) / kRingVehicles * i});
  return task;
}

FlowTask two_lane_ring_task() {
  FlowTask task = common_ring(2, 12);
  task.name = "ring_two_lane";
  task.length = 230.52;
  task.target_speed = 5;
  task.max_acceleration = 3;
  task.warm_up = 750;
  task.horizon = 1500;
  task.human_noise = false;
  task.human = {.min_gap = 0, .max_speed = 12};
  task.controlled = {.deceleration = 1.5, .speed_mode = 1};
  constexpr int pairs = kRingVehicles / 2;
  for (int i = 0; i < kRingVehicles; ++i) {
    const int pair = i / 2;
    task.starts.push_back({.x = (kRingLength - kBunching) / pairs * pair, .lane = i % 2});
  }
  return task;
}

namespace {

// Of the figure-8, m: radius of its circles and length of its straight roads, a ring, and more.
constexpr double kRadius = 30;
constexpr double kArc = kRadius * 3 * std::numbers::pi / 2;
constexpr double kJoint = 0.28, kCrossing = 6.2;       // as counted
constexpr double kTop = kJoint + kRadius + kCrossing;  // where the road to the top begins

// Two three-quarter circles joined by straight roads that cross in the middle.
PlainNetwork figure_eight_network() {
  const auto road = [](const char* id, const char* from, const char* to, int priority) {
    return PlainNetwork::Edge{.id = id,
                              .from = from,
                              .to = to,
                              .speed = 12,
                              .length = kRadius,
                              .priority = priority,
                              .shape = {}};
  };
  PlainNetwork network;
  network.nodes = {{"center", {0, 0}, 3.1},
                   {"right", {kRadius, 0}},
                   {"top", {0, kRadius}},
                   {"left", {-kRadius, 0}},
                   {"bottom", {0, -kRadius}}};
  network.edges = {road("bottom", "bottom", "center", 78), road("top", "center", "top", 78),
                   road("right", "right", "center", 46), road("left", "center", "left", 46)};
  network.edges.push_back(
      {.id = "upper_ring",
       .from = "top",
       .to = "right",
       .speed = 12,
       .length = kArc,
       .shape = curve(0, 3 * std::numbers::pi / 2, [](double t) {
         return PlainNetwork::Point{kRadius * (1 - std::cos(t)), kRadius * (1 + std::sin(t))};
       })});
  network.edges.push_back(
      {.id = "lower_ring",
       .from = "left",
       .to = "bottom",
       .speed = 12,
       .length = kArc,
       .shape = curve(std::numbers::pi / 2, 2 * std::numbers::pi, [](double t) {
         return PlainNetwork::Point{kRadius * (std::cos(t) - 1), kRadius * (std::sin(t) - 1)};
       })});
  network.connections = {{"bottom", "top"}, {"right", "left"}};
  return network;
}

// The original counts the crossings as 6.2 m, though cars drive 9.4 m on them.
std::vector<FlowTask::Place> figure_eight_places() {
  const double bottom = kJoint;
  const double upper_ring = kTop + kRadius + kJoint;
  const double right = upper_ring + kArc + kJoint;
  const double left = right + kRadius + kCrossing;
  const double lower_ring = left + kRadius + kJoint;
  return {{":bottom_0", 0, true},
          {"bottom", bottom},
          {":center_1", bottom + kRadius},
          {"top", kTop},
          {":top_0", kTop + kRadius, true},
          {"upper_ring", upper_ring},
          {":right_0", upper_ring + kArc, true},
          {"right", right},
          {":center_0", right + kRadius},
          {"left", left},
          {":left_0", left + kRadius, true},
          {"lower_ring", lower_ring}};
}

}  // namespace

FlowTask figure_eight_task() {
  FlowTask task;
  task.name = "figure8";
  task.network = figure_eight_network();
  task.loop = {"bottom", "top", "upper_ring", "right", "left", "lower_ring"};
  task.places = figure_eight_places();
  task.length = 421.94;
  task.speed_limit = 12;
  task.target_speed = 5;
  task.max_acceleration = 3;
  task.horizon = 1500;
  task.junction_collisions = false;
  task.human = {.max_speed = 12, .speed_mode = 1};
  task.controlled = {.speed_mode = 1};
  // The first gap is uneven, as in the original.
  task.starts.push_back({.x = kJoint});
  for (int i = 0; i < 13; ++i) task.starts.push_back({.x = kTop + 402.74 / 14 * i});
  return task;
}

}  // namespace icct
