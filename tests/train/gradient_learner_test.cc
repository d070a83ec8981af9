#include "icct/train/gradient_learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "icct/env/make_environment.h"
#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/losing_environment.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/learning.h"
#include "tests/train/short_options.h"

namespace icct {
namespace {

TrainOptions with_actor(const std::string& algorithm, const std::string& actor) {
  TrainOptions options = short_options(algorithm);
  options.actor = actor;
  return options;
}

// A learner on the toy environment with the workers it needs.
struct Learning {
  explicit Learning(const TrainOptions& options, int jobs = 1, int threads = 1,
                    const EnvironmentFactory& factory = tracking())
      : workers(factory, jobs), learner(make_learner(options, factory, workers, threads)) {}

  Workers workers;
  std::unique_ptr<Learner> learner;
};

std::string learned(const TrainOptions& options, int jobs = 1, int threads = 1) {
  Learning run(options, jobs, threads);
  finish(*run.learner);
  return write_policy(run.learner->selection().best());
}

// Every algorithm with a tree, and every actor.
std::vector<TrainOptions> all_kinds() {
  return {with_actor("sac", "icct"),      with_actor("td3", "icct"),
          with_actor("sac", "cddt"),      with_actor("td3", "cddt_controllers"),
          with_actor("sac", "mlp_lower"), with_actor("td3", "mlp_upper")};
}

TEST(GradientLearner, TheSameSeedLearnsTheSamePolicy) {
  for (TrainOptions options : all_kinds()) {
    const std::string policy = learned(options);
    EXPECT_TRUE(learned(options) == policy) << options.algorithm << " " << options.actor;
    EXPECT_TRUE(learned(options, 3, 2) == policy) << options.algorithm << " " << options.actor;
    Policy other = parse_policy(policy, "policy");
    ++options.seed;
    EXPECT_NE(parse_policy(learned(options), "policy").controller, other.controller);
  }
}

TEST(GradientLearner, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  for (TrainOptions options : all_kinds()) {
    options.actor_average = 0.9;
    Learning whole(options);
    finish(*whole.learner);
    Workers workers(tracking(), 1);
    const auto parts =
        finish_in_parts([&] { return make_learner(options, tracking(), workers, 1); }, 7);
    EXPECT_TRUE(bytes_of(*parts) == bytes_of(*whole.learner))
        << options.algorithm << " " << options.actor;
    EXPECT_EQ(parts->selection().best(), whole.learner->selection().best());
  }
}

TEST(GradientLearner, SpendsExactlyItsStepsAndValidatesWhenItShould) {
  for (const char* algorithm : {"sac", "td3"}) {
    Learning run(short_options(algorithm));
    EXPECT_EQ(run.learner->budget(), 303);
    finish(*run.learner);
    EXPECT_EQ(run.learner->steps(), 303);
    std::vector<std::int64_t> steps;
    const Progress& progress = run.learner->selection().progress();
    for (const ProgressRow& row : progress.rows) {
      steps.push_back(row.steps);
      EXPECT_EQ(row.episodes, (row.steps - 1) / 5);  // those that were complete
      EXPECT_EQ(row.stage, "learn");
      EXPECT_EQ(row.leaves, 2);
      EXPECT_EQ(row.details.size(), progress.detail_names.size());
      EXPECT_TRUE(std::isfinite(row.training_return));
    }
    EXPECT_EQ(steps, (std::vector<std::int64_t>{70, 140, 210, 280, 303}));
  }
}

TEST(GradientLearner, ABudgetThatEndsOnAValidationEndsWithOneRow) {
  TrainOptions options = short_options("sac");
  options.steps = 140;
  Learning run(options);
  finish(*run.learner);
  EXPECT_EQ(run.learner->selection().progress().rows.size(), 2U);
  EXPECT_EQ(run.learner->steps(), 140);
}

TEST(GradientLearner, LearnsNothingBeforeItHasSeenEnough) {
  TrainOptions options = short_options("td3");
  options.steps = 80;
  options.learning_starts = 100;
  options.validate_every = 1000;  // at the end only
  const Policy early = parse_policy(learned(options), "policy");
  options.steps = 99;
  EXPECT_EQ(parse_policy(learned(options), "policy").controller, early.controller);
  options.steps = 130;
  EXPECT_NE(parse_policy(learned(options), "policy").controller, early.controller);
}

TEST(GradientLearner, TheDeployedPolicyIsWhatWasAskedFor) {
  const auto of = [](const TrainOptions& options) {
    return parse_policy(learned(options), "policy");
  };
  const Policy tree = of(with_actor("sac", "icct"));
  EXPECT_EQ(tree_of(tree).leaves.size(), 2U);
  EXPECT_EQ(tree.environment, "tracking");
  EXPECT_EQ(tree.provenance.seed, 3U);
  EXPECT_EQ(tree_of(of(with_actor("td3", "cddt"))).leaves.size(), 2U);
  TrainOptions constants = with_actor("sac", "icct");
  constants.features = "0";
  const Policy constant = of(constants);
  for (const Leaf& leaf : tree_of(constant).leaves) EXPECT_TRUE(leaf.controllers[0].terms.empty());
  EXPECT_TRUE(std::holds_alternative<Mlp<double>>(of(with_actor("sac", "mlp_lower")).controller));
}

TEST(GradientLearner, ImprovesWithItsSteps) {
  TrainOptions options = with_actor("sac", "icct");
  options.leaves = 1;
  options.features = "0";
  options.steps = 1500;
  options.learning_rate = options.actor_learning_rate = 1e-2;
  options.discount = 0;
  options.validation_episodes = 50;
  options.validate_every = 500;
  Workers workers(tracking(), 1);
  const Policy best = parse_policy(learned(options), "policy");
  const std::vector<double> x = {0};
  EXPECT_NEAR(act(best, x)[0], 0.3, 0.15);
}

TEST(GradientLearner, RefusesBadOptionsByName) {
  const auto complaint_of = [](const std::function<void(TrainOptions&)>& change) {
    TrainOptions options = short_options("sac");
    change(options);
    return complaint([&] { Learning run(options); });
  };
  EXPECT_EQ(complaint_of([](TrainOptions&) {}), "none");
  const auto expect = [&](const std::function<void(TrainOptions&)>& change,
                          const std::string& name) {
    const std::string text = complaint_of(change);
    EXPECT_NE(text.find(name), std::string::npos) << text;
  };
  expect([](TrainOptions& o) { o.steps = 0; }, "'steps' is 0");
  expect([](TrainOptions& o) { o.replay_capacity = 0; }, "'replay_capacity' is 0");
  expect([](TrainOptions& o) { o.learning_starts = 0; }, "'learning_starts' is 0");
  expect([](TrainOptions& o) { o.validate_every = 0; }, "'validate_every' is 0");
  expect([](TrainOptions& o) { o.validation_episodes = 0; }, "'validation_episodes' is 0");
  expect([](TrainOptions& o) { o.leaves = 3; }, "leaves");
  expect([](TrainOptions& o) { o.tau = 0; }, "tau");
}

// A tree with numbers that single precision cannot hold.
Policy hand_written() {
  Policy policy = tracking_policy(make_split(
      0, 0.1, make_leaf({{0.3, {{0, 1.0 / 3}}}}),
      make_split_less(0, -7.7, make_leaf({{.bias = -0.9}}), make_leaf({{0.7, {{0, 1e-9}}}}))));
  policy.squashing = Squashing::Tanh;
  return policy;
}

TEST(GradientLearner, BeginsWithExactlyTheFunctionOfItsStart) {
  const TemporaryFolder folder;
  save_policy(hand_written(), folder / "start.json");
  for (const char* algorithm : {"sac", "td3"}) {
    for (const double average : {0.0, 0.9}) {
      TrainOptions options = short_options(algorithm);
      options.from = (folder / "start.json").string();
      options.actor_average = average;
      Learning run(options);
      run.learner->advance();
      EXPECT_EQ(run.learner->steps(), 0);
      EXPECT_EQ(run.learner->selection().progress().rows.at(0).stage, "start");
      const Policy& first = run.learner->selection().best();
      Rng rng(1);
      for (int i = 0; i < 500; ++i) {
        const double x = i == 0 ? 0.1 : i == 1 ? -7.7 : rng.uniform(-50, 50);
        EXPECT_EQ(act(first, std::vector{x}), act(hand_written(), std::vector{x}));
      }
      finish(*run.learner);
      EXPECT_EQ(run.learner->steps(), options.steps);
    }
  }
}

TEST(GradientLearner, ExploresNearItsStartFromTheFirstStep) {
  const TemporaryFolder folder;
  Policy best = tracking_policy(make_leaf({{0.3, {{0, 0.01}}}}));
  best.squashing = Squashing::Tanh;
  save_policy(best, folder / "start.json");
  TrainOptions options = short_options("sac");
  options.learning_starts = static_cast<int>(options.steps);
  Learning blind(options);
  options.from = (folder / "start.json").string();
  Learning near(options);
  finish(*blind.learner);
  finish(*near.learner);
  const auto training = [](Learning& run) {
    return run.learner->selection().progress().rows.back().training_return;
  };
  EXPECT_GT(training(near), 4.3);  // of 5
  EXPECT_LT(training(blind), 4);
}

TEST(GradientLearner, ItsActorWaitsForTheCritics) {
  const TemporaryFolder folder;
  save_policy(hand_written(), folder / "start.json");
  for (const char* algorithm : {"sac", "td3"}) {
    TrainOptions options = short_options(algorithm);
    options.from = (folder / "start.json").string();
    options.learning_starts = 100;  // then 100 updates of the critics alone
    options.validate_every = 195;
    Learning run(options);
    while (run.learner->steps() < 195) run.learner->advance();
    const auto& rows = run.learner->selection().progress().rows;
    EXPECT_EQ(rows.at(1).validation_mean, rows.at(0).validation_mean);
    finish(*run.learner);
    EXPECT_NE(rows.back().validation_mean, rows.at(0).validation_mean);
  }
}

TEST(GradientLearner, ContinuesARunThatBeganWithATree) {
  const TemporaryFolder folder;
  for (const char* algorithm : {"sac", "td3"}) {
    save_policy(hand_written(), folder / "start.json");
    TrainOptions options = short_options(algorithm);
    options.from = (folder / "start.json").string();
    options.learning_starts = 20;
    options.validate_every = 35;
    options.actor_learning_rate = 0.5;  // soon lost, and brought back
    Learning whole(options);
    finish(*whole.learner);
    const auto lost = [](const ProgressRow& row) {
      return row.validation_mean + 3 * row.validation_error < row.best_validation;
    };
    EXPECT_TRUE(std::ranges::any_of(whole.learner->selection().progress().rows, lost));
    Workers workers(tracking(), 1);
    const auto make = [&] { return make_learner(options, tracking(), workers, 1); };
    EXPECT_TRUE(bytes_of(*finish_in_parts(make, 7)) == bytes_of(*whole.learner)) << algorithm;
    Policy other = hand_written();
    other.name = "edited";
    save_policy(other, folder / "start.json");
    EXPECT_EQ(complaint([&] { restore(*make(), bytes_of(*whole.learner)); }),
              "the policy to begin with has changed since the run was begun");
  }
}

TEST(GradientLearner, ATreeKeepsItsSizeAndItsNames) {
  const TemporaryFolder folder;
  Policy start = hand_written();
  auto& tree = std::get<Tree>(start.controller);
  tree.splits[0].name = "far_right";
  tree.leaves[2].name = "middle";
  save_policy(start, folder / "start.json");
  for (const char* algorithm : {"sac", "td3"}) {
    TrainOptions options = short_options(algorithm);
    options.from = (folder / "start.json").string();
    options.leaves = 16;
    Learning run(options);
    finish(*run.learner);
    const auto& rows = run.learner->selection().progress().rows;
    EXPECT_NE(rows.back().validation_mean, rows.at(0).validation_mean);
    EXPECT_EQ(rows.back().leaves, 3);
    const Tree& learned = tree_of(run.learner->selection().best());
    EXPECT_EQ(learned.splits.at(0).name, "far_right");
    EXPECT_EQ(learned.leaves.at(2).name, "middle");
  }
}

// Small critics and few steps for them, so that the actor does lose its way.
TrainOptions from_a_balanced_pendulum(const std::string& algorithm, const std::string& start) {
  TrainOptions options = short_options(algorithm);
  options.environment = "inverted_pendulum";
  options.from = start;
  options.features = "all";
  options.steps = 8000;
  options.validate_every = options.learning_starts = 1000;
  options.validation_episodes = 3;
  options.replay_capacity = 8000;
  options.batch_size = options.critic_width = 32;
  options.learning_rate = 1e-3;
  return options;
}

TEST(GradientLearner, DoesNotLoseAGoodStartForLong) {
  const TemporaryFolder folder;
  Policy start;
  const auto make = [] { return make_environment("inverted_pendulum"); };
  start.observations = make()->observations();
  start.actions = make()->actions();
  start.controller = make_leaf({{-0.1, {{0, 1.2}, {1, 3.3}, {2, 0.54}, {3, 0.7}}}});
  save_policy(start, folder / "start.json");
  for (const char* algorithm : {"sac", "td3"}) {
    Learning run(from_a_balanced_pendulum(algorithm, (folder / "start.json").string()), 1, 1, make);
    finish(*run.learner);
    const auto& rows = run.learner->selection().progress().rows;
    EXPECT_EQ(rows.at(0).validation_mean, 1000);
    for (std::size_t i = 1; i < rows.size(); ++i)
      EXPECT_GT(std::max(rows[i - 1].validation_mean, rows[i].validation_mean), 500)
          << algorithm << " after " << rows[i].steps;
  }
}

// Whoever took a lost step for a real one would meet NaN in the critics or in the mean.
TEST(GradientLearner, LostStepsAreNeitherReplayedNorPartOfTheMeanReturn) {
  for (const char* algorithm : {"sac", "td3"}) {
    Learning run(short_options(algorithm), 1, 1, losing(tracking(), every_third));
    finish(*run.learner);
    for (const ProgressRow& row : run.learner->selection().progress().rows) {
      EXPECT_TRUE(std::isfinite(row.training_return)) << "after " << row.steps;
      for (const double detail : row.details) EXPECT_TRUE(std::isfinite(detail));
    }
  }
}

// Pays 1 for each of five steps. The first of every three episodes is lost in a step.
class Paying final : public Environment {
 public:
  explicit Paying(int lost_step) : lost_step_(lost_step) {}
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 5; }
  void reset(std::uint64_t, std::span<double> x) override {
    steps_ = 0;
    ++begun_;
    x[0] = 0;
  }
  Step step(std::span<const double>, std::span<double> x) override {
    x[0] = ++steps_;
    if (begun_ % 3 == 1 && steps_ == lost_step_) return {.truncated = true, .lost = true};
    return {.reward = 1, .truncated = steps_ == 5};
  }

 private:
  std::string name_ = "paying";
  Space observations_ = {{.name = "x", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  int lost_step_, begun_ = 0, steps_ = 0;
};

TEST(GradientLearner, TheMeanReturnIsThatOfEpisodesThatAreNotLostAlsoIfTheFirstIs) {
  for (const int lost_step : {1, 3}) {
    TrainOptions options = short_options("sac");
    options.learning_starts = 1;
    Learning run(options, 1, 1, [lost_step] { return std::make_unique<Paying>(lost_step); });
    finish(*run.learner);
    EXPECT_DOUBLE_EQ(run.learner->selection().progress().rows.back().training_return, 5);
  }
}

TEST(GradientLearner, RefusesAStartWhoseActionsAreClipped) {
  const TemporaryFolder folder;
  save_policy(tracking_policy(make_leaf({{.bias = 1}})), folder / "start.json");
  TrainOptions options = short_options("sac");
  options.from = (folder / "start.json").string();
  EXPECT_NE(complaint([&] { Learning{options}; }).find("start.json: its actions are clipped"),
            std::string::npos);
}

}  // namespace
}  // namespace icct
