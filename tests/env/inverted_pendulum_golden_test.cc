#include "icct/env/mujoco/inverted_pendulum.h"
#include "tests/golden_files.h"

namespace icct {
namespace {

// One step at a time, because the pendulum is unstable: open loop, rounding errors would grow
// without bound. What remains is how far the limit solver converges from a cold start, while the
// recording's solver remembered its last solution.
constexpr double kTolerance = 1e-10;

PendulumState state_from(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>(),
          json[3].get<double>()};
}

TEST(InvertedPendulumGolden, EverySingleStepFromTheRecordedStateMatches) {
  PendulumDynamics dynamics;
  int with_limits = 0;
  for (const auto& file : golden_files("inverted_pendulum_")) {
    const Json json = read_golden(file);
    for (const Json& episode : json.at("episodes")) {
      PendulumState state = state_from(episode.at("reset_obs"));
      for (std::size_t t = 0; t < episode.at("action").size(); ++t) {
        dynamics.set_state(state);
        dynamics.step(flatten_float<double>(episode.at("action")[t]).front());
        state = state_from(episode.at("obs")[t]);
        expect_close(dynamics.state(), state, kTolerance,
                     file.filename().string() + " " + episode.at("policy").get<std::string>() +
                         " step " + std::to_string(t));
        EXPECT_EQ(std::abs(state[1]) > 0.2, episode.at("done")[t].get<int>() == 1);
        if (episode.at("active_constraints")[t].get<int>() > 0) ++with_limits;
      }
    }
  }
  EXPECT_GT(with_limits, 50) << "the soft joint limits were hardly exercised";
}

TEST(InvertedPendulumGolden, TheModelCompilesToTheRecordedNumbers) {
  const PendulumDynamics dynamics;
  const mjModel& model = dynamics.model();
  for (const auto& file : golden_files("inverted_pendulum_")) {
    const Json json = read_golden(file).at("model");
    const auto expect_equal = [&](const mjtNum* actual, const char* key) {
      const auto expected = flatten<double>(json.at(key));
      expect_close(std::vector<double>(actual, actual + expected.size()), expected, 1e-15, key);
    };
    expect_equal(&model.opt.timestep, "timestep");
    expect_equal(&model.opt.tolerance, "tolerance");
    expect_equal(model.opt.gravity, "gravity");
    expect_equal(model.body_mass, "body_mass");
    expect_equal(model.body_inertia, "body_inertia");
    expect_equal(model.body_ipos, "body_ipos");
    expect_equal(model.body_iquat, "body_iquat");
    expect_equal(model.body_pos, "body_pos");
    expect_equal(model.jnt_axis, "jnt_axis");
    expect_equal(model.jnt_range, "jnt_range");
    expect_equal(model.jnt_solref, "jnt_solref");
    expect_equal(model.jnt_solimp, "jnt_solimp");
    expect_equal(model.jnt_margin, "jnt_margin");
    expect_equal(model.dof_damping, "dof_damping");
    expect_equal(model.dof_armature, "dof_armature");
    expect_equal(model.dof_frictionloss, "dof_frictionloss");
    expect_equal(model.dof_invweight0, "dof_invweight0");
    expect_equal(model.actuator_gear, "actuator_gear");
    EXPECT_EQ(model.opt.integrator, json.at("integrator").get<int>());
    EXPECT_EQ(model.opt.solver, json.at("solver").get<int>());
    EXPECT_EQ(model.opt.iterations, json.at("iterations").get<int>());
    EXPECT_EQ(model.opt.cone, json.at("cone").get<int>());
    EXPECT_EQ(model.opt.jacobian, json.at("jacobian").get<int>());
    EXPECT_EQ(model.nbody, json.at("nbody").get<int>());
    EXPECT_EQ(model.actuator_ctrllimited[0], json.at("actuator_ctrllimited").get<int>());
    EXPECT_EQ(model.jnt_limited[0], json.at("jnt_limited")[0].get<int>());
    EXPECT_EQ(model.jnt_limited[1], json.at("jnt_limited")[1].get<int>());
  }
}

}  // namespace
}  // namespace icct
