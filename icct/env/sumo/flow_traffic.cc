#include "icct/env/sumo/flow_traffic.h"

#include <libsumo/libsumo.h>

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/base/number.h"
#include "icct/env/sumo/cache.h"
#include "icct/env/sumo/flow_files.h"
#include "icct/env/sumo/intelligent_driver.h"
#include "icct/env/sumo/sumo_scene.h"

namespace icct {
namespace {

constexpr double kStep = 0.1;              // s
constexpr double kLookAhead = 2000;        // m
constexpr double kOneStepCommand = 0.001;  // s; SUMO takes over again after the step
constexpr int kNoOwnLaneChanges = 512;     // commanded ones keep safe gaps
constexpr double kSpeedDeviation = 0.1, kMinSpeedFactor = 0.2, kMaxSpeedFactor = 2;
constexpr double kAccelerationNoise = 0.2;
constexpr double kLaneThreshold = 0.5;
constexpr double kEpsilon = 1.1920929e-7;  // the original's guard against division by zero

Space observation_space(const std::vector<std::string>& names, const FlowTask& task) {
  Space space;
  for (const std::string& name : names)
    space.push_back({name + "_speed", "×" + rounded_text(task.speed_limit, 4) + " m/s", 0});
  for (const std::string& name : names)
    space.push_back({name + "_position", "×" + rounded_text(task.length, 5) + " m", 0, 1});
  for (const std::string& name : names) {
    if (task.lanes > 1) space.push_back({name + "_lane", "", 0, 0.5});
  }
  return space;
}

// SUMO's own distribution of how fast drivers want to go, relative to the limit.
double draw_speed_factor(Rng& rng) {
  for (;;) {
    const double factor = 1 + kSpeedDeviation * rng.normal();
    if (factor >= kMinSpeedFactor && factor <= kMaxSpeedFactor) return factor;
  }
}

void command_speed(const std::string& id, double speed, double acceleration) {
  libsumo::Vehicle::slowDown(id, std::max(speed + kStep * acceleration, 0.0), kOneStepCommand);
}

}  // namespace

FlowTraffic::FlowTraffic(FlowTask task, std::string name, bool noise)
    : task_(std::move(task)), name_(std::move(name)), noise_(noise), clock_(task_.horizon) {
  for (std::size_t i = 0; i < task_.places.size(); ++i) places_[task_.places[i].edge] = i;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < task_.starts.size(); ++i) {
    const bool controlled = i + 1 == task_.starts.size();
    const std::string human = "human_" + std::to_string(i);
    vehicles_.push_back({.id = controlled ? "rl_0" : human, .leader = {}});
    numbers_[vehicles_.back().id] = i;
    names.push_back(controlled ? "car" : human);
  }
  observations_ = observation_space(names, task_);
  const double limit = task_.max_acceleration;
  actions_ = {{"acceleration", "m/s2", -limit, limit}};
  if (task_.lanes > 1) actions_.push_back({"lane_change", "", -1, 1});
  simulation_ = {.network = build_network(task_.network),
                 .routes = {cached_text(flow_routes_xml(task_), ".rou.xml")},
                 .step_length = kStep,
                 .junction_collisions = task_.junction_collisions,
                 .scale = 1};
}

void FlowTraffic::reset(std::uint64_t seed, std::span<double> observation) {
  ICCT_CHECK(observation.size() == observations_.size());
  rng_ = Rng(seed);
  // The simulation goes on from episode to episode; only the vehicles are new.
  if (usable_)
    remove_vehicles();
  else
    start();
  insert_vehicles();
  for (int i = 0; i < task_.warm_up; ++i) simulate({});
  clock_.start();
  observe(observation);
}

void FlowTraffic::start() {
  start_simulation(simulation_, 0);
  libsumo::Simulation::step();
  usable_ = true;
}

void FlowTraffic::remove_vehicles() {
  for (const Vehicle& vehicle : vehicles_) libsumo::Vehicle::remove(vehicle.id);
}

void FlowTraffic::insert_vehicles() {
  for (std::size_t i = 0; i < vehicles_.size(); ++i) {
    insert(vehicles_[i], task_.starts[i], i + 1 == vehicles_.size() ? kControlledType : kHumanType);
  }
  libsumo::Simulation::step();
  for (Vehicle& vehicle : vehicles_) {
    const DriverType& driver = &vehicle == &car() ? task_.controlled : task_.human;
    libsumo::Vehicle::setSpeedMode(vehicle.id, driver.speed_mode);
    libsumo::Vehicle::setLaneChangeMode(vehicle.id, kNoOwnLaneChanges);
    if (noise_) libsumo::Vehicle::setSpeedFactor(vehicle.id, draw_speed_factor(rng_));
  }
  steps_ = 0;
  read_vehicles();
}

void FlowTraffic::insert(Vehicle& vehicle, const FlowTask::Start& start, const char* type) {
  const FlowTask::Place* place = nullptr;
  for (const FlowTask::Place& each : task_.places) {
    if (!each.edge.starts_with(':') && each.offset <= start.x) place = &each;
  }
  ICCT_CHECK(place != nullptr);
  vehicle.last_edge = places_.at(loop_from(task_, place->edge).back());
  libsumo::Vehicle::add(vehicle.id, loop_name(place->edge), type, "now", std::to_string(start.lane),
                        exact_text(start.x - place->offset), "0");
}

Step FlowTraffic::step(std::span<const double> action, std::span<double> observation) {
  ICCT_CHECK(clock_.running() && observation.size() == observations_.size());
  require_valid_action(action, actions_, name_);
  const bool collision = simulate(task_.sumo_drives ? std::span<const double>() : action);
  observe(observation);
  return clock_.finish_step(collision ? 0 : reward(), collision);
}

// The order is that of the original: what is commanded rests on the state before routes are
// renewed.
bool FlowTraffic::simulate(std::span<const double> action) {
  ++steps_;
  if (task_.human_noise) command_humans();
  if (task_.lanes > 1) read_leader(car());
  renew_routes();
  if (!action.empty()) command_car(action[0]);
  if (action.size() > 1) command_lane(action[1]);
  libsumo::Simulation::step();
  if (libsumo::Simulation::getStartingTeleportNumber() != 0) {
    usable_ = false;  // a vehicle is in the air: the next episode begins with a new simulation
    return true;
  }
  read_vehicles();
  return false;
}

bool FlowTraffic::on_junction(const Vehicle& vehicle) const {
  return task_.places[vehicle.place].edge.starts_with(':');
}

void FlowTraffic::read_leader(Vehicle& vehicle) {
  const auto [id, gap] = libsumo::Vehicle::getLeader(vehicle.id, kLookAhead);
  const auto found = numbers_.find(id);
  vehicle.leader.reset();
  if (found == numbers_.end()) return;
  const DriverType& driver = &vehicle == &car() ? task_.controlled : task_.human;
  vehicle.leader = found->second;
  vehicle.gap = gap + driver.min_gap;
}

void FlowTraffic::command_humans() {
  for (std::size_t i = 0; i + 1 < vehicles_.size(); ++i) {
    Vehicle& human = vehicles_[i];
    // Drawn in every step, so that the numbers do not depend on where anyone is.
    const double noise = noise_ ? std::sqrt(kStep) * kAccelerationNoise * rng_.normal() : 0;
    if (on_junction(human)) continue;
    read_leader(human);
    std::optional<Leader> leader;
    if (human.leader) leader = Leader{human.gap, vehicles_[*human.leader].speed};
    command_speed(human.id, human.speed, intelligent_driver(human.speed, leader) + noise);
  }
}

// Asking SUMO for a route that is renewed again and again gets ever slower, so it is kept here.
void FlowTraffic::renew_routes() {
  for (Vehicle& vehicle : vehicles_) {
    if (vehicle.place != vehicle.last_edge) continue;
    const std::vector<std::string> route = loop_from(task_, task_.places[vehicle.place].edge);
    libsumo::Vehicle::setRoute(vehicle.id, route);
    vehicle.last_edge = places_.at(route.back());
  }
}

void FlowTraffic::command_car(double acceleration) {
  const double limit = task_.max_acceleration;
  command_speed(car().id, car().speed, std::clamp(acceleration, -limit, limit));
}

void FlowTraffic::command_lane(double command) {
  const int wish = command >= kLaneThreshold ? 1 : command <= -kLaneThreshold ? -1 : 0;
  const int target = std::clamp(car().lane + wish, 0, task_.lanes - 1);
  if (target == car().lane || lane_changes_blocked()) return;
  libsumo::Vehicle::changeLane(car().id, target, kStep);
}

// A slip of the original, kept: it means to wait 5 steps after a lane change, but compares the time
// with the headway.
bool FlowTraffic::lane_changes_blocked() const {
  constexpr double no_leader = 1000;
  const Vehicle& own = vehicles_.back();
  return steps_ <= 5 + (own.leader ? own.gap : no_leader);
}

void FlowTraffic::read_vehicles() {
  for (Vehicle& vehicle : vehicles_) {
    vehicle.place = places_.at(libsumo::Vehicle::getRoadID(vehicle.id));
    vehicle.speed = libsumo::Vehicle::getSpeed(vehicle.id);
    if (task_.lanes > 1) vehicle.lane = libsumo::Vehicle::getLaneIndex(vehicle.id);
    const FlowTask::Place& place = task_.places[vehicle.place];
    vehicle.x = place.offset;
    if (!place.is_point) vehicle.x += libsumo::Vehicle::getLanePosition(vehicle.id);
  }
}

// 1 if all drive at the target speed; the farther from it, faster or slower, the less.
double FlowTraffic::reward() const {
  const double largest = task_.target_speed * std::sqrt(static_cast<double>(vehicles_.size()));
  double squares = 0;
  for (const Vehicle& vehicle : vehicles_)
    squares += (vehicle.speed - task_.target_speed) * (vehicle.speed - task_.target_speed);
  return std::max(largest - std::sqrt(squares), 0.0) / (largest + kEpsilon);
}

void FlowTraffic::observe(std::span<double> observation) const {
  auto next = observation.begin();
  for (const Vehicle& vehicle : vehicles_) *next++ = vehicle.speed / task_.speed_limit;
  for (const Vehicle& vehicle : vehicles_) *next++ = vehicle.x / task_.length;
  for (const Vehicle& vehicle : vehicles_) {
    if (task_.lanes > 1) *next++ = vehicle.lane / 2.0;
  }
}

Scene FlowTraffic::scene() {
  return sumo_scene(car().id);
}

}  // namespace icct
