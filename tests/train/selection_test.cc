#include "icct/train/selection.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/policy/parameter_count.h"
#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/losing_environment.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

// The closer to 0.3, the better.
Policy constant(double action) {
  return tracking_policy(make_leaf({{.bias = action}}));
}

Policy split(double action) {
  return tracking_policy(make_split(0, 0, make_leaf({{.bias = action}}), make_leaf({{action}})));
}

Selection plain(int episodes = 10) {
  return {3, episodes, {}, [](const Policy&) { return true; }};
}

std::string bytes_of(Selection& selection) {
  StateArchive archive;
  selection.visit_state(archive);
  return archive.take_bytes();
}

TEST(Selection, KeepsTheBestPolicy) {
  Workers workers(tracking(), 1);
  Selection selection = plain();
  EXPECT_TRUE(selection.empty());
  for (const double action : {0.0, 0.3, -0.5}) selection.consider(workers, constant(action), {});
  EXPECT_FALSE(selection.empty());
  EXPECT_EQ(selection.best(), constant(0.3));
  EXPECT_EQ(selection.best_validation(),
            evaluate(workers, constant(0.3), Purpose::Validation, 3, 10).mean_return);
}

TEST(Selection, PrefersAPolicyOfTheRightShapeHoweverGood) {
  Workers workers(tracking(), 1);
  Selection selection(3, 10, {}, [](const Policy& p) { return tree_of(p).leaves.size() == 1; });
  selection.consider(workers, split(0.3), {});
  EXPECT_EQ(selection.best(), split(0.3));  // better than nothing
  selection.consider(workers, constant(-0.5), {});
  EXPECT_EQ(selection.best(), constant(-0.5));
  for (int i = 0; i < 10; ++i) selection.consider(workers, split(0.2 + 0.01 * i), {});
  EXPECT_EQ(selection.best(), constant(-0.5));  // not crowded out
  selection.consider(workers, constant(-0.4), {});
  EXPECT_EQ(selection.best(), constant(-0.4));
}

TEST(Selection, OfEquallyGoodPoliciesKeepsTheSmaller) {
  Workers workers(tracking(), 1);
  Selection selection = plain();
  selection.consider(workers, split(0.3), {});
  selection.consider(workers, constant(0.3), {});
  EXPECT_EQ(selection.best(), constant(0.3));
}

TEST(Selection, WritesOneRowPerValidation) {
  Workers workers(tracking(), 1);
  Selection selection(3, 10, {"loss"}, [](const Policy&) { return true; });
  selection.consider(
      workers, split(0.3),
      {.steps = 70, .episodes = 4, .stage = "grow", .training_return = 2, .details = {0.5}});
  const Evaluation worse =
      selection.consider(workers, constant(-1), {.steps = 90, .stage = "trim"});
  EXPECT_EQ(selection.progress().detail_names, std::vector<std::string>{"loss"});
  ASSERT_EQ(selection.progress().rows.size(), 2U);
  const ProgressRow& first = selection.progress().rows[0];
  EXPECT_EQ(first.steps, 70);
  EXPECT_EQ(first.episodes, 4);
  EXPECT_EQ(first.stage, "grow");
  EXPECT_EQ(first.training_return, 2);
  EXPECT_EQ(first.details, std::vector{0.5});
  EXPECT_EQ(first.leaves, 2);
  EXPECT_EQ(first.parameters, count_parameters(split(0.3)));
  EXPECT_EQ(first.best_validation, first.validation_mean);
  const ProgressRow& second = selection.progress().rows[1];
  EXPECT_EQ(second.steps, 90);
  EXPECT_EQ(second.leaves, 1);
  EXPECT_EQ(second.validation_mean, worse.mean_return);
  EXPECT_EQ(second.validation_error, worse.standard_error);
  EXPECT_EQ(second.validation_worst, worse.worst_return);
  EXPECT_EQ(second.best_validation, first.validation_mean);
}

TEST(Selection, StampsOnlyRowsThatHaveNoTimeYet) {
  Workers workers(tracking(), 1);
  Selection selection = plain();
  selection.consider(workers, constant(0), {});
  selection.stamp(1.5);
  selection.consider(workers, constant(0.1), {});
  selection.consider(workers, constant(0.2), {});
  selection.stamp(4);
  const auto& rows = selection.progress().rows;
  EXPECT_EQ(rows[0].seconds, 1.5);
  EXPECT_EQ(rows[1].seconds, 4);
  EXPECT_EQ(rows[2].seconds, 4);
}

TEST(Selection, ThePublishedProtocolIsTheBestMeanOfFiveEpisodes) {
  Workers workers(tracking(), 1);
  Selection selection = plain();
  EXPECT_FALSE(selection.published_protocol());
  double best = -INFINITY;
  for (const double action : {0.0, 0.35, 0.25, -1.0}) {
    const Evaluation validation = selection.consider(workers, constant(action), {});
    double mean = 0;
    for (std::size_t i = 0; i < 5; ++i) mean += validation.returns[i] / 5;
    best = std::max(best, mean);
    EXPECT_NEAR(*selection.published_protocol(), best, 1e-12);
  }
  Selection few = plain(4);
  few.consider(workers, constant(0), {});
  EXPECT_FALSE(few.published_protocol()) << "four episodes are not its protocol";
}

TEST(Selection, DecidesOnMoreEpisodesWhichOfTheBestWasOnlyLucky) {
  // Two episodes per validation: sometimes luck wins, and sixteen others know better.
  Workers workers(tracking(), 1);
  int changed = 0;
  double gain = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Selection selection(seed, 2, {}, [](const Policy&) { return true; });
    // Seen again, a policy takes no second place among the best.
    for (const double action : {0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5, 0.5})
      selection.consider(workers, constant(action), {});
    const Policy lucky = selection.best();
    selection.decide(workers);
    const auto other = [&](const Policy& policy) {
      double mean = 0;
      Tracking environment;
      for (std::uint64_t i = 2; i < 18; ++i)
        mean += run_episode(environment, policy, episode_seed(seed, Purpose::Validation, i))
                    .total_reward /
                16;
      return mean;
    };
    EXPECT_EQ(selection.final_episodes(), 16);
    EXPECT_NEAR(selection.best_validation(), other(selection.best()), 1e-9);
    gain += other(selection.best()) - other(lucky);
    changed += selection.best() != lucky ? 1 : 0;
  }
  EXPECT_GT(changed, 0);
  EXPECT_LT(changed, 20);
  EXPECT_GT(gain, 0);
}

TEST(Selection, DecidesAlsoAfterValidationsOfOneEpisode) {
  Workers workers(tracking(), 1);
  Selection selection = plain(1);
  selection.consider(workers, constant(0.2), {});
  selection.consider(workers, constant(0.4), {});
  selection.decide(workers);
  EXPECT_EQ(selection.final_episodes(), 8);
}

TEST(Selection, WithOnePolicyThereIsNothingToDecide) {
  Workers workers(tracking(), 1);
  Selection selection = plain();
  const Evaluation validation = selection.consider(workers, constant(0.3), {});
  const std::int64_t steps = workers.steps_played();
  selection.decide(workers);
  EXPECT_EQ(workers.steps_played(), steps);
  EXPECT_EQ(selection.final_episodes(), 0);
  EXPECT_EQ(selection.best_validation(), validation.mean_return);
}

TEST(Selection, DecidesWithoutTheEpisodesThatAreLost) {
  const auto lost = [](std::uint64_t seed, int) { return seed % 3 == 0; };
  Workers workers(losing(tracking(), lost), 1);
  Selection selection = plain();
  for (const double action : {0.3, 0.1}) selection.consider(workers, constant(action), {});
  selection.decide(workers);
  Tracking steady;
  std::vector<double> returns;
  for (std::uint64_t i = 10; i < 90; ++i) {
    const std::uint64_t seed = episode_seed(3, Purpose::Validation, i);
    if (!lost(seed, 0)) returns.push_back(run_episode(steady, constant(0.3), seed).total_reward);
  }
  EXPECT_LT(returns.size(), 80U);
  EXPECT_EQ(selection.best(), constant(0.3));
  EXPECT_NEAR(selection.best_validation(), summarise(returns).mean_return, 1e-9);
}

// Rewards the action. After thirty episodes an action of 0.9 or more breaks it.
class Breaking final : public OneStep {
 public:
  Breaking() : OneStep("breaking") {}
  void reset(std::uint64_t seed, std::span<double> x) override {
    bonus_ = Rng(seed).uniform(0, 1e-3);
    x[0] = 0;
    ++episodes_;
  }
  Step step(std::span<const double> action, std::span<double>) override {
    const bool broken = action[0] >= 0.9 && episodes_ > 30;
    return {.reward = broken ? NAN : action[0] + bonus_, .terminated = true};
  }

 private:
  double bonus_ = 0;
  int episodes_ = 0;
};

TEST(Selection, APolicyWhoseReturnIsNoNumberNeverWins) {
  Workers workers([] { return std::make_unique<Breaking>(); }, 1);
  Selection selection = plain();
  for (const double action : {0.9, 0.5, 0.2}) selection.consider(workers, constant(action), {});
  EXPECT_EQ(selection.best(), constant(0.9));
  selection.decide(workers);  // 0.9 breaks now
  EXPECT_EQ(selection.best(), constant(0.5));
  Selection broken_at_once = plain();
  broken_at_once.consider(workers, constant(1), {});
  broken_at_once.consider(workers, constant(0.2), {});
  EXPECT_EQ(broken_at_once.best(), constant(0.2));
}

TEST(Selection, IsTheSameAfterSavingAndRestoring) {
  Workers workers(tracking(), 1);
  Selection selection(3, 10, {"loss"}, [](const Policy&) { return true; });
  Selection empty(3, 10, {"loss"}, [](const Policy&) { return true; });
  const std::string nothing = bytes_of(empty);
  for (int i = 0; i < 7; ++i)
    selection.consider(workers, constant(0.1 * i),
                       {.steps = i, .stage = "s", .details = {1.0 * i}});
  selection.stamp(2);
  const std::string bytes = bytes_of(selection);
  for (const std::string& start : {nothing, bytes}) {
    Selection restored(3, 10, {"loss"}, [](const Policy&) { return true; });
    for (const std::string& each : {start, bytes}) {
      StateArchive archive(each);
      restored.visit_state(archive);
      archive.finish();
    }
    EXPECT_TRUE(bytes_of(restored) == bytes);
    EXPECT_EQ(restored.best(), selection.best());
    EXPECT_EQ(restored.best_validation(), selection.best_validation());
    EXPECT_EQ(restored.published_protocol(), selection.published_protocol());
    ASSERT_EQ(restored.progress().rows.size(), 7U);
    EXPECT_EQ(restored.progress().rows[6].stage, "s");
    EXPECT_EQ(restored.progress().rows[6].details, std::vector{6.0});
  }
}

TEST(VisitPolicy, TakesAPolicyThroughAnArchive) {
  Policy policy = split(0.1234567890123456789);
  StateArchive saved;
  visit_policy(saved, "p", policy);
  const std::string bytes = saved.take_bytes();
  Policy other = constant(0);
  StateArchive restored(bytes);
  visit_policy(restored, "p", other);
  EXPECT_EQ(other, policy);
}

}  // namespace
}  // namespace icct
