// Your own task: implement Environment, check it, learn a tree for it.
//
//   own_environment [folder]
//
// The task: a tug must bring a barge to rest at the pier, fast but without a bump. The water brakes
// the barge, a current from one side differs from episode to episode.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "icct/base/rng.h"
#include "icct/env/check_environment.h"
#include "icct/env/environment.h"
#include "icct/env/episode.h"
#include "icct/export/to_text.h"
#include "icct/run/run.h"

using namespace icct;

namespace {

class Barge final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return clock_.max_steps(); }

  void reset(std::uint64_t seed, std::span<double> observation) override {
    Rng rng(seed);
    distance_ = rng.uniform(5, 30);
    speed_ = 0;
    current_ = rng.uniform(-0.2, 0.2);
    clock_.start();
    write(observation);
  }

  Step step(std::span<const double> action, std::span<double> observation) override {
    require_valid_action(action, actions_, name_);
    constexpr double kSeconds = 0.5;
    const double pull = std::clamp(action[0], -1.0, 1.0);
    speed_ += kSeconds * (pull + current_ - 0.3 * speed_);
    distance_ -= kSeconds * speed_;
    write(observation);
    const bool at_pier = distance_ <= 0;  // the softer the better
    const double running = -0.02 * std::abs(distance_) - 0.05 * pull * pull;
    return clock_.finish_step(running + (at_pier ? 10 - 20 * speed_ * speed_ : 0), at_pier);
  }

 private:
  void write(std::span<double> observation) const {
    observation[0] = distance_;
    observation[1] = speed_;
  }

  std::string name_ = "barge";
  Space observations_ = {{.name = "distance", .unit = "m"}, {.name = "speed", .unit = "m/s"}};
  Space actions_ = {{.name = "pull", .unit = "m/s2", .lower = -1, .upper = 1}};
  double distance_ = 0, speed_ = 0, current_ = 0;
  EpisodeClock clock_{200};
};

}  // namespace

int main(int count, char** arguments) try {
  const EnvironmentFactory make = [] { return std::make_unique<Barge>(); };
  for (const CheckResult& check : check_environment(*make())) {
    if (!check.passed) std::printf("%s: %s\n", check.name.c_str(), check.explanation.c_str());
  }

  TrainOptions options;
  options.environment = "barge";
  options.leaves = 4;
  options.steps = 2'000'000;
  RunPlan plan;
  plan.task = training_task(options, make);
  plan.folder = count > 1 ? arguments[1] : "own_environment_run";
  plan.resume = std::filesystem::exists(plan.folder / "options.json");
  const auto result = run(plan);
  std::printf("%s\nReturn %.2f +- %.2f on fresh episodes. See %s\n",
              to_text(result->policy, {}).c_str(), result->fresh.mean_return,
              result->fresh.standard_error, (plan.folder / "report.md").c_str());
} catch (const std::exception& error) {
  std::fprintf(stderr, "own_environment: %s\n", error.what());
  return 1;
}
