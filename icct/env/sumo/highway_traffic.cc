#include "icct/env/sumo/highway_traffic.h"

#include <libsumo/libsumo.h>

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/base/rng.h"
#include "icct/env/sumo/cache.h"
#include "icct/env/sumo/highway_files.h"
#include "icct/env/sumo/sumo_scene.h"

namespace icct {
namespace {

constexpr double kOneStepCommand = 0.001;  // s; SUMO takes over again after the step
constexpr double kLaneThreshold = 0.5;
constexpr double kThinningPeriod = 1;              // s
constexpr double kEntryPatience = 60;              // s that the car may wait to enter
constexpr double kCollision = 10, kHardBrake = 5;  // m/s2, as the paper counts them
constexpr const char* kRoute = "car_route";

// In the order of metrics_.
enum MetricNumber { kCollisions, kHardBrakes, kUnsafeLaneChanges, kArrivals };

bool contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::ranges::count(ids, id) > 0;
}

}  // namespace

HighwayTraffic::HighwayTraffic(HighwayTask task, std::string name, double density)
    : task_(std::move(task)),
      name_(std::move(name)),
      observations_(observation_space(task_)),
      actions_{{"acceleration", "m/s2", task_.min_acceleration, task_.max_acceleration}},
      range_(sight(task_)),
      clock_(task_.max_steps) {
  validate_space(observations_, "observation");
  if (task_.lane_changes) actions_.push_back({"lane_change", "", -1, 1});
  // What is in a file of routes can only be scaled by SUMO.
  const bool has_file = !task_.routes_file.empty();
  const std::string routes = highway_routes_xml(task_, has_file ? 1 : density);
  simulation_ = {.network = task_.network ? build_network(*task_.network) : task_.network_file,
                 .routes = {cached_text(routes, ".rou.xml")},
                 .step_length = task_.step_length,
                 .junction_collisions = true,
                 .scale = has_file ? density : 1};
  if (has_file) simulation_.routes.push_back(task_.routes_file);
  try_out();
}

// Finds what is wrong with the files early, where it is told once.
void HighwayTraffic::try_out() {
  start_simulation(simulation_, 0);
  lanes_.emplace(task_.car.route);
  route_.emplace(task_.car.route, *lanes_);
  require_lane(task_.car.lane, task_.car.route.front(), *lanes_, "the car's lane");
  for (std::size_t i = 0; i < task_.flows.size(); ++i) {
    const HighwayTask::Flow& flow = task_.flows[i];
    require_connected(flow.route, *lanes_, flow_place(i) + ": its route");
    require_lane(flow.depart_lane, flow.route.front(), *lanes_,
                 flow_place(i) + ": its depart_lane");
  }
  if (!contains(libsumo::VehicleType::getIDList(), task_.car.type))
    throw Error("the car's type '" + task_.car.type + "' is not among the types");
  if (const double length = lanes_->length(task_.car.route.front()); task_.car.position > length)
    throw Error("the car's position is " + exact_text(task_.car.position) +
                " m, but its first edge has " + rounded_text(length, 6) + " m");
  try {
    insert_car();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& problem) {
    throw Error(std::string("the car cannot enter (see its lane, position and speed): ") +
                problem.what());
  }
}

int HighwayTraffic::warm_up_steps() const {
  return static_cast<int>(std::lround(task_.warm_up / task_.step_length));
}

void HighwayTraffic::reset(std::uint64_t seed, std::span<double> observation) {
  ICCT_CHECK(observation.size() == observations_.size());
  start_simulation(simulation_, static_cast<int>(Rng(seed).next() >> 33U));
  for (int i = warm_up_steps(); i > 0; --i) libsumo::Simulation::step();
  insert_car();
  leaving_route_ = false;
  steps_until_thinning_ = 0;
  view_ = look(*route_, *lanes_, {});
  metrics_ = {{"collisions", 0}, {"hard_brakes", 0}, {"unsafe_lane_changes", 0}, {"arrivals", 0}};
  clock_.start();
  observe(task_, view_, *lanes_, observation);
}

void HighwayTraffic::insert_car() {
  const HighwayTask::Car& car = task_.car;
  libsumo::Route::add(kRoute, car.route);
  libsumo::Vehicle::add(kCar, kRoute, car.type, "now", car.lane, exact_text(car.position),
                        exact_text(car.speed));
  const int patience = static_cast<int>(std::ceil(kEntryPatience / task_.step_length));
  for (int i = 0; i < patience; ++i) {
    libsumo::Simulation::step();
    if (contains(libsumo::Simulation::getDepartedIDList(), kCar)) {
      if (task_.sumo_drives) return;
      libsumo::Vehicle::setSpeedMode(kCar, car.speed_mode);
      libsumo::Vehicle::setLaneChangeMode(kCar, car.lane_change_mode);
      return;
    }
  }
  throw Error(name_ + ": the car found no gap to enter at " + car.route.front() + " within " +
              rounded_text(kEntryPatience, 3) + " s");
}

Step HighwayTraffic::step(std::span<const double> action, std::span<double> observation) {
  ICCT_CHECK(clock_.running() && observation.size() == observations_.size());
  require_valid_action(action, actions_, name_);
  const CarView before = view_;
  const HighwayEvents events = simulate(action);
  count(events);
  if (!events.gone && !events.collided) observe(task_, view_, *lanes_, observation);
  const double reward = highway_reward(task_.reward, before, view_, events, route_->length());
  return clock_.finish_step(reward, events.arrived || events.collided || events.missed_exit);
}

HighwayEvents HighwayTraffic::simulate(std::span<const double> action) {
  HighwayEvents events;
  const double speed = view_.speed;
  if (!task_.sumo_drives) {
    command_speed(action[0]);
    if (task_.lane_changes) events.refused_lane_change = !command_lane(action[1]);
    follow_lane();
  }
  thin_out_traffic();
  libsumo::Simulation::step();
  look_after_step(events);
  if (!events.gone) events.acceleration = (view_.speed - speed) / task_.step_length;
  return events;
}

// Every vehicle costs time, also those that the car will never meet.
void HighwayTraffic::thin_out_traffic() {
  if (task_.radius == 0 || steps_until_thinning_-- > 0) return;
  steps_until_thinning_ = static_cast<int>(kThinningPeriod / task_.step_length) - 1;
  const libsumo::TraCIPosition car = libsumo::Vehicle::getPosition(kCar);
  for (const std::string& id : libsumo::Vehicle::getIDList()) {
    const libsumo::TraCIPosition at = libsumo::Vehicle::getPosition(id);
    if (std::hypot(at.x - car.x, at.y - car.y) > task_.radius) libsumo::Vehicle::remove(id);
  }
}

void HighwayTraffic::command_speed(double acceleration) {
  const double wished =
      std::clamp(acceleration, task_.min_acceleration, task_.max_acceleration) * task_.step_length;
  libsumo::Vehicle::slowDown(kCar, std::max(view_.speed + wished, 0.0), kOneStepCommand);
}

// What the car saw last stays where it is gone.
void HighwayTraffic::look_after_step(HighwayEvents& events) {
  events.collided = contains(libsumo::Simulation::getCollidingVehiclesIDList(), kCar) ||
                    contains(libsumo::Simulation::getStartingTeleportIDList(), kCar);
  events.gone = contains(libsumo::Simulation::getArrivedIDList(), kCar);
  events.missed_exit = events.gone && leaving_route_;
  events.arrived = events.gone && !leaving_route_;
  if (events.gone || events.collided) return;
  view_ = look(*route_, *lanes_, view_);
  events.missed_exit = !view_.on_route;
  events.leader = lanes_->leader(view_.lane_id, view_.position, range_, kCar);
}

// SUMO would let the car wait for ever at the end of a lane that does not lead to its next edge.
void HighwayTraffic::follow_lane() {
  if (view_.edge.starts_with(':') || !view_.on_route) return;
  const std::vector<std::string>& next = lanes_->next_edges(view_.lane_id);
  const bool leaving = !view_.in_target_lane && !next.empty();
  if (leaving == leaving_route_) return;
  leaving_route_ = leaving;
  libsumo::Vehicle::setRoute(
      kCar, leaving ? std::vector{view_.edge, next.front()} : route_->from(view_.edge));
}

bool HighwayTraffic::command_lane(double command) {
  const int wish = command >= kLaneThreshold ? 1 : command <= -kLaneThreshold ? -1 : 0;
  if (wish == 0 || view_.edge.starts_with(':')) return true;
  const int target = view_.lane + wish;
  if (target < 0 || target >= view_.lane_count || !is_safe(target)) return false;
  libsumo::Vehicle::changeLane(kCar, target, task_.step_length);
  return true;
}

bool HighwayTraffic::is_safe(int lane) const {
  const HighwayTask::SafeGap& safe = task_.safe_gap;
  const std::string id = lane_of(view_.edge, lane);
  const auto ahead = lanes_->leader(id, view_.position, range_, kCar);
  const auto behind = lanes_->follower(id, view_.position, range_, kCar);
  return (!ahead || ahead->gap >= safe.distance + safe.seconds * view_.speed) &&
         (!behind || behind->gap >= safe.distance + safe.seconds * behind->speed);
}

void HighwayTraffic::count(const HighwayEvents& events) {
  const double braking = -events.acceleration;
  if (events.collided || braking > kCollision)
    ++metrics_[kCollisions].value;
  else if (braking > kHardBrake)
    ++metrics_[kHardBrakes].value;
  if (events.refused_lane_change) ++metrics_[kUnsafeLaneChanges].value;
  if (events.arrived) ++metrics_[kArrivals].value;
}

Scene HighwayTraffic::scene() {
  Scene scene = sumo_scene(kCar);
  scene.range = view_range(task_);
  return scene;
}

}  // namespace icct
