#include "icct/imitation/action_importance.h"

#include <gtest/gtest.h>

#include "icct/base/rng.h"
#include "icct/rollout/rollout.h"
#include "tests/complaint.h"
#include "tests/losing_environment.h"

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
  std::int64_t steps = 0;
  while (!importance.learned()) steps += importance.learn(environment);
  EXPECT_EQ(steps, ActionImportance::kSteps);
  const std::vector<double> x = {-0.8, -0.4, 0.4, 0.8};
  const std::vector<double> spread = importance({x.data(), 4, 1});
  EXPECT_LT(spread[0], 0.4);
  EXPECT_LT(spread[1], 0.4);
  EXPECT_NEAR(spread[2], 2, 0.5);  // a reward of -1 or of 1
  EXPECT_NEAR(spread[3], 2, 0.5);
  EXPECT_EQ(importance({x.data(), 1, 1})[0], spread[0]) << "whatever is asked about with it";
}

TEST(ActionImportance, LearnsNothingFromALostStep) {
  Losing environment(std::make_unique<HalfImportant>(), every_third);
  const AlwaysOne teacher;
  ActionImportance importance(environment, teacher, 1);
  while (!importance.learned()) importance.learn(environment);
  const std::vector<double> x = {-0.6, 0.6};
  const std::vector<double> spread = importance({x.data(), 2, 1});
  EXPECT_LT(spread[0], 0.4);
  EXPECT_NEAR(spread[1], 2, 0.5);
}

TEST(ActionImportance, GivesUpWhereEveryEpisodeIsLost) {
  Losing environment(std::make_unique<HalfImportant>(), [](std::uint64_t, int) { return true; });
  const AlwaysOne teacher;
  ActionImportance importance(environment, teacher, 1);
  EXPECT_NE(complaint([&] { importance.learn(environment); }).find("of half were lost"),
            std::string::npos);
}

TEST(SampleWeights, AreImportancesThatAreOneInTheMean) {
  EXPECT_EQ(sample_weights(std::vector<double>{1, 3, 2}), (std::vector<double>{0.5, 1.5, 1}));
  EXPECT_EQ(sample_weights(std::vector<double>{0, 2}), (std::vector<double>{0.01, 2}));
  EXPECT_EQ(sample_weights(std::vector<double>{0, 0}), (std::vector<double>{1, 1}));
  EXPECT_TRUE(sample_weights({}).empty());
}

}  // namespace
}  // namespace icct
