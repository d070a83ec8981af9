#include "icct/imitation/distillation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/losing_environment.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/learning.h"

namespace icct {
namespace {

// The best there is on the toy environment with a side: 5 per episode, blurred.
Policy best_policy() {
  return tracking_policy(
      make_split(1, 0, make_leaf({{0.3, {{0, 0.015}}}}), make_leaf({{-0.3, {{0, -0.005}}}})), true);
}

class Distilling : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { save_policy(best_policy(), folder_ / "teacher.json"); }

  DistillOptions options() const {
    DistillOptions options = usual_distillation(GetParam(), "tracking");
    options.seed = 5;
    options.teacher = (folder_ / "teacher.json").string();
    options.leaves = GetParam() == "linear" ? 2 : 16;
    options.iterations = 4;
    options.samples = 300;
    options.validation_episodes = 20;
    return options;
  }
  std::unique_ptr<Learner> made(const DistillOptions& options) {
    return make_distillation(options, workers_);
  }

  TemporaryFolder folder_;
  Workers workers_{tracking(true), 2};
};

INSTANTIATE_TEST_SUITE_P(Methods, Distilling, testing::Values("cart", "dagger", "linear"),
                         [](const auto& method) { return method.param; });

TEST_P(Distilling, ComesCloseToItsTeacher) {
  const auto learner = made(options());
  finish(*learner);
  const Policy& tree = learner->selection().best();
  const double teacher = evaluate(workers_, best_policy(), Purpose::Report, 5, 200).mean_return;
  EXPECT_NEAR(evaluate(workers_, tree, Purpose::Report, 5, 200).mean_return, teacher, 0.15);
  EXPECT_LE(static_cast<int>(tree_of(tree).leaves.size()), options().leaves);
  EXPECT_EQ(tree.squashing, Squashing::Tanh);
  EXPECT_EQ(tree.provenance.command, command_of(options()));
  const bool constant = tree_of(tree).leaves[0].controllers[0].terms.empty();
  EXPECT_EQ(constant, GetParam() != "linear");
}

TEST_P(Distilling, CollectsInPiecesThatCanBeSaved) {
  const auto learner = made(options());
  learner->advance();
  EXPECT_GT(learner->steps(), 0);
  EXPECT_LT(learner->steps(), 300) << "less than a tree is made of";
  EXPECT_TRUE(learner->selection().progress().rows.empty());
}

TEST_P(Distilling, KeepsTheSafeActionOfItsTeacher) {
  Policy careful = best_policy();
  careful.safe_action = std::vector{0.25};
  save_policy(careful, folder_ / "teacher.json");
  const auto learner = made(options());
  finish(*learner);
  EXPECT_EQ(learner->selection().best().safe_action, careful.safe_action);
}

TEST_P(Distilling, AddsARowPerTree) {
  const auto learner = made(options());
  finish(*learner);
  const Progress& progress = learner->selection().progress();
  ASSERT_EQ(progress.rows.size(), GetParam() == "cart" ? 1U : 4U);
  EXPECT_EQ(progress.rows[0].stage, "teacher");
  EXPECT_EQ(progress.rows.back().details[0], static_cast<double>(learner->steps()));
  EXPECT_GE(learner->steps(), 1200);
  EXPECT_EQ(learner->budget(), learner->steps());
}

TEST_P(Distilling, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  DistillOptions chosen = options();
  if (GetParam() == "dagger") chosen.weights = "critic";
  const auto whole = made(chosen);
  finish(*whole);
  const auto parts = finish_in_parts([&] { return made(chosen); }, 1);
  EXPECT_TRUE(bytes_of(*parts) == bytes_of(*whole));
}

TEST_P(Distilling, DoesNotDependOnTheNumberOfWorkers) {
  Workers one(tracking(true), 1);
  const auto with_one = make_distillation(options(), one);
  const auto with_two = made(options());
  finish(*with_one);
  finish(*with_two);
  EXPECT_TRUE(bytes_of(*with_one) == bytes_of(*with_two));
}

TEST_P(Distilling, RefusesToGoOnWithAnotherTeacher) {
  const auto learner = made(options());
  learner->advance();
  const std::string bytes = bytes_of(*learner);
  Policy other = best_policy();
  other.name = "another";
  save_policy(other, folder_ / "teacher.json");
  const auto again = made(options());
  EXPECT_NE(complaint([&] { restore(*again, bytes); }).find("the teacher has changed"),
            std::string::npos);
}

TEST_P(Distilling, PlaysALostEpisodeAgain) {
  Workers steady(tracking(true), 1);
  Workers failing(losing(tracking(true), every_third), 1);
  const auto with_steady = make_distillation(options(), steady);
  const auto with_failing = make_distillation(options(), failing);
  finish(*with_steady);
  finish(*with_failing);
  EXPECT_TRUE(bytes_of(*with_failing) == bytes_of(*with_steady));
}

TEST_P(Distilling, LeavesOutWhatIsLostAgain) {
  Workers failing(losing(tracking(true), [](std::uint64_t seed, int) { return seed % 10 == 0; }),
                  2);
  const auto learner = make_distillation(options(), failing);
  finish(*learner);
  const ProgressRow& last = learner->selection().progress().rows.back();
  EXPECT_NEAR(last.training_return, 5, 0.3);
  EXPECT_EQ(last.details[0], static_cast<double>(learner->steps())) << "one sample for each step";
  EXPECT_EQ(learner->steps() % 5, 0) << "of whole episodes";
}

TEST_P(Distilling, SaysThatAllEpisodesAreLost) {
  Workers failing(losing(tracking(true), [](std::uint64_t, int) { return true; }), 1);
  const auto learner = make_distillation(options(), failing);
  EXPECT_EQ(complaint([&] { learner->advance(); }),
            "all 4 episodes of tracking were lost: its simulator fails");
}

TEST(DistillOptions, AreRefusedByName) {
  const auto complaint_of = [](const std::function<void(DistillOptions&)>& change) {
    DistillOptions options;
    options.teacher = "teacher.json";
    change(options);
    return complaint([&] { validate(options); });
  };
  EXPECT_EQ(complaint_of([](DistillOptions&) {}), "none");
  EXPECT_EQ(complaint_of([](DistillOptions& o) { o.method = "forest"; }),
            "option 'method' is 'forest'; it must be one of cart, dagger, linear");
  EXPECT_EQ(complaint_of([](DistillOptions& o) { o.weights = "heavy"; }),
            "option 'weights' is 'heavy'; it must be one of equal, critic");
  EXPECT_EQ(complaint_of([](DistillOptions& o) { o.iterations = 0; }),
            "option 'iterations' is 0; it must be from 1 to 1048576");
  EXPECT_NE(complaint_of([](DistillOptions& o) { o.teacher = ""; }).find("name a teacher"),
            std::string::npos);
  EXPECT_NE(complaint_of([](DistillOptions& o) { o.leaf_samples = 0; }).find("leaf_samples"),
            std::string::npos);
  EXPECT_NE(complaint_of([](DistillOptions& o) { o.features = "some"; }).find("features"),
            std::string::npos);
  EXPECT_EQ(complaint_of([](DistillOptions& o) { o.features = "0"; }),
            "option 'features' is '0'; it must be left out: dagger makes constants");
  EXPECT_EQ(complaint_of([](DistillOptions& o) {
              o.method = "linear";
              o.pruning = 5;
            }),
            "option 'pruning' is 5; it must be left out: linear does not prune");
  EXPECT_EQ(complaint_of([](DistillOptions& o) {
              o.method = "linear";
              o.features = "0";
            }),
            "option 'features' is '0'; it must be 1, 2, ... or all; leaves of constants are what "
            "dagger and cart make");
}

TEST(DistillOptions, JsonAndCommandHoldEveryOption) {
  DistillOptions options = usual_distillation("linear", "lunar_lander");
  options.teacher = "runs/lander";
  options.features = "all";
  options.pruning = 0.1;
  const Json json = parse_json(write_json(to_json(options)), "options.json");
  EXPECT_EQ(distill_options_from(JsonReader(json, "options.json")), options);
  EXPECT_EQ(command_of(options),
            "icct distill --env lunar_lander --seed 0 --teacher runs/lander --features all "
            "--pruning 0.1 --method linear");
}

TEST(DistillOptions, TrafficIsAskedForLess) {
  EXPECT_LT(usual_distillation("dagger", "ring:noise=off").validation_episodes,
            usual_distillation("dagger", "lunar_lander").validation_episodes);
}

}  // namespace
}  // namespace icct
