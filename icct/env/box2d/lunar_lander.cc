#include "icct/env/box2d/lunar_lander.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"

namespace icct {
namespace {

constexpr double kPixel = 1.0 / 30;  // m
constexpr double kMainEnginePower = 13;
constexpr double kSideEnginePower = 0.6;
constexpr double kRestHeight =
    LanderWorld::kPadHeight + 18 * kPixel;  // origin, standing on the pad
constexpr double kMaxInitialForce = 1000;   // N, in each direction

// The lander's axes as the original has them: tip points along its nose with x mirrored, side is
// perpendicular to it.
struct Axes {
  double tip_x, tip_y, side_x, side_y;
};

Axes axes_of(const b2Body& lander) {
  const double angle = lander.GetAngle();
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  return {.tip_x = sine, .tip_y = cosine, .side_x = -cosine, .side_y = sine};
}

// Less is worse: far from the pad, fast, tilted, legs in the air.
double shaping_of(const std::array<double, 8>& o) {
  return -100 * std::sqrt(o[0] * o[0] + o[1] * o[1]) - 100 * std::sqrt(o[2] * o[2] + o[3] * o[3]) -
         100 * std::abs(o[4]) + 10 * o[6] + 10 * o[7];
}

// The original hands out 32-bit observations but computes its rewards before rounding.
void round_to_float(const std::array<double, 8>& exact, std::span<double> observation) {
  ICCT_CHECK(observation.size() == exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) observation[i] = static_cast<float>(exact[i]);
}

}  // namespace

// Both engines return their power, which costs fuel, or 0 when they do not fire.
double LunarLanderDynamics::fire_main_engine(double throttle, const LanderDispersion& dispersion) {
  if (!(throttle > 0)) return 0;
  const double power = 0.5 + 0.5 * throttle;
  const b2Body& lander = world_.lander();
  const Axes axes = axes_of(lander);
  const double along = 4 * kPixel + 2 * dispersion[0];
  const double x = axes.tip_x * along + axes.side_x * dispersion[1];
  const double y = -axes.tip_y * along - axes.side_y * dispersion[1];
  world_.push_lander({-x * kMainEnginePower * power, -y * kMainEnginePower * power},
                     {lander.GetPosition().x + x, lander.GetPosition().y + y});
  return power;
}

double LunarLanderDynamics::fire_side_engine(double throttle, const LanderDispersion& dispersion) {
  const double power = std::abs(throttle);
  if (!(power > 0.5)) return 0;
  const b2Body& lander = world_.lander();
  const Axes axes = axes_of(lander);
  const double across = 3 * dispersion[1] + std::copysign(12 * kPixel, throttle);
  const double x = axes.tip_x * dispersion[0] + axes.side_x * across;
  const double y = -axes.tip_y * dispersion[0] - axes.side_y * across;
  // 17 and 14 instead of one distance: a quirk of the original.
  world_.push_lander({-x * kSideEnginePower * power, -y * kSideEnginePower * power},
                     {lander.GetPosition().x + x - axes.tip_x * 17 * kPixel,
                      lander.GetPosition().y + y + axes.tip_y * 14 * kPixel});
  return power;
}

void LunarLanderDynamics::observe(std::array<double, 8>& exact) const {
  const b2Body& lander = world_.lander();
  const b2Vec2 position = lander.GetPosition();
  const b2Vec2 speed = lander.GetLinearVelocity();
  constexpr double half_width = LanderWorld::kWidth / 2;
  constexpr double half_height = LanderWorld::kHeight / 2;
  exact = {(position.x - half_width) / half_width,
           (position.y - kRestHeight) / half_height,
           speed.x * half_width / LanderWorld::kStepsPerSecond,
           speed.y * half_height / LanderWorld::kStepsPerSecond,
           lander.GetAngle(),
           20 * static_cast<double>(lander.GetAngularVelocity()) / LanderWorld::kStepsPerSecond,
           world_.leg_touches_ground(0) ? 1.0 : 0.0,
           world_.leg_touches_ground(1) ? 1.0 : 0.0};
}

void LunarLanderDynamics::reset(const LanderStart& start, const LanderDispersion& dispersion,
                                std::span<double> observation) {
  world_.rebuild(start);
  shaping_ = 0;
  constexpr std::array<double, 2> no_thrust{};
  step(no_thrust, dispersion, observation);
}

LanderOutcome LunarLanderDynamics::step(std::span<const double> action,
                                        const LanderDispersion& dispersion,
                                        std::span<double> observation) {
  ICCT_CHECK(action.size() == 2);
  const double main_power = fire_main_engine(std::clamp(action[0], -1.0, 1.0), dispersion);
  const double side_power = fire_side_engine(std::clamp(action[1], -1.0, 1.0), dispersion);
  world_.step();

  std::array<double, 8> exact;
  observe(exact);
  round_to_float(exact, observation);
  const double shaping = shaping_of(exact);
  const double reward = shaping - shaping_ - 0.30 * main_power - 0.03 * side_power;
  shaping_ = shaping;

  // The end replaces the reward; coming to rest wins over everything.
  if (!world_.lander().IsAwake()) return {.reward = 100, .terminated = true};
  const bool lost = world_.hull_touched_ground() || std::abs(exact[0]) >= 1;
  if (lost) return {.reward = -100, .terminated = true};
  return {.reward = reward, .terminated = false};
}

LunarLander::LunarLander()
    : observations_{{.name = "x", .unit = "×10 m"},
                    {.name = "height", .unit = "×6.67 m"},
                    {.name = "x_speed", .unit = "×5 m/s"},
                    {.name = "climb_speed", .unit = "×7.5 m/s"},
                    {.name = "angle", .unit = "rad"},
                    {.name = "angular_speed", .unit = "×2.5 rad/s"},
                    {"leg0_contact", "", 0, 1},
                    {"leg1_contact", "", 0, 1}},
      actions_{{"main_engine", "", -1, 1}, {"side_engine", "", -1, 1}} {}

namespace {

// Drawn in every step, engines or not, so that the numbers do not depend on the actions.
LanderDispersion draw_dispersion(Rng& rng) {
  LanderDispersion dispersion;
  for (double& each : dispersion) each = rng.uniform(-1, 1) * kPixel;
  return dispersion;
}

LanderStart draw_start(Rng& rng) {
  LanderStart start;
  for (double& each : start.heights) each = rng.uniform(0, LanderWorld::kHeight / 2);
  for (double& each : start.force) each = rng.uniform(-kMaxInitialForce, kMaxInitialForce);
  return start;
}

}  // namespace

void LunarLander::reset(std::uint64_t seed, std::span<double> observation) {
  rng_ = Rng(seed);
  clock_.start();
  const LanderStart start = draw_start(rng_);
  dynamics_.reset(start, draw_dispersion(rng_), observation);
}

Step LunarLander::step(std::span<const double> action, std::span<double> observation) {
  ICCT_CHECK(clock_.running());
  require_valid_action(action, actions_, name_);
  const LanderOutcome outcome = dynamics_.step(action, draw_dispersion(rng_), observation);
  return clock_.finish_step(outcome.reward, outcome.terminated);
}

}  // namespace icct
