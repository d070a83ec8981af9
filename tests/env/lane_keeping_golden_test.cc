#include "icct/env/highway/lane_keeping.h"
#include "tests/golden_files.h"

namespace icct {
namespace {

// The same equations in the same order: only the last bits of sin, cos and atan2 may differ, and
// the car is stable enough not to let them grow.
constexpr double kTolerance = 1e-9;

std::array<double, 4> four(const Json& json) {
  return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>(),
          json[3].get<double>()};
}

std::vector<double> place(const LaneKeepingDynamics& dynamics) {
  const LaneKeepingCar& car = dynamics.car();
  return {car.x, car.y, car.heading, 8.3, car.lateral_speed, car.yaw_rate};
}

void replay(const Json& episode, const std::string& where) {
  LaneKeepingDynamics dynamics;
  std::vector<double> observation(LaneKeepingDynamics::kObservations);
  dynamics.reset({.state = four(episode.at("reset_state_noise")),
                  .rate = four(episode.at("reset_derivative_noise"))},
                 observation);
  expect_close(observation, flatten<double>(episode.at("reset_obs")), kTolerance, where + " reset");
  expect_close(place(dynamics), flatten<double>(episode.at("reset_vehicle")), kTolerance,
               where + " start");
  for (std::size_t t = 0; t < episode.at("action").size(); ++t) {
    const std::string when = where + " step " + std::to_string(t);
    const double action = flatten_float<double>(episode.at("action")[t]).front();
    const double reward = dynamics.step(action,
                                        {.state = four(episode.at("state_noise")[t]),
                                         .rate = four(episode.at("derivative_noise")[t])},
                                        observation);
    expect_close(observation, flatten<double>(episode.at("obs")[t]), kTolerance,
                 when + " observation");
    expect_close(place(dynamics), flatten<double>(episode.at("vehicle")[t]), kTolerance,
                 when + " car");
    expect_close(
        std::array{reward, dynamics.lateral()},
        std::array{episode.at("reward")[t].get<double>(), episode.at("lateral")[t].get<double>()},
        kTolerance, when + " reward and lateral");
    EXPECT_EQ(dynamics.on_straight_lane(), episode.at("lane")[t].get<int>() == 0) << when;
    ASSERT_FALSE(testing::Test::HasFailure()) << "the rest of " << where << " follows from this";
  }
}

TEST(LaneKeepingGolden, EveryRecordedEpisodeIsReproducedOpenLoop) {
  for (const auto& file : golden_files("lane_keeping_")) {
    const Json json = read_golden(file);
    for (const Json& episode : json.at("episodes")) {
      replay(episode, file.filename().string() + " " + episode.at("policy").get<std::string>());
    }
  }
}

}  // namespace
}  // namespace icct
