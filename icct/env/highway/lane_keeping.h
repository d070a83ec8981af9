#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "icct/base/rng.h"
#include "icct/env/environment.h"
#include "icct/env/episode.h"

namespace icct {

// A car that keeps 8.3 m/s and steers. Angles in rad, counted from the x axis towards y.
struct LaneKeepingCar {
  double x = 0;              // m
  double y = 0;              // m
  double heading = 0;        // rad, not wrapped
  double lateral_speed = 0;  // m/s, across the car
  double yaw_rate = 0;       // rad/s
};

// What is added to an observation: to [y, heading, lateral speed, yaw rate] and to their rates.
struct LaneKeepingNoise {
  std::array<double, 4> state{};
  std::array<double, 4> rate{};
};

// The task without its random numbers: lane-keeping-v0 of highway-env 1.2.
class LaneKeepingDynamics {
 public:
  static constexpr int kObservations = 12;

  void reset(const LaneKeepingNoise& noise, std::span<double> observation);

  // Steers by `action` (clipped to [-1, 1]) times 60 degrees for 0.1 s and returns the reward. The
  // observation is taken after the wheels turned, before the car moved, as in the original.
  double step(double action, const LaneKeepingNoise& noise, std::span<double> observation);

  const LaneKeepingCar& car() const { return car_; }
  bool on_straight_lane() const { return lane_ == Lane::Straight; }  // else on the sine lane
  double lateral() const { return place_.lateral; }  // m, offset from the centre of the lane

 private:
  enum class Lane { Straight, Sine };
  struct Place {
    double longitudinal;
    double lateral;
  };
  struct Rates {
    double x, y, heading, lateral_speed, yaw_rate;
  };

  Place locate() const;
  double lane_heading() const;
  Rates rates() const;
  void observe(const Rates& rates, const LaneKeepingNoise& noise,
               std::span<double> observation) const;

  LaneKeepingCar car_;
  double steering_ = 0;  // rad
  Lane lane_ = Lane::Straight;
  Place place_{};  // of the car on its lane
};

// Follow the lane for 500 steps. Never terminates; actions are clipped to their bounds.
class LaneKeeping final : public Environment {
 public:
  LaneKeeping();

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;

 private:
  std::string name_ = "lane_keeping";
  Space observations_;
  Space actions_;
  EpisodeClock clock_{500};
  Rng rng_{0};
  LaneKeepingDynamics dynamics_;
};

}  // namespace icct
