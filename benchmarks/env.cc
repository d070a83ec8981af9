#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "icct/base/rng.h"
#include "icct/env/make_environment.h"

namespace icct {
namespace {

// Steps per second under uniformly random actions, resets included.
void step_environment(benchmark::State& state, const std::string& name) {
  const auto environment = make_environment(name);
  const Space& actions = environment->actions();
  std::vector<double> observation(environment->observations().size());
  std::vector<double> action(actions.size());
  Rng rng(1);
  environment->reset(rng.next(), observation);
  while (state.KeepRunning()) {
    for (std::size_t i = 0; i < action.size(); ++i)
      action[i] = rng.uniform(actions[i].lower, actions[i].upper);
    const Step step = environment->step(action, observation);
    if (step.terminated || step.truncated) environment->reset(rng.next(), observation);
    benchmark::DoNotOptimize(observation.data());
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK_CAPTURE(step_environment, inverted_pendulum, "inverted_pendulum");
BENCHMARK_CAPTURE(step_environment, lane_keeping, "lane_keeping");
BENCHMARK_CAPTURE(step_environment, lunar_lander, "lunar_lander");

}  // namespace
}  // namespace icct
