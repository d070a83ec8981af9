#pragma once

#include <memory>
#include <string>
#include <utility>

#include "icct/base/rng.h"
#include "icct/rollout/rollout.h"

namespace icct {

// Five random x in [-50, 50] per episode; the best action is 0.3 + 0.01 x, and noise blurs what is
// better. With a second observation, side = 1 or -1, the best action is side * (0.3 + 0.01 x) +
// 0.005 x: that takes two leaves, and a single leaf needs both features.
class Tracking final : public Environment {
 public:
  explicit Tracking(bool with_side = false) {
    if (with_side) observations_.push_back({.name = "side", .unit = ""});
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 5; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    count_ = 0;
    draw(x);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    const double best = side_ * (0.3 + 0.01 * x_) + (x.size() > 1 ? 0.005 * x_ : 0);
    const double miss = action[0] - best;
    draw(x);
    return {.reward = 1 - miss * miss + 0.05 * rng_.normal(),
            .terminated = false,
            .truncated = ++count_ == 5};
  }

 private:
  void draw(std::span<double> x) {
    x_ = x[0] = rng_.uniform(-50, 50);
    if (x.size() > 1) side_ = x[1] = rng_.uniform() < 0.5 ? -1 : 1;
  }

  std::string name_ = "tracking";
  Space observations_ = {{.name = "x", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  Rng rng_{0};
  double x_ = 0, side_ = 1;
  int count_ = 0;
};

inline EnvironmentFactory tracking(bool with_side = false) {
  return [with_side] { return std::make_unique<Tracking>(with_side); };
}

// A policy for it, in the action's own unit.
inline Policy tracking_policy(Tree tree, bool with_side = false) {
  const Tracking environment(with_side);
  Policy policy;
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.squashing = Squashing::Clip;
  policy.controller = std::move(tree);
  return policy;
}

// Knows nothing yet: the action is 0.
inline Policy idle_policy(bool with_side = false) {
  Controller controller{.bias = 0, .terms = {{0, 0}}};
  if (with_side) controller.terms.push_back({1, 0});
  return tracking_policy(make_leaf({controller}), with_side);
}

// Episodes of one step, with the spaces of tracking.
class OneStep : public Environment {
 public:
  explicit OneStep(std::string name) : name_(std::move(name)) {}
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return like_.observations; }
  const Space& actions() const override { return like_.actions; }
  int max_steps() const override { return 1; }

 private:
  std::string name_;
  const Policy like_ = idle_policy();
};

}  // namespace icct
