#include "icct/env/mujoco/inverted_pendulum.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

// The capsules give the masses at MuJoCo's density of 1000 kg/m^3; nothing collides. The pole leans
// by 1 mm over its length, and the cart is turned by a rounded 90 degrees, both as in the original.
// The sizes are just what two joint limits need: the defaults make every reset clear megabytes.
constexpr const char* kModel = R"(
<mujoco model="inverted_pendulum">
  <compiler angle="radian" inertiafromgeom="true"/>
  <option timestep="0.02" integrator="RK4" gravity="0 0 -9.81">
    <flag contact="disable"/>
  </option>
  <size njmax="8" nconmax="1" nstack="3000"/>
  <default>
    <joint damping="1" limited="true"/>
    <geom type="capsule" contype="0" conaffinity="0"/>
  </default>
  <worldbody>
    <body name="cart">
      <joint name="slider" type="slide" axis="1 0 0" range="-1 1"/>
      <geom name="cart" size="0.1 0.1" quat="0.707 0 0.707 0"/>
      <body name="pole">
        <joint name="hinge" type="hinge" axis="0 1 0" range="-1.5707963267948966 1.5707963267948966"/>
        <geom name="pole" size="0.049" fromto="0 0 0 0.001 0 0.6"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="slider" gear="100" ctrllimited="false" ctrlrange="-3 3"/>
  </actuator>
</mujoco>
)";

constexpr int kPhysicsStepsPerAction = 2;
constexpr double kMaxAngle = 0.2;
constexpr double kResetNoise = 0.01;

// MuJoCo ignores controls beyond 1e10 and writes a log file instead; far below that, a step stays
// finite.
constexpr double kMaxControl = 1e6;

}  // namespace

PendulumDynamics::PendulumDynamics()
    : model_(compile_mujoco_model(kModel)), data_(make_mujoco_data(*model_)) {
  ICCT_CHECK(model_->nq == 2 && model_->nv == 2 && model_->nu == 1);
}

void PendulumDynamics::set_state(const PendulumState& state) {
  // Clears the solver's memory of earlier steps, too.
  mj_resetData(model_.get(), data_.get());
  std::copy_n(state.begin(), 2, data_->qpos);
  std::copy_n(state.begin() + 2, 2, data_->qvel);
}

PendulumState PendulumDynamics::state() const {
  return {data_->qpos[0], data_->qpos[1], data_->qvel[0], data_->qvel[1]};
}

void PendulumDynamics::step(double action) {
  data_->ctrl[0] = action;
  for (int i = 0; i < kPhysicsStepsPerAction; ++i) {
    // The two halves of mj_step for this integrator, without its way with diverged states: it
    // resets them silently and writes a log file into the working directory.
    mj_forwardSkip(model_.get(), data_.get(), mjSTAGE_NONE, 1);
    mj_RungeKutta(model_.get(), data_.get(), 4);
  }
}

InvertedPendulum::InvertedPendulum()
    : observations_{{.name = "cart_position", .unit = "m"},
                    {.name = "pole_angle", .unit = "rad"},
                    {.name = "cart_speed", .unit = "m/s"},
                    {.name = "pole_speed", .unit = "rad/s"}},
      actions_{{"push", "×100 N", -3, 3}} {}

void InvertedPendulum::reset(std::uint64_t seed, std::span<double> observation) {
  ICCT_CHECK(observation.size() == observations_.size());
  Rng rng(seed);
  PendulumState start;
  for (double& each : start) each = rng.uniform(-kResetNoise, kResetNoise);
  dynamics_.set_state(start);
  clock_.start();
  std::copy(start.begin(), start.end(), observation.begin());
}

Step InvertedPendulum::step(std::span<const double> action, std::span<double> observation) {
  ICCT_CHECK(clock_.running() && observation.size() == observations_.size());
  require_valid_action(action, actions_, name_);
  if (std::abs(action[0]) > kMaxControl) {
    throw Error(name_ + ": a push of " + exact_text(action[0]) +
                " is beyond the simulator; keep within [-3, 3]");
  }
  dynamics_.step(action[0]);
  const PendulumState state = dynamics_.state();
  std::copy(state.begin(), state.end(), observation.begin());
  return clock_.finish_step(1, !(std::abs(state[1]) <= kMaxAngle));
}

}  // namespace icct
