#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "icct/base/rng.h"
#include "icct/env/box2d/lander_world.h"
#include "icct/env/environment.h"
#include "icct/env/episode.h"

namespace icct {

// Two numbers that scatter the engines' thrust in one step, m, each within 1/30.
using LanderDispersion = std::array<double, 2>;

struct LanderOutcome {
  double reward;
  bool terminated;
};

// The task without its random numbers: LunarLanderContinuous-v2 of gym 0.18.3.
class LunarLanderDynamics {
 public:
  static constexpr int kObservations = 8;

  // Builds the scene and takes one step without thrust; writes the observation after it.
  void reset(const LanderStart& start, const LanderDispersion& dispersion,
             std::span<double> observation);

  // `action` is [main engine, side engines], clipped to [-1, 1].
  LanderOutcome step(std::span<const double> action, const LanderDispersion& dispersion,
                     std::span<double> observation);

  const LanderWorld& world() const { return world_; }

 private:
  double fire_main_engine(double throttle, const LanderDispersion& dispersion);
  double fire_side_engine(double throttle, const LanderDispersion& dispersion);
  void observe(std::array<double, 8>& exact) const;

  LanderWorld world_;
  double shaping_ = 0;  // potential of the last observation
};

// Land softly between the flags within 1000 steps. Actions are clipped to their bounds.
class LunarLander final : public Environment {
 public:
  LunarLander();

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;

 private:
  std::string name_ = "lunar_lander";
  Space observations_;
  Space actions_;
  EpisodeClock clock_{1000};
  Rng rng_{0};
  LunarLanderDynamics dynamics_;
};

}  // namespace icct
