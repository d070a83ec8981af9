#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "icct/base/rng.h"
#include "icct/env/environment.h"
#include "icct/env/episode.h"
#include "icct/env/mujoco/simulation.h"

namespace icct {

// Cart position (m), pole angle (rad, 0 upright), cart speed (m/s), pole speed (rad/s): the whole
// state, and the observation.
using PendulumState = std::array<double, 4>;

// The physics without its random numbers: InvertedPendulum-v2 of gym 0.18.3 on MuJoCo.
class PendulumDynamics {
 public:
  PendulumDynamics();

  // Forgets everything that happened before.
  void set_state(const PendulumState& state);
  PendulumState state() const;

  // Holds 100 * `action` newtons on the cart for 0.04 s. The action is not clipped.
  void step(double action);

  // How many joint limits pushed back in the last evaluation of the forces.
  int active_limits() const { return data_->nefc; }
  const mjModel& model() const { return *model_; }

 private:
  MujocoModel model_;
  MujocoData data_;
};

// Keep the pole within 0.2 rad for 1000 steps; 1 per step. Actions beyond their bounds are not
// clipped, as in the original, where the policy keeps them inside; beyond a million they are
// refused.
class InvertedPendulum final : public Environment {
 public:
  InvertedPendulum();

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;

 private:
  std::string name_ = "inverted_pendulum";
  Space observations_;
  Space actions_;
  EpisodeClock clock_{1000};
  PendulumDynamics dynamics_;
};

}  // namespace icct
