#include "icct/search/evolve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/complaint.h"
#include "tests/losing_environment.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr EvolveOptions kShort = {.steps = 60'000, .first_step = 0.3, .validate_every = 5};

TEST(Evolve, FindsTheNumbersOfTheBestController) {
  Workers workers(tracking(), 1);
  const Policy best = evolve(workers, idle_policy(), kShort, 1);
  const Controller& controller = tree_of(best).leaves[0].controllers[0];
  EXPECT_NEAR(controller.bias, 0.3, 0.05);
  EXPECT_NEAR(controller.terms[0].gain, 0.01, 0.002);
}

TEST(Evolve, LostEpisodesDoNotCountAgainstAnyCandidate) {
  const auto some = [](std::uint64_t seed, int /*begun*/) { return seed % 3 == 0; };
  Workers workers(losing(tracking(), some), 1);
  const Policy best = evolve(workers, idle_policy(), kShort, 1);
  EXPECT_NEAR(tree_of(best).leaves[0].controllers[0].bias, 0.3, 0.05);
}

TEST(Evolve, GivesTheSamePolicyWhateverTheNumberOfWorkers) {
  Workers one(tracking(), 1);
  Workers three(tracking(), 3);
  EvolveOptions options = kShort;
  options.steps = 5'000;
  EXPECT_EQ(evolve(one, idle_policy(), options, 2), evolve(three, idle_policy(), options, 2));
  EXPECT_NE(evolve(one, idle_policy(), options, 2), evolve(one, idle_policy(), options, 3));
}

TEST(Evolve, KeepsTheStartIfNothingBetterWasValidated) {
  Workers workers(tracking(), 1);
  Policy best = idle_policy();
  best.controller = make_leaf({{.bias = 0.3, .terms = {{0, 0.01}}}});
  EvolveOptions options = kShort;
  options.steps = 1;
  options.first_step = 10;
  EXPECT_EQ(evolve(workers, best, options, 1), best);
}

TEST(Evolve, ReportsProgressUpToItsBudget) {
  Workers workers(tracking(), 1);
  std::vector<EvolveProgress> seen;
  evolve(workers, idle_policy(), kShort, 1,
         [&](const EvolveProgress& progress) { seen.push_back(progress); });
  ASSERT_GT(seen.size(), 2U);
  EXPECT_EQ(seen.front().generation, 0);
  EXPECT_GE(seen.back().steps, kShort.steps);
  for (std::size_t i = 1; i < seen.size(); ++i)
    EXPECT_GE(seen[i].best_validation, seen[i - 1].best_validation);
}

TEST(Evolve, EndsWithTheBestSoFarWhenItsWorkersAreToldToStop) {
  Workers workers(tracking(), 1);
  const Policy whole = evolve(workers, idle_policy(), kShort, 1);
  int validations = 0;
  workers.stop_when([&validations] { return validations == 3; });
  const Policy early = evolve(workers, idle_policy(), kShort, 1,
                              [&validations](const EvolveProgress&) { ++validations; });
  EXPECT_EQ(validations, 3);
  EXPECT_NE(early, idle_policy());
  EXPECT_NE(early, whole);
}

TEST(Evolution, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  Workers workers(tracking(), 1);
  const std::vector<double> spread = {30};
  EvolveOptions options = kShort;
  options.steps = 4'000;
  const auto piece = [&](Evolution& evolution) {
    evolution.advance(workers);
    if (evolution.due())
      evolution.judge(evaluate(workers, evolution.centre(), Purpose::Validation, 1, 20));
  };
  Evolution whole(idle_policy(), spread, options, 1, 3);
  while (!whole.finished()) piece(whole);
  std::optional<Evolution> part(std::in_place, idle_policy(), spread, options, 1, 3);
  while (!part->finished()) {
    piece(*part);
    StateArchive saved;
    part->visit_state(saved);
    const std::string bytes = saved.take_bytes();
    StateArchive restored(bytes);
    part.emplace(restored);
    restored.finish();
  }
  EXPECT_NE(whole.best(), idle_policy());
  EXPECT_EQ(part->best(), whole.best());
  EXPECT_EQ(part->centre(), whole.centre());
  EXPECT_EQ(part->progress().steps, whole.progress().steps);
  EXPECT_EQ(part->progress().best_validation, whole.progress().best_validation);
}

TEST(Evolution, SearchesOfDifferentStreamsGoDifferentWays) {
  Workers workers(tracking(), 1);
  const std::vector<double> spread = {30};
  Evolution one(idle_policy(), spread, kShort, 1, 0);
  Evolution two(idle_policy(), spread, kShort, 1, 1);
  one.advance(workers);
  two.advance(workers);
  EXPECT_NE(one.centre(), two.centre());
}

TEST(Evolution, KeepsNothingWhoseValidationIsNoNumber) {
  Workers workers(tracking(), 1);
  Evolution evolution(idle_policy(), std::vector<double>{30}, kShort, 1, 0);
  evolution.judge(summarise({2}));
  evolution.advance(workers);
  evolution.judge(summarise({std::nan("")}));
  EXPECT_EQ(evolution.best(), idle_policy());
  EXPECT_EQ(evolution.progress().best_validation, 2);
  evolution.judge(summarise({3}));
  EXPECT_EQ(evolution.best(), evolution.centre());
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
  EXPECT_NEAR(feature_spread(environment, idle_policy(), 1)[0], 100 / std::sqrt(12.0), 5);
}

}  // namespace
}  // namespace icct
