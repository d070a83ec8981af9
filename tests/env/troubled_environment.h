#pragma once

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "icct/base/error.h"
#include "icct/env/conformance/recording.h"
#include "icct/env/highway/lane_keeping.h"
#include "icct/env/isolation/isolated_environment.h"
#include "icct/env/isolation/shared_memory.h"

namespace icct {

// What the environment below shall do wrong, shared with its workers.
struct Trouble {
  std::uint64_t bad_seeds_below = 0;  // whose reset reports an error
  int slow_reset = 0;                 // milliseconds that every reset takes
  int abort_at_step = -1;             // in every episode
  int throw_at_step = -1;
  int hang_at_step = -1;
  int times = 1 << 30;     // before it works well again
  int resets = 0;          // counted
  int failing_starts = 0;  // after the first
  int begun = 0;           // counted
  pid_t reset_by = 0;      // the process that did the last reset
  pid_t stepped_by = 0;    // and the last step
};

using SharedTrouble = SharedMemory<Trouble>;

// Lane keeping, for 30 steps, with trouble.
class Troubled final : public Environment {
 public:
  explicit Troubled(Trouble* trouble) : trouble_(trouble) {
    if (trouble_->begun++ > 0 && trouble_->failing_starts-- > 0) throw Error("no more roads");
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return inner_.observations(); }
  const Space& actions() const override { return inner_.actions(); }
  int max_steps() const override { return 30; }
  int warm_up_steps() const override { return 100; }
  void reset(std::uint64_t seed, std::span<double> observation) override {
    steps_ = 0;
    ++trouble_->resets;
    trouble_->reset_by = getpid();
    std::this_thread::sleep_for(std::chrono::milliseconds(trouble_->slow_reset));
    if (seed < trouble_->bad_seeds_below) throw Error("no road for " + std::to_string(seed));
    inner_.reset(seed, observation);
  }
  Step step(std::span<const double> action, std::span<double> observation) override {
    trouble_->stepped_by = getpid();
    if (trouble_->times > 0) misbehave();
    Step step = inner_.step(action, observation);
    step.truncated = ++steps_ == 30;
    return step;
  }
  std::vector<Metric> metrics() override { return {{"steps", static_cast<double>(steps_)}}; }
  Scene scene() override {
    return {.lanes = {{.centre = {{0, 0}, {1, 2}}, .width = 3}},
            .cars = {{.front = {1, 1}, .heading = 0.5, .length = 5, .width = 2, .speed = 3}}};
  }

 private:
  void misbehave() {
    const auto now = [this](int step) { return steps_ == step; };
    if (!now(trouble_->abort_at_step) && !now(trouble_->throw_at_step) &&
        !now(trouble_->hang_at_step))
      return;
    --trouble_->times;
    if (now(trouble_->abort_at_step)) kill(getpid(), SIGKILL);
    if (now(trouble_->throw_at_step)) throw Error("the road is gone");
    std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::string name_ = "troubled";
  LaneKeeping inner_;
  Trouble* trouble_;
  int steps_ = 0;
};

inline IsolatedEnvironment isolated(Trouble* trouble, int snapshots = 0) {
  return IsolatedEnvironment([trouble] { return std::make_unique<Troubled>(trouble); },
                             {.watchdog_seconds = 3,
                              .warm_up_seconds = 0,
                              .snapshots = snapshots,
                              .max_failures = 5,
                              .max_reports = 3});
}

inline Recording play(Environment& environment, std::uint64_t seed) {
  return record(environment, seed, random_actions(environment.actions(), 1), 30);
}

inline Recording without_trouble(std::uint64_t seed) {
  Trouble none;
  Troubled environment(&none);
  return play(environment, seed);
}

}  // namespace icct
