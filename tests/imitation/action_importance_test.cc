#include "icct/imitation/action_importance.h"

#include <gtest/gtest.h>

#include "icct/base/rng.h"
#include "icct/rollout/rollout.h"

namespace icct {
namespace {

// What is done matters where the observation is positive, and nowhere else.
class HalfImportant final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 5; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    count_ = 0;
    x_ = x[0] = rng_.uniform(-1, 1);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    const double reward = x_ > 0 ? action[0] : 0;
    x_ = x[0] = rng_.uniform(-1, 1);
    return {.reward = reward, .terminated = ++count_ == 5, .truncated = false};
  }

 private:
  std::string name_ = "half";
  Space observations_ = {{.name = "x", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  Rng rng_{0};
  double x_ = 0;
  int count_ = 0;
};

class AlwaysOne final : public Teacher {
 public:
  void act(std::span<const double> /*x*/, std::span<double> action) const override {
    action[0] = 1;
  }
  const std::string& fingerprint() const override { return name_; }

 private:
  std::string name_ = "one";
};

TEST(ActionImportance, IsLargeWhereTheActionMatters) {
  HalfImportant environment;
  const AlwaysOne teacher;
  ActionImportance importance(environment, teacher, 1);
  EXPECT_GT(importance.learn(environment), 0);
  while (!importance.learned()) EXPECT_EQ(importance.learn(environment), 0);
  const std::vector<double> x = {-0.8, -0.4, 0.4, 0.8};
  const std::vector<double> weights = importance({x.data(), 4, 1});
  EXPECT_NEAR(weights[0] + weights[1] + weights[2] + weights[3], 4, 0.1);
  EXPECT_LT(weights[0], 0.3);
  EXPECT_LT(weights[1], 0.3);
  EXPECT_GT(weights[2], 1.5);
  EXPECT_GT(weights[3], 1.5);
}

}  // namespace
}  // namespace icct
