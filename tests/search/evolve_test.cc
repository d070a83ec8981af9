#include "icct/search/evolve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "tests/complaint.h"
#include "tests/losing_environment.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr EvolveOptions kShort = {.steps = 60'000, .first_step = 0.3, .validate_every = 5};

// Where the searches below look.
SearchSpace usual_space() {
  return even_space(tree_of(idle_policy()), std::vector<double>{30});
}

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
  EvolveOptions options = kShort;
  options.steps = 4'000;
  options.covariance = Covariance::Diagonal;
  options.replayed = 0.5;
  const auto piece = [&](Evolution& evolution) {
    evolution.advance(workers);
    if (evolution.due())
      evolution.judge(evaluate(workers, evolution.centre(), Purpose::Validation, 1, 20));
  };
  Evolution whole(idle_policy(), usual_space(), options, 1, 3);
  while (!whole.finished()) piece(whole);
  std::optional<Evolution> part(std::in_place, idle_policy(), usual_space(), options, 1, 3);
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
  Evolution one(idle_policy(), usual_space(), kShort, 1, 0);
  Evolution two(idle_policy(), usual_space(), kShort, 1, 1);
  one.advance(workers);
  two.advance(workers);
  EXPECT_NE(one.centre(), two.centre());
}

// Tracking that remembers which episodes were begun.
EnvironmentFactory watched(std::vector<std::uint64_t>& seeds) {
  return losing(tracking(), [&seeds](std::uint64_t seed, int /*begun*/) {
    seeds.push_back(seed);
    return false;
  });
}

TEST(Evolution, PlaysAShareOfItsEpisodesAgain) {
  const auto repeats_of = [](double replayed) {
    std::vector<std::uint64_t> seeds;
    Workers workers(watched(seeds), 1);
    EvolveOptions options = kShort;
    options.population = 5;
    options.max_episodes = options.min_episodes;
    options.replayed = replayed;
    Evolution evolution(idle_policy(), usual_space(), options, 1, 0);
    for (int g = 0; g < 11; ++g) evolution.advance(workers);
    EXPECT_EQ(seeds.size(), 11U * 5 * 4);
    std::ranges::sort(seeds);
    const auto different = std::unique(seeds.begin(), seeds.end()) - seeds.begin();
    return 11 * 4 - static_cast<int>(different);
  };
  EXPECT_EQ(repeats_of(0), 0);
  EXPECT_EQ(repeats_of(0.5), 10 * 2);
}

// Most episodes want the action 0.3, and one in twelve wants -0.5 six times as much: 0.018 is best
// for all.
class RarelyOtherwise final : public OneStep {
 public:
  RarelyOtherwise() : OneStep("rarely otherwise") {}
  void reset(std::uint64_t seed, std::span<double> x) override {
    rare_ = seed % 12 == 0;
    x[0] = Rng(seed).uniform(-50, 50);
  }
  Step step(std::span<const double> action, std::span<double> /*x*/) override {
    const double miss = action[0] - (rare_ ? -0.5 : 0.3);
    return {.reward = -(rare_ ? 6 : 1) * miss * miss, .terminated = true};
  }

 private:
  bool rare_ = false;
};

TEST(Evolution, EpisodesPlayedAgainCountAsMuchAsThereAreOfThem) {
  Workers workers([] { return std::make_unique<RarelyOtherwise>(); }, 1);
  EvolveOptions options = kShort;
  options.min_episodes = 24;
  options.covariance = Covariance::Diagonal;
  options.replayed = 0.5;
  Evolution evolution(idle_policy(), usual_space(), options, 1, 0);
  while (!evolution.finished()) evolution.advance(workers);
  const Policy centre = evolution.centre();
  EXPECT_NEAR(tree_of(centre).leaves[0].controllers[0].bias, 0.018, 0.08);
}

TEST(Evolution, LeavesNumbersAloneThatAreNotSearched) {
  Workers workers(tracking(), 1);
  Policy start = idle_policy();
  start.controller = make_leaf({{.bias = 0.1, .terms = {{0, 0.02}}}});
  SearchSpace space = usual_space();
  restrict_to(space, {true, false});
  Evolution evolution(start, space, kShort, 1, 0);
  evolution.advance(workers);
  const Policy centre = evolution.centre();
  const Controller& controller = tree_of(centre).leaves[0].controllers[0];
  EXPECT_NE(controller.bias, 0.1);
  EXPECT_EQ(controller.terms[0].gain, 0.02);
}

TEST(Evolution, PlaysUpToItsHorizon) {
  Workers workers(tracking(), 1);
  EvolveOptions options = kShort;
  options.horizon = 2;
  Evolution evolution(idle_policy(), usual_space(), options, 1, 0);
  evolution.advance(workers);
  EXPECT_EQ(evolution.progress().steps, 2 * evolution.progress().episodes_run);
  evolution.validate(workers);
  EXPECT_LT(evolution.progress().validation.best_return, 2.5)
      << "at most 1 per step, but for noise";
}

TEST(Evolution, ItsCentreIsTheMeanOfTheGenerationsSinceTheLastValidation) {
  Workers workers(tracking(), 1);
  const auto bias_of = [](const Policy& policy) {
    return tree_of(policy).leaves[0].controllers[0].bias;
  };
  Evolution each(idle_policy(), usual_space(), kShort, 1, 0);
  Evolution whole(idle_policy(), usual_space(), kShort, 1, 0);
  double sum = 0;
  for (int g = 0; g < 4; ++g) {
    each.advance(workers);
    each.judge(summarise({0}));
    sum += bias_of(each.centre());
    whole.advance(workers);
  }
  EXPECT_NEAR(bias_of(whole.centre()), sum / 4, 1e-12);
}

TEST(Evolution, KeepsNothingWhoseValidationIsNoNumber) {
  Workers workers(tracking(), 1);
  Evolution evolution(idle_policy(), usual_space(), kShort, 1, 0);
  evolution.judge(summarise({2}));
  evolution.advance(workers);
  evolution.judge(summarise({std::nan("")}));
  EXPECT_EQ(evolution.best(), idle_policy());
  EXPECT_EQ(evolution.progress().best_validation, 2);
  evolution.judge(summarise({3}));
  EXPECT_EQ(evolution.best(), evolution.centre());
}

// Every other action, finely interleaved, is a disaster in every episode; among the rest luck
// decides.
class Minefield final : public OneStep {
 public:
  Minefield() : OneStep("minefield") {}
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    x[0] = 1;
  }
  Step step(std::span<const double> action, std::span<double> /*x*/) override {
    const bool mine = std::fmod(std::abs(action[0]) * 1e4, 2) < 1;
    const double luck = Rng(rng_.next() ^ std::bit_cast<std::uint64_t>(action[0])).normal();
    return {.reward = luck - (mine ? 100 : 0), .terminated = true};
  }

 private:
  Rng rng_{0};
};

TEST(Evolution, PlaysMoreEpisodesWhereLuckRanksTheBetterCandidatesThoughDisastersAreClear) {
  Workers workers([] { return std::make_unique<Minefield>(); }, 1);
  Policy start;
  start.observations = workers.environment().observations();
  start.actions = workers.environment().actions();
  start.controller = make_leaf({{.bias = 0.1, .terms = {{0, 0.1}}}});
  EvolveOptions options = kShort;
  options.population = 20;
  Evolution evolution(start, even_space(tree_of(start), std::vector<double>{1}), options, 1, 0);
  int most = 0;
  for (int g = 0; g < 150; ++g) {
    evolution.advance(workers);
    most = std::max(most, evolution.progress().episodes);
  }
  EXPECT_GT(most, 2 * options.min_episodes);
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

TEST(Evolve, MakesTheMostOfFewGenerations) {
  const auto covariance_for = [](std::size_t numbers, int max_steps) {
    EvolveOptions options = {.steps = 100'000, .population = 10, .min_episodes = 2};
    make_the_most(options, numbers, max_steps);
    EXPECT_EQ(options.replayed > 0, options.covariance == Covariance::Diagonal);
    return options.covariance;
  };
  EXPECT_EQ(covariance_for(22, 100), Covariance::Full);  // 50 generations
  EXPECT_EQ(covariance_for(23, 100), Covariance::Diagonal);
  EXPECT_EQ(covariance_for(22, 1000), Covariance::Diagonal);
}

TEST(FeatureSpread, IsTheStandardDeviationAlongEpisodes) {
  Tracking environment;
  EXPECT_NEAR(feature_spread(environment, idle_policy(), 1)[0], 100 / std::sqrt(12.0), 5);
}

}  // namespace
}  // namespace icct
