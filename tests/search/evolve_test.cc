#include "icct/search/evolve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/base/rng.h"
#include "tests/complaint.h"

namespace icct {
namespace {

// Five random x in [-50, 50] per episode; the best action is 0.3 + 0.01 x, and noise blurs what is
// better.
class Tracking final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 5; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    count_ = 0;
    x_ = x[0] = rng_.uniform(-50, 50);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    const double miss = action[0] - (0.3 + 0.01 * x_);
    x_ = x[0] = rng_.uniform(-50, 50);
    return {.reward = 1 - miss * miss + 0.05 * rng_.normal(),
            .terminated = false,
            .truncated = ++count_ == 5};
  }

 private:
  std::string name_ = "tracking";
  Space observations_ = {{.name = "x", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  Rng rng_{0};
  double x_ = 0;
  int count_ = 0;
};

EnvironmentFactory tracking() {
  return [] { return std::make_unique<Tracking>(); };
}

Policy start() {
  Policy policy;
  policy.observations = {{.name = "x", .unit = ""}};
  policy.actions = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  policy.squashing = Squashing::Clip;
  policy.controller = make_leaf({{.bias = 0, .terms = {{0, 0}}}});
  return policy;
}

constexpr EvolveOptions kShort = {.steps = 60'000, .first_step = 0.3, .validate_every = 5};

TEST(Evolve, FindsTheNumbersOfTheBestController) {
  Workers workers(tracking(), 1);
  const Policy best = evolve(workers, start(), kShort, 1);
  const Controller& controller = tree_of(best).leaves[0].controllers[0];
  EXPECT_NEAR(controller.bias, 0.3, 0.05);
  EXPECT_NEAR(controller.terms[0].gain, 0.01, 0.002);
}

TEST(Evolve, GivesTheSamePolicyWhateverTheNumberOfWorkers) {
  Workers one(tracking(), 1);
  Workers three(tracking(), 3);
  EvolveOptions options = kShort;
  options.steps = 5'000;
  EXPECT_EQ(evolve(one, start(), options, 2), evolve(three, start(), options, 2));
  EXPECT_NE(evolve(one, start(), options, 2), evolve(one, start(), options, 3));
}

TEST(Evolve, KeepsTheStartIfNothingBetterWasValidated) {
  Workers workers(tracking(), 1);
  Policy best = start();
  best.controller = make_leaf({{.bias = 0.3, .terms = {{0, 0.01}}}});
  EvolveOptions options = kShort;
  options.steps = 1;
  options.first_step = 10;
  EXPECT_EQ(evolve(workers, best, options, 1), best);
}

TEST(Evolve, ReportsProgressUpToItsBudget) {
  Workers workers(tracking(), 1);
  std::vector<EvolveProgress> seen;
  evolve(workers, start(), kShort, 1,
         [&](const EvolveProgress& progress) { seen.push_back(progress); });
  ASSERT_GT(seen.size(), 2U);
  EXPECT_EQ(seen.front().generation, 0);
  EXPECT_GE(seen.back().steps, kShort.steps);
  for (std::size_t i = 1; i < seen.size(); ++i)
    EXPECT_GE(seen[i].best_validation, seen[i - 1].best_validation);
}

TEST(Evolve, RefusesBadOptionsByName) {
  const auto complaint_of = [](const EvolveOptions& options) {
    return complaint([&] { validate(options); });
  };
  EXPECT_EQ(complaint_of({}), "none");
  EXPECT_NE(complaint_of({.steps = 0}).find("'steps' is 0"), std::string::npos);
  EXPECT_NE(complaint_of({.first_step = std::nan("")}).find("'first_step' is nan"),
            std::string::npos);
  EXPECT_NE(complaint_of({.population = 3}).find("'population'"), std::string::npos);
  EXPECT_NE(complaint_of({.min_episodes = 8, .max_episodes = 4}).find("'max_episodes' is 4"),
            std::string::npos);
}

TEST(FeatureSpread, IsTheStandardDeviationAlongEpisodes) {
  Tracking environment;
  EXPECT_NEAR(feature_spread(environment, start(), 1)[0], 100 / std::sqrt(12.0), 5);
}

}  // namespace
}  // namespace icct
