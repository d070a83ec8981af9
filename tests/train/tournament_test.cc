#include "icct/train/tournament.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr std::int64_t kSteps = 15'000;

// A tournament of first leaves.
Tournament first_leaf(Workers& workers, std::int64_t steps, std::uint64_t seed) {
  return {first_leaves(workers.environment(), idle_policy(), seed),
          {.steps = steps, .later = 1.7},
          seed,
          0};
}

// Finds a leaf for `tracking`; saves and restores after every `pieces` generations, if positive.
Tournament found(int jobs, std::uint64_t seed, int pieces = 0) {
  Workers workers(tracking(), jobs);
  const auto consider = [&](const Policy& policy, double) {
    return evaluate(workers, policy, Purpose::Validation, seed, 20);
  };
  std::optional<Tournament> first(first_leaf(workers, kSteps, seed));
  for (int i = 1; !first->finished(); ++i) {
    first->advance(workers, consider);
    if (pieces == 0 || i % pieces != 0) continue;
    StateArchive saved;
    first->visit_state(saved);
    const std::string bytes = saved.take_bytes();
    StateArchive restored(bytes);
    first.emplace(restored);
    restored.finish();
  }
  return *first;
}

TEST(Tournament, LearnsAControllerFromNothing) {
  const Tournament first = found(1, 1);
  const Controller& controller = tree_of(first.best()).leaves[0].controllers[0];
  EXPECT_NEAR(controller.bias, 0.3, 0.1);
  EXPECT_NEAR(controller.terms[0].gain, 0.01, 0.004);
}

TEST(Tournament, SpendsAboutItsBudget) {
  const Tournament first = found(1, 1);
  EXPECT_EQ(first.steps(), 5 * first.episodes());
  EXPECT_GT(first.steps(), 0.6 * kSteps);
  EXPECT_LT(first.steps(), 1.3 * kSteps);
}

TEST(Tournament, OfSearchesThatEndAtTheSameOptimumOnlyOneGoesOn) {
  Workers workers(tracking(), 1);
  const auto streams = [&](const std::function<double()>& validation) {
    Tournament first = first_leaf(workers, 3'000, 1);
    while (!first.finished())
      first.advance(workers, [&](const Policy&, double) { return summarise({validation()}); });
    return first.next_stream();
  };
  EXPECT_EQ(streams([] { return 4.0; }), 6U + 1);
  EXPECT_EQ(streams([value = 0.0]() mutable { return ++value; }), 6U + 3 + 1);
}

TEST(Tournament, GoesToThePolicyThatItsNumbersMakeTheBest) {
  Workers workers(tracking(), 1);
  // A constant is the better start, but only the other one can follow the target.
  Policy constant = idle_policy();
  constant.controller = make_leaf({{.bias = 0.3}});
  Policy linear = idle_policy();
  linear.controller = make_leaf({{.bias = -0.3, .terms = {{0, 0}}}});
  const std::vector<double> spread = feature_spread(workers.environment(), linear, 1);
  Tournament tournament({{constant, spread, 0.3}, {linear, spread, 0.3}}, {.steps = 5'000}, 1, 7);
  const auto consider = [&](const Policy& policy, double) {
    return evaluate(workers, policy, Purpose::Validation, 1, 20);
  };
  EXPECT_GT(consider(constant, 0).mean_return, consider(linear, 0).mean_return);
  while (!tournament.finished()) tournament.advance(workers, consider);
  EXPECT_EQ(tree_of(tournament.best()).leaves[0].controllers[0].terms.size(), 1U);
  EXPECT_EQ(tournament.next_stream(), 7U + 2 + 1);
}

TEST(Tournament, AContestantMayWinAsItIsIfStartsCount) {
  Workers workers(tracking(), 1);
  const Policy start = idle_policy();
  const std::vector<double> spread = feature_spread(workers.environment(), start, 1);
  for (const bool starts_count : {true, false}) {
    Tournament tournament({{start, spread, 0.3}, {start, spread, 0.3}},
                          {.steps = 2'000, .episodes = 2, .starts_count = starts_count}, 1, 0);
    double validation = 0;  // every policy is worse than those before
    while (!tournament.finished())
      tournament.advance(workers, [&](const Policy&, double) { return summarise({--validation}); });
    EXPECT_EQ(tournament.best() == start, starts_count);
  }
}

TEST(Tournament, GivesTheSamePolicyWhateverTheNumberOfWorkers) {
  EXPECT_EQ(found(1, 2).best(), found(3, 2).best());
  EXPECT_NE(found(1, 2).best(), found(1, 3).best());
}

TEST(Tournament, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  const Tournament whole = found(1, 4);
  const Tournament parts = found(1, 4, 3);
  EXPECT_EQ(parts.best(), whole.best());
  EXPECT_EQ(parts.steps(), whole.steps());
  EXPECT_EQ(parts.episodes(), whole.episodes());
  EXPECT_EQ(parts.next_stream(), whole.next_stream());
}

TEST(Tournament, TellsWhatTheCandidatesBroughtWhenItAsksForAValidation) {
  Workers workers(tracking(), 1);
  Tournament first = first_leaf(workers, 3'000, 1);
  int asked = 0;
  while (!first.finished()) {
    first.advance(workers, [&](const Policy& policy, double candidates) {
      ++asked;
      EXPECT_GT(candidates, -20);
      EXPECT_LT(candidates, 6);
      EXPECT_EQ(tree_of(policy).leaves.size(), 1U);
      return evaluate(workers, policy, Purpose::Validation, 1, 5);
    });
  }
  EXPECT_GE(asked, static_cast<int>(first.next_stream()));
}

}  // namespace
}  // namespace icct
