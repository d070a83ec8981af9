#include "icct/env/highway/lane_keeping.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "icct/base/check.h"

namespace icct {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kTimeStep = 0.1;
constexpr double kNoise = 0.05;  // half width of every uniform noise

// Car: a dynamic bicycle of unit mass whose tyres push back in proportion to their slip angle.
constexpr double kSpeed = 8.3;
constexpr double kMaxSteering = kPi / 3;
constexpr double kMaxYawRate = 2 * kPi;
constexpr double kAxleDistance = 2.5;  // from the centre of mass to either axle
constexpr double kInertia = (5.0 * 5.0 + 2.0 * 2.0) / 12;
constexpr double kAxleStiffness = 30;  // N/rad: two tyres of 15 each

// The straight lane, followed by a sine lane along the x axis for the rest of the episode.
constexpr double kHalfWidth = 5;
constexpr double kStartX = 50, kStartY = 50, kEndX = 115, kEndY = 15;
constexpr double kMargin = 5;  // counts as on the lane this far before its start and after its end
constexpr double kAmplitude = 5;
constexpr double kWaveNumber = 2 * kPi / 100;
constexpr double kWidthInReward = 10;

struct StraightLane {
  double length = std::hypot(kEndX - kStartX, kEndY - kStartY);
  double along_x = (kEndX - kStartX) / length;
  double along_y = (kEndY - kStartY) / length;
  double heading = std::atan2(kEndY - kStartY, kEndX - kStartX);
};

const StraightLane& straight_lane() {
  static const StraightLane lane;
  return lane;
}

}  // namespace

LaneKeepingDynamics::Place LaneKeepingDynamics::locate() const {
  if (lane_ == Lane::Sine) return {car_.x, car_.y - kAmplitude * std::sin(kWaveNumber * car_.x)};
  const StraightLane& lane = straight_lane();
  const double dx = car_.x - kStartX;
  const double dy = car_.y - kStartY;
  return {dx * lane.along_x + dy * lane.along_y, -dx * lane.along_y + dy * lane.along_x};
}

double LaneKeepingDynamics::lane_heading() const {
  if (lane_ == Lane::Straight) return straight_lane().heading;
  return std::atan(kAmplitude * kWaveNumber * std::cos(kWaveNumber * place_.longitudinal));
}

LaneKeepingDynamics::Rates LaneKeepingDynamics::rates() const {
  const double front_slip =
      std::atan2(car_.lateral_speed + kAxleDistance * car_.yaw_rate, kSpeed) - steering_;
  const double rear_slip = std::atan2(car_.lateral_speed - kAxleDistance * car_.yaw_rate, kSpeed);
  const double front_force = -kAxleStiffness * front_slip;
  const double rear_force = -kAxleStiffness * rear_slip;
  const double cosine = std::cos(car_.heading);
  const double sine = std::sin(car_.heading);
  return {.x = kSpeed * cosine - car_.lateral_speed * sine,
          .y = kSpeed * sine + car_.lateral_speed * cosine,
          .heading = car_.yaw_rate,
          .lateral_speed = front_force + rear_force - car_.yaw_rate * kSpeed,
          .yaw_rate = kAxleDistance * (front_force - rear_force) / kInertia};
}

// The original's groups in alphabetical order: derivative, reference, state.
void LaneKeepingDynamics::observe(const Rates& rates, const LaneKeepingNoise& noise,
                                  std::span<double> observation) const {
  ICCT_CHECK(observation.size() == kObservations);
  observation[0] = rates.y + noise.rate[0];
  observation[1] = rates.heading + noise.rate[1];
  observation[2] = rates.lateral_speed + noise.rate[2];
  observation[3] = rates.yaw_rate + noise.rate[3];
  observation[4] = car_.y - place_.lateral;
  observation[5] = lane_heading();
  observation[6] = 0;
  observation[7] = 0;
  observation[8] = car_.y + noise.state[0];
  observation[9] = car_.heading + noise.state[1];
  observation[10] = car_.lateral_speed + noise.state[2];
  observation[11] = car_.yaw_rate + noise.state[3];
}

void LaneKeepingDynamics::reset(const LaneKeepingNoise& noise, std::span<double> observation) {
  constexpr double longitudinal = 50;
  constexpr double lateral = -4;
  const StraightLane& lane = straight_lane();
  car_ = {.x = kStartX + longitudinal * lane.along_x - lateral * lane.along_y,
          .y = kStartY + longitudinal * lane.along_y + lateral * lane.along_x,
          .heading = lane.heading};
  steering_ = 0;
  lane_ = Lane::Straight;
  place_ = locate();
  observe(rates(), noise, observation);
}

double LaneKeepingDynamics::step(double action, const LaneKeepingNoise& noise,
                                 std::span<double> observation) {
  // Once off the straight lane, never back on it.
  const bool on_lane = std::abs(place_.lateral) <= kHalfWidth && place_.longitudinal >= -kMargin &&
                       place_.longitudinal < straight_lane().length + kMargin;
  if (lane_ == Lane::Straight && !on_lane) {
    lane_ = Lane::Sine;
    place_ = locate();
  }
  steering_ = std::clamp(action, -1.0, 1.0) * kMaxSteering;
  Rates change = rates();
  observe(change, noise, observation);

  // Explicit Euler from the state just observed, except for a yaw rate beyond its limit.
  if (std::abs(car_.yaw_rate) > kMaxYawRate) {
    car_.yaw_rate = std::clamp(car_.yaw_rate, -kMaxYawRate, kMaxYawRate);
    change = rates();
  }
  car_.x += change.x * kTimeStep;
  car_.y += change.y * kTimeStep;
  car_.heading += change.heading * kTimeStep;
  car_.lateral_speed += change.lateral_speed * kTimeStep;
  car_.yaw_rate += change.yaw_rate * kTimeStep;
  place_ = locate();
  const double offset = place_.lateral / kWidthInReward;
  return 1 - offset * offset;
}

// Bounds follow from the equations and are rounded outwards; docs/environments.md derives them.
LaneKeeping::LaneKeeping()
    : observations_{{"y_rate", "m/s", -81, 81},
                    {"heading_rate", "rad/s", -20, 20},
                    {"lateral_speed_rate", "m/s^2", -300, 300},
                    {"yaw_acceleration", "rad/s^2", -131, 131},
                    {"lane_y", "m", -6, 54},
                    {"lane_heading", "rad", -0.5, 0.31},
                    {"lane_lateral_speed", "m/s", -1, 1},
                    {"lane_yaw_rate", "rad/s", -1, 1},
                    {.name = "y", .unit = "m"},
                    {.name = "heading", .unit = "rad"},
                    {"lateral_speed", "m/s", -80, 80},
                    {"yaw_rate", "rad/s", -20, 20}},
      actions_{{"steering", "×60 deg", -1, 1}} {}

namespace {

std::array<double, 4> draw_noise(Rng& rng) {
  std::array<double, 4> noise;
  for (double& each : noise) each = rng.uniform(-kNoise, kNoise);
  return noise;
}

LaneKeepingNoise draw(Rng& rng) {
  const auto state = draw_noise(rng);
  return {.state = state, .rate = draw_noise(rng)};
}

}  // namespace

void LaneKeeping::reset(std::uint64_t seed, std::span<double> observation) {
  rng_ = Rng(seed);
  clock_.start();
  dynamics_.reset(draw(rng_), observation);
}

Step LaneKeeping::step(std::span<const double> action, std::span<double> observation) {
  ICCT_CHECK(clock_.running());
  require_valid_action(action, actions_, name_);
  const double reward = dynamics_.step(action[0], draw(rng_), observation);
  return clock_.finish_step(reward, false);
}

}  // namespace icct
