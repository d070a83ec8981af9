// Steps per second of processor time (this process and the simulator's) of the traffic
// environments, and the memory of the simulator before and after 2,000 resets of the ring.
#include "icct/env/traffic.h"

#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "icct/base/rng.h"

namespace icct {
namespace {

constexpr double kFlowStepsPerSecond =
    277;  // Flow with TraCI and Python, ring, per processor second

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double processor_seconds(pid_t worker) {
  clockid_t clock{};
  clock_getcpuclockid(worker, &clock);
  return seconds(CLOCK_PROCESS_CPUTIME_ID) + seconds(clock);
}

double resident_megabytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

struct Rate {
  double per_processor_second, per_second;
};

// Whole episodes under random actions, until there are `steps` of them.
Rate run(IsolatedEnvironment& environment, int steps) {
  const Space& actions = environment.actions();
  std::vector<double> observation(environment.observations().size());
  std::vector<double> action(actions.size());
  Rng rng(1);
  environment.reset(rng.next(), observation);  // starts the simulator
  const double processor = processor_seconds(environment.worker());
  const double wall = seconds(CLOCK_MONOTONIC);
  for (int i = 0; i < steps; ++i) {
    for (std::size_t a = 0; a < action.size(); ++a)
      action[a] = rng.uniform(actions[a].lower, actions[a].upper);
    const Step step = environment.step(action, observation);
    if (step.terminated || step.truncated) environment.reset(rng.next(), observation);
  }
  return {steps / (processor_seconds(environment.worker()) - processor),
          steps / (seconds(CLOCK_MONOTONIC) - wall)};
}

void report_rates() {
  std::printf("%-14s %22s %18s\n", "environment", "steps/processor-second", "steps/second");
  for (const auto& [name, steps] : {std::pair{"ring", 15000},
                                    {"ring_two_lane", 15000},
                                    {"figure8", 15000},
                                    {"i94", 3000},
                                    {"i280", 1000}}) {
    // Without kept resets, which would be processes of their own: every episode warms up.
    const auto environment = make_traffic(name, {.snapshots = 0});
    const Rate rate = run(*environment, steps);
    std::printf("%-14s %22.0f %18.0f", name, rate.per_processor_second, rate.per_second);
    if (std::string(name) == "ring")
      std::printf("   %.1f times Flow", rate.per_processor_second / kFlowStepsPerSecond);
    std::printf("\n");
  }
}

void report_memory() {
  const auto environment = make_traffic("ring");
  std::vector<double> observation(environment->observations().size());
  for (int i = 0; i <= 2000; ++i) {
    environment->reset(static_cast<std::uint64_t>(i), observation);
    if (i % 500 == 0)
      std::printf("ring, %4d resets: %.1f MB\n", i, resident_megabytes(environment->worker()));
  }
}

}  // namespace
}  // namespace icct

int main() {
  icct::report_rates();
  icct::report_memory();
}
