#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "icct/base/rng.h"
#include "icct/env/environment.h"
#include "icct/env/episode.h"
#include "icct/env/sumo/flow_task.h"
#include "icct/env/sumo/simulation.h"

namespace icct {

// Runs a FlowTask in the SUMO of this process, which must run nothing else. The observation has the
// speeds of all vehicles, their positions on the loop and, with two lanes, their lanes; the
// controlled car stands last. A collision terminates. Actions are clipped to their bounds.
class FlowTraffic final : public Environment {
 public:
  // `noise`: drivers differ and waver, as published; without it every episode is the same.
  FlowTraffic(FlowTask task, std::string name, bool noise);

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }
  int warm_up_steps() const override { return task_.warm_up; }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;
  Scene scene() override;

 private:
  struct Vehicle {
    std::string id;
    std::size_t last_edge = 0;  // of the route it is on, as a place
    std::size_t place = 0;      // where it is
    double speed = 0;           // m/s
    double x = 0;               // m along the loop
    int lane = 0;
    std::optional<std::size_t> leader;
    double gap = 0;  // m to the leader, bumper to bumper
  };

  void start();  // SUMO, without vehicles
  void remove_vehicles();
  void insert_vehicles();
  void insert(Vehicle& vehicle, const FlowTask::Start& start, const char* type);
  bool simulate(std::span<const double> action);  // empty: SUMO drives; true: a collision
  void command_humans();
  void renew_routes();
  void command_car(double acceleration);
  void command_lane(double command);
  bool lane_changes_blocked() const;
  void read_vehicles();
  void read_leader(Vehicle& vehicle);
  bool on_junction(const Vehicle& vehicle) const;
  double reward() const;
  void observe(std::span<double> observation) const;
  Vehicle& car() { return vehicles_.back(); }

  FlowTask task_;
  std::string name_;
  bool noise_;
  SimulationOptions simulation_;
  Space observations_;
  Space actions_;
  EpisodeClock clock_;
  Rng rng_{0};
  std::vector<Vehicle> vehicles_;                         // the controlled car last
  std::unordered_map<std::string, std::size_t> places_;   // by edge
  std::unordered_map<std::string, std::size_t> numbers_;  // of vehicles, by id
  int steps_ = 0;                                         // since the vehicles were inserted
  bool usable_ = false;  // SUMO runs, with all vehicles on the road
};

}  // namespace icct
