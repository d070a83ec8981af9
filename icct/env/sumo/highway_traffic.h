#pragma once

#include <optional>
#include <string>

#include "icct/env/environment.h"
#include "icct/env/episode.h"
#include "icct/env/sumo/car_view.h"
#include "icct/env/sumo/highway_reward.h"
#include "icct/env/sumo/highway_task.h"
#include "icct/env/sumo/simulation.h"

namespace icct {

// Runs a HighwayTask in the SUMO of this process, which must run nothing else. Arriving, missing an
// exit and colliding terminate. Actions are clipped to their bounds.
class HighwayTraffic final : public Environment {
 public:
  // `density` multiplies all flows. Throws Error if the network cannot be built or loaded, or the
  // car cannot enter it.
  HighwayTraffic(HighwayTask task, std::string name, double density);

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }
  int warm_up_steps() const override;
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;
  Scene scene() override;
  std::vector<Metric> metrics() override { return metrics_; }

 private:
  void try_out();
  void insert_car();
  void follow_lane();  // where the lane goes another way than the route, so does the car
  void command_speed(double acceleration);
  bool command_lane(double command);  // false: refused
  bool is_safe(int lane) const;
  void thin_out_traffic();
  HighwayEvents simulate(std::span<const double> action);
  void look_after_step(HighwayEvents& events);
  void count(const HighwayEvents& events);

  HighwayTask task_;
  std::string name_;
  SimulationOptions simulation_;
  Space observations_;
  Space actions_;
  double range_;  // m in which other cars matter
  EpisodeClock clock_;
  std::optional<LaneMap> lanes_;
  std::optional<CarRoute> route_;
  CarView view_;
  bool leaving_route_ = false;
  int steps_until_thinning_ = 0;
  std::vector<Metric> metrics_;
};

}  // namespace icct
