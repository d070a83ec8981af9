#include "icct/rollout/rollout.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <set>

#include "icct/base/error.h"
#include "icct/env/make_environment.h"
#include "icct/rollout/workers.h"
#include "tests/complaint.h"
#include "tests/losing_environment.h"

namespace icct {
namespace {

// Counts to ten; rewards the action. Throws on request, as a failing simulator would.
class Counter final : public Environment {
 public:
  explicit Counter(bool broken) : broken_(broken) {}
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 10; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    count_ = 0;
    x[0] = static_cast<double>(seed % 1000);
  }
  Step step(std::span<const double> action, std::span<double>) override {
    if (broken_) throw Error("the simulator died");
    return {.reward = action[0], .terminated = false, .truncated = ++count_ == 10};
  }

 private:
  std::string name_ = "counter";
  Space observations_ = {{.name = "seed", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1000, .upper = 1000}};
  int count_ = 0;
  bool broken_;
};

// Says the first observation back.
Policy echo() {
  Policy policy;
  policy.observations = {{.name = "seed", .unit = ""}};
  policy.actions = {{.name = "a", .unit = "", .lower = -1000, .upper = 1000}};
  policy.squashing = Squashing::Clip;
  policy.controller = make_leaf({{.bias = 0, .terms = {{0, 1}}}});
  return policy;
}

EnvironmentFactory counters(bool broken = false) {
  return [broken] { return std::make_unique<Counter>(broken); };
}

TEST(EpisodeSeed, NeverRepeatsAcrossRunsPurposesAndEpisodes) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t run = 0; run < 20; ++run) {
    for (const Purpose purpose : {Purpose::Training, Purpose::Validation, Purpose::Report}) {
      for (std::uint64_t i = 0; i < 200; ++i) seeds.insert(episode_seed(run, purpose, i));
    }
  }
  EXPECT_EQ(seeds.size(), 20U * 3U * 200U);
}

TEST(RunEpisode, AddsUpTheRewardsOfOneEpisode) {
  Counter counter(false);
  int visits = 0;
  const Episode episode = run_episode(counter, echo(), 7, [&](std::span<const double> x) {
    EXPECT_EQ(x[0], 7);
    ++visits;
  });
  EXPECT_EQ(episode.total_reward, 70);
  EXPECT_EQ(episode.steps, 10);
  EXPECT_FALSE(episode.terminated);
  EXPECT_EQ(visits, 10);
}

TEST(RunEpisode, EndsAtItsHorizon) {
  Counter counter(false);
  const Episode cut = run_episode(counter, echo(), 7, {}, 4);
  EXPECT_EQ(cut.steps, 4);
  EXPECT_EQ(cut.total_reward, 28);
  EXPECT_EQ(run_episode(counter, echo(), 7, {}, 99).steps, 10);
}

TEST(RunEpisode, DoesNotVisitAnObservationWhoseStepIsLost) {
  Losing losing(std::make_unique<Counter>(false), every_third);
  int visits = 0;
  for (int i = 0; i < 3; ++i)
    run_episode(losing, echo(), 7, [&](std::span<const double>) { ++visits; });
  EXPECT_EQ(visits, 10 + 10 + 1);
}

TEST(Summarise, GivesTheUsualStatistics) {
  const Evaluation evaluation = summarise({1, 2, 3, 6});
  EXPECT_DOUBLE_EQ(evaluation.mean_return, 3);
  EXPECT_DOUBLE_EQ(evaluation.std_return, std::sqrt(14.0 / 3));
  EXPECT_DOUBLE_EQ(evaluation.standard_error, std::sqrt(14.0 / 3) / 2);
  EXPECT_EQ(evaluation.worst_return, 1);
  EXPECT_EQ(evaluation.best_return, 6);
}

TEST(Summarise, OneEpisodeHasNoSpread) {
  EXPECT_EQ(summarise({5}).std_return, 0);
}

TEST(Evaluate, DependsOnTheSeedButNotOnTheNumberOfWorkers) {
  Workers one(counters(), 1);
  Workers three(counters(), 3);
  const auto returns = evaluate(one, echo(), Purpose::Report, 5, 50).returns;
  EXPECT_EQ(evaluate(three, echo(), Purpose::Report, 5, 50).returns, returns);
  EXPECT_NE(evaluate(one, echo(), Purpose::Report, 6, 50).returns, returns);
  EXPECT_NE(evaluate(one, echo(), Purpose::Validation, 5, 50).returns, returns);
}

TEST(Evaluate, CountsTheStepsUpToAHorizon) {
  Workers workers(counters(), 2);
  const double whole = evaluate(workers, echo(), Purpose::Report, 5, 20).mean_return;
  EXPECT_DOUBLE_EQ(evaluate(workers, echo(), Purpose::Report, 5, 20, 3).mean_return, 0.3 * whole);
}

// How often the seed of an environment changed, all environments together.
class Watched final : public Environment {
 public:
  explicit Watched(std::atomic<int>& changes) : changes_(changes) {}
  const std::string& name() const override { return counter_.name(); }
  const Space& observations() const override { return counter_.observations(); }
  const Space& actions() const override { return counter_.actions(); }
  int max_steps() const override { return counter_.max_steps(); }
  void reset(std::uint64_t seed, std::span<double> x) override {
    if (last_ != seed) ++changes_;
    last_ = seed;
    counter_.reset(seed, x);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    return counter_.step(action, x);
  }

 private:
  Counter counter_{false};
  std::atomic<int>& changes_;
  std::optional<std::uint64_t> last_;
};

TEST(Workers, StayWithASeedAndGiveResultsInTheOrderOfTheTasks) {
  for (const int jobs : {1, 2, 3}) {
    std::atomic<int> changes = 0;
    Workers workers([&changes] { return std::make_unique<Watched>(changes); }, jobs);
    const Policy policy = echo();
    std::vector<Workers::Task> tasks;
    for (int round = 0; round < 30; ++round) {
      for (const std::uint64_t seed : {5, 9, 2, 7}) tasks.push_back({&policy, seed});
    }
    const std::vector<Episode> episodes = workers.run(tasks);
    for (std::size_t i = 0; i < tasks.size(); ++i)
      EXPECT_EQ(episodes[i].total_reward, 10.0 * static_cast<double>(tasks[i].seed));
    // Each seed once; those who have nothing left of their own may help with what others have.
    EXPECT_LE(changes, 4 + 3 * (jobs - 1));
  }
}

TEST(Evaluate, PassesOnTheErrorOfASimulatorThatDied) {
  for (const int jobs : {1, 3}) {
    Workers workers(counters(true), jobs);
    EXPECT_THROW(evaluate(workers, echo(), Purpose::Report, 1, 10), Error);
  }
}

TEST(Evaluate, PlaysALostEpisodeAgain) {
  Workers steady(counters(), 1);
  Workers failing(losing(counters(), every_third), 1);
  const Evaluation evaluation = evaluate(failing, echo(), Purpose::Report, 1, 10);
  EXPECT_EQ(evaluation.returns, evaluate(steady, echo(), Purpose::Report, 1, 10).returns);
  EXPECT_EQ(evaluation.lost, 0);
}

TEST(Evaluate, SaysThatAllEpisodesWereLost) {
  Workers failing(losing(counters(), [](std::uint64_t, int) { return true; }), 1);
  EXPECT_NE(complaint([&] {
              evaluate(failing, echo(), Purpose::Report, 1, 3);
            }).find("all 3 episodes of counter were lost"),
            std::string::npos);
  const Policy policy = echo();
  const std::vector<Workers::Task> task = {{&policy, 1}};
  const Episode lost = failing.run(task).front();
  EXPECT_TRUE(lost.lost);
  EXPECT_TRUE(std::isnan(lost.total_reward)) << "nobody takes it for a return";
}

TEST(RequireMatch, RefusesAPolicyOfAnotherEnvironment) {
  const auto lander = make_environment("lunar_lander");
  EXPECT_THROW(require_match(echo(), *lander), Error);
  Counter counter(false);
  EXPECT_NO_THROW(require_match(echo(), counter));
  Policy wide = echo();
  wide.actions[0].upper = 2000;
  EXPECT_THROW(require_match(wide, counter), Error);
  Policy renamed = echo();
  renamed.observations[0].name = "somewhere";
  EXPECT_NE(complaint([&] {
              require_match(renamed, counter);
            }).find("has 'somewhere' as its observation 1, but counter has '"),
            std::string::npos);
}

TEST(RequireMatch, ComparesUnitsWhereBothNameThem) {
  const auto lander = make_environment("lunar_lander");
  Policy policy;
  policy.name = "sailor";
  policy.observations = lander->observations();
  policy.actions = lander->actions();
  policy.observations[2].unit = "";
  EXPECT_NO_THROW(require_match(policy, *lander));
  policy.observations[2].unit = "knots";
  EXPECT_EQ(complaint([&] { require_match(policy, *lander); }),
            "the policy 'sailor' has 'x_speed' in knots, but lunar_lander has it in ×5 m/s");
}

}  // namespace
}  // namespace icct
