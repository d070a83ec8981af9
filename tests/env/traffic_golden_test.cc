#include <algorithm>
#include <cmath>

#include "icct/env/traffic.h"
#include "icct/rollout/rollout.h"
#include "tests/golden_files.h"

namespace icct {
namespace {

// SUMO is deterministic and driven in the same order; recordings have 12 digits.
constexpr double kTolerance = 1e-9;

std::string environment_of(const Json& recording) {
  const auto domain = recording.at("domain").get<std::string>();
  if (domain == "multilane") return "ring_two_lane:junction_check=on";
  return domain + ":junction_check=on";
}

bool is_statistics(const std::filesystem::path& file) {
  return file.filename().string().find("noisy_stats") != std::string::npos;
}

void replay(const Json& recording, const std::string& where) {
  const auto environment = make_traffic(environment_of(recording) + ",noise=off");
  std::vector<double> observation(environment->observations().size());
  environment->reset(1, observation);
  expect_close(observation, flatten<double>(recording.at("obs0")), kTolerance, where + " start");
  const auto& actions = recording.at("actions");
  for (std::size_t t = 0; t < actions.size(); ++t) {
    const std::string when = where + " step " + std::to_string(t);
    const Step step = environment->step(flatten<double>(actions[t]), observation);
    expect_close(observation, flatten<double>(recording.at("obs")[t]), kTolerance, when);
    EXPECT_NEAR(step.reward, recording.at("rewards")[t].get<double>(), kTolerance) << when;
    EXPECT_EQ(step.terminated || step.truncated, recording.at("done")[t].get<bool>()) << when;
    ASSERT_FALSE(testing::Test::HasFailure()) << "the rest of " << where << " follows from this";
  }
}

// The recorded driver: holds a speed and changes lanes by the clock.
double drive(Environment& environment, const Json& policy, std::uint64_t seed, int& steps) {
  const std::size_t vehicles =
      environment.observations().size() / (environment.actions().size() == 2 ? 3 : 2);
  const double limit = environment.actions().size() == 2 || vehicles == 14 ? 12 : 30;
  const double bound = environment.actions()[0].upper;
  const int period = policy.at("lane_change_period").get<int>();
  std::vector<double> x(environment.observations().size());
  environment.reset(seed, x);
  double total = 0;
  for (steps = 0;;) {
    const double wanted = policy.at("gain").get<double>() *
                          (policy.at("target_speed").get<double>() - limit * x[vehicles - 1]);
    std::vector<double> action = {std::clamp(wanted, -bound, bound)};
    if (environment.actions().size() == 2)
      action.push_back(period == 0 ? 0 : (steps / period) % 2 == 0 ? 1 : -1);
    const Step step = environment.step(action, x);
    ++steps;
    total += step.reward;
    if (step.terminated || step.truncated) return total;
  }
}

// Means of episodes that ran to the end agree within four standard errors of their difference.
void compare_statistics(const Json& recording, const std::string& where) {
  const auto environment = make_traffic(environment_of(recording));
  const int horizon = recording.at("horizon").get<int>();
  const auto complete = [horizon](double value, int steps, std::vector<double>& returns) {
    if (steps == horizon) returns.push_back(value);
  };
  std::vector<double> ours, theirs;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    int steps = 0;
    const double value = drive(*environment, recording.at("policy"), seed, steps);
    complete(value, steps, ours);
  }
  const auto returns = flatten<double>(recording.at("returns"));
  const auto lengths = flatten<double>(recording.at("lengths"));
  for (std::size_t i = 0; i < returns.size(); ++i)
    complete(returns[i], static_cast<int>(lengths[i]), theirs);
  const Evaluation a = summarise(ours);
  const Evaluation b = summarise(theirs);
  ASSERT_GE(a.returns.size(), 5U) << where;
  EXPECT_LE(std::abs(a.mean_return - b.mean_return),
            4 * std::hypot(a.standard_error, b.standard_error))
      << where << ": " << a.mean_return << " and " << b.mean_return;
}

void check_all(const std::string& prefix) {
  for (const auto& file : golden_files(prefix)) {
    const Json recording = read_golden(file);
    if (is_statistics(file))
      compare_statistics(recording, file.filename().string());
    else
      replay(recording, file.filename().string());
  }
}

TEST(TrafficGolden, EveryRecordingOfTheRingsIsReproduced) {
  check_all("ring_");
}

TEST(TrafficGolden, EveryRecordingOfTheFigureEightIsReproduced) {
  check_all("figure8_");
}

}  // namespace
}  // namespace icct
