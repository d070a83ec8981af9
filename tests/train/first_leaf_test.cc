#include "icct/train/first_leaf.h"

#include <gtest/gtest.h>

#include <optional>

#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr std::int64_t kSteps = 15'000;

// Finds a leaf for `tracking`; saves and restores after every `pieces` generations, if positive.
FirstLeaf found(int jobs, std::uint64_t seed, int pieces = 0) {
  Workers workers(tracking(), jobs);
  const auto consider = [&](const Policy& policy, double) {
    return evaluate(workers, policy, Purpose::Validation, seed, 20);
  };
  std::optional<FirstLeaf> first(std::in_place, workers.environment(), idle_policy(), kSteps, seed);
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

TEST(FirstLeaf, LearnsAControllerFromNothing) {
  const FirstLeaf first = found(1, 1);
  const Controller& controller = tree_of(first.best()).leaves[0].controllers[0];
  EXPECT_NEAR(controller.bias, 0.3, 0.1);
  EXPECT_NEAR(controller.terms[0].gain, 0.01, 0.004);
}

TEST(FirstLeaf, SpendsAboutItsBudget) {
  const FirstLeaf first = found(1, 1);
  EXPECT_EQ(first.steps(), 5 * first.episodes());
  EXPECT_GT(first.steps(), 0.6 * kSteps);
  EXPECT_LT(first.steps(), 1.3 * kSteps);
}

TEST(FirstLeaf, OfSearchesThatEndAtTheSameOptimumOnlyOneGoesOn) {
  Workers workers(tracking(), 1);
  const auto streams = [&](const std::function<double()>& validation) {
    FirstLeaf first(workers.environment(), idle_policy(), 3'000, 1);
    while (!first.finished())
      first.advance(workers, [&](const Policy&, double) { return summarise({validation()}); });
    return first.streams();
  };
  EXPECT_EQ(streams([] { return 4.0; }), 6U + 1);
  EXPECT_EQ(streams([value = 0.0]() mutable { return ++value; }), 6U + 3 + 1);
}

TEST(FirstLeaf, GivesTheSamePolicyWhateverTheNumberOfWorkers) {
  EXPECT_EQ(found(1, 2).best(), found(3, 2).best());
  EXPECT_NE(found(1, 2).best(), found(1, 3).best());
}

TEST(FirstLeaf, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  const FirstLeaf whole = found(1, 4);
  const FirstLeaf parts = found(1, 4, 3);
  EXPECT_EQ(parts.best(), whole.best());
  EXPECT_EQ(parts.steps(), whole.steps());
  EXPECT_EQ(parts.episodes(), whole.episodes());
  EXPECT_EQ(parts.streams(), whole.streams());
}

TEST(FirstLeaf, TellsWhatTheCandidatesBroughtWhenItAsksForAValidation) {
  Workers workers(tracking(), 1);
  FirstLeaf first(workers.environment(), idle_policy(), 3'000, 1);
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
  EXPECT_GE(asked, static_cast<int>(first.streams()));
}

}  // namespace
}  // namespace icct
