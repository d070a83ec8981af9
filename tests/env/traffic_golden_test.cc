#include <cmath>

#include "icct/env/traffic.h"
#include "icct/rollout/rollout.h"
#include "tests/env/recorded_driver.h"
#include "tests/golden_files.h"

namespace icct {
namespace {

// SUMO is deterministic and driven in the same order; recordings have 12 digits.
constexpr double kTolerance = 1e-9;

constexpr int kEpisodes = 40;
constexpr double kStandardErrors = 3;

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

// Those who reached the end of the time, and how many did not.
struct Sample {
  std::vector<double> returns, speeds;  // m/s
  int crashes = 0;

  void add(double value, double mean_speed, bool complete) {
    if (!complete) {
      ++crashes;
      return;
    }
    returns.push_back(value);
    speeds.push_back(mean_speed);
  }
  double episodes() const { return static_cast<double>(returns.size()) + crashes; }
};

Sample recorded_sample(const Json& recording) {
  const auto returns = flatten<double>(recording.at("returns"));
  const auto speeds = flatten<double>(recording.at("mean_speed"));
  const auto lengths = flatten<int>(recording.at("lengths"));
  Sample sample;
  for (std::size_t i = 0; i < returns.size(); ++i)
    sample.add(returns[i], speeds[i], lengths[i] == recording.at("horizon").get<int>());
  return sample;
}

Sample own_sample(const Json& recording) {
  const auto environment = make_traffic(environment_of(recording));
  Sample sample;
  for (std::uint64_t seed = 0; seed < kEpisodes; ++seed) {
    const RecordedDrive drive = drive_as_recorded(*environment, recording.at("policy"), seed);
    sample.add(drive.total_reward, drive.mean_speed,
               drive.steps == recording.at("horizon").get<int>());
  }
  return sample;
}

// Two samples of one distribution: the deviation of an episode is estimated from both.
void expect_same_mean(const std::vector<double>& ours, const std::vector<double>& theirs,
                      const std::string& where) {
  const Evaluation a = summarise(ours);
  const Evaluation b = summarise(theirs);
  const auto n = static_cast<double>(ours.size()), m = static_cast<double>(theirs.size());
  const double variance =
      (std::pow(a.std_return, 2) * (n - 1) + std::pow(b.std_return, 2) * (m - 1)) / (n + m - 2);
  EXPECT_LE(std::abs(a.mean_return - b.mean_return),
            kStandardErrors * std::sqrt(variance * (1 / n + 1 / m)))
      << where << ": " << a.mean_return << " +- " << a.std_return << " and " << b.mean_return
      << " +- " << b.std_return;
}

// The noise of the recordings was drawn by another program, so only means and rates can agree.
void compare_statistics(const Json& recording, const std::string& where) {
  const Sample ours = own_sample(recording);
  const Sample theirs = recorded_sample(recording);
  expect_same_mean(ours.returns, theirs.returns, where + " returns");
  expect_same_mean(ours.speeds, theirs.speeds, where + " speeds");
  const double n = ours.episodes(), m = theirs.episodes();
  const double rate = (ours.crashes + theirs.crashes) / (n + m);
  EXPECT_LE(std::abs(ours.crashes / n - theirs.crashes / m),
            kStandardErrors * std::sqrt(rate * (1 - rate) * (1 / n + 1 / m)))
      << where << ": " << ours.crashes << " crashes of " << n << ", and " << theirs.crashes
      << " of " << m;
}

// The noisy ones of the two-lane ring are also replayed one by one, in two_lane_recording_test.
void check_all(const std::string& prefix) {
  for (const auto& file : golden_files(prefix)) {
    const Json recording = read_golden(file);
    is_statistics(file) ? compare_statistics(recording, file.filename().string())
                        : replay(recording, file.filename().string());
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
