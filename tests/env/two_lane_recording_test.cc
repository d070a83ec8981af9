#include <libsumo/libsumo.h>

#include "icct/env/isolation/isolated_environment.h"
#include "icct/env/sumo/flow_files.h"
#include "icct/env/sumo/flow_traffic.h"
#include "tests/env/recorded_driver.h"
#include "tests/golden_files.h"

namespace icct {

// In place of the library's: the simulation of the recording. Its command names no seed, and SUMO
// itself draws how fast each driver likes to go.
void start_simulation(const SimulationOptions& options, int /*seed*/) {
  libsumo::Simulation::start({"sumo", "--net-file", options.network, "--route-files",
                              options.routes.at(0), "--step-length", "0.1", "--time-to-teleport",
                              "-1", "--collision.check-junctions", "true", "--no-step-log", "true",
                              "--no-warnings", "true", "--duration-log.disable", "true"});
  for (const char* type : {kHumanType, kControlledType})
    libsumo::VehicleType::setSpeedDeviation(type, 0.1);
}

std::string sumo_version() {
  return "that of the recording";
}

namespace {

constexpr double kTolerance = 1e-7;  // relative; recordings have 8 digits of a return, 6 of a speed

// Humans on the two-lane ring do not waver, so nothing else in these episodes is random. SUMO's
// random numbers go on from one episode to the next.
TEST(TwoLaneRecording, EpisodesWithSumosOwnRandomNumbersAreReproducedOneByOne) {
  for (const auto& file : golden_files("ring_multilane_noisy_stats")) {
    const Json recording = read_golden(file);
    IsolatedEnvironment ring(
        [] { return std::make_unique<FlowTraffic>(two_lane_ring_task(), "ring_two_lane", false); });
    std::vector<double> returns, speeds;
    for (int i = 0; i < recording.at("episodes").get<int>(); ++i) {
      const RecordedDrive drive = drive_as_recorded(ring, recording.at("policy"), 1);
      returns.push_back(drive.total_reward);
      speeds.push_back(drive.mean_speed);
    }
    expect_close(returns, flatten<double>(recording.at("returns")), kTolerance, "returns");
    expect_close(speeds, flatten<double>(recording.at("mean_speed")), 1e-6, "speeds");
  }
}

}  // namespace
}  // namespace icct
