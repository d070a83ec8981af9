#pragma once

#include <memory>
#include <string>

#include "icct/rollout/rollout.h"

namespace icct {

// Twenty steps on a road of two lanes. An action of at least 0.5 leads to lane 1, of at most -0.5
// to lane 0; only changing lanes is rewarded. `others` observations mean nothing.
class Weaving final : public Environment {
 public:
  explicit Weaving(int others = 0) {
    for (int i = 0; i < others; ++i)
      observations_.push_back({.name = "other_" + std::to_string(i), .unit = ""});
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 20; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    count_ = 0;
    lane_ = 0;
    observe(x);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    const double before = lane_;
    if (action[0] >= 0.5) lane_ = 1;
    if (action[0] <= -0.5) lane_ = 0;
    observe(x);
    return {.reward = lane_ != before ? 1.0 : 0.0,
            .terminated = false,
            .truncated = ++count_ == max_steps()};
  }

 private:
  void observe(std::span<double> x) {
    for (double& value : x) value = rng_.uniform();
    x[0] = lane_;
  }

  std::string name_ = "weaving";
  Space observations_ = {{.name = "lane", .unit = ""}};
  Space actions_ = {{.name = "lane_change", .unit = "", .lower = -1, .upper = 1}};
  Rng rng_{0};
  double lane_ = 0;
  int count_ = 0;
};

}  // namespace icct
