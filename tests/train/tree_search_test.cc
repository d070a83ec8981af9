#include "icct/train/tree_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "icct/policy/policy_file.h"
#include "icct/search/active_numbers.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/learning.h"
#include "tests/train/short_options.h"
#include "tests/weaving_environment.h"

namespace icct {
namespace {

constexpr TreeSearchOptions kShort = {
    .steps = 60'000, .leaves = 3, .features = 1, .validation_episodes = 20};

// A search on the environment that takes two leaves, with the workers it needs.
struct Search {
  explicit Search(const TreeSearchOptions& options = kShort, std::uint64_t seed = 1, int jobs = 1)
      : workers(tracking(true), jobs), learner(workers, idle_policy(true), options, seed) {}

  const Policy& best() { return learner.selection().best(); }

  Workers workers;
  TreeSearch learner;
};

double mean_return(Search& search, const Policy& policy) {
  return evaluate(search.workers, policy, Purpose::Report, 9, 200).mean_return;
}

TEST(TreeSearch, GrowsTheTreeThatTheTaskNeeds) {
  Search search;
  finish(search.learner);
  const Policy& best = search.best();
  EXPECT_NO_THROW(validate(best));
  EXPECT_GE(tree_of(best).leaves.size(), 2U);
  // At the most 5; without acting 4.0, with the best single leaf 4.6.
  EXPECT_LT(mean_return(search, idle_policy(true)), 4.2);
  EXPECT_GT(mean_return(search, best), 4.85);
}

TEST(TreeSearch, FindsTheUseOfWhatAnUntrainedTreeNeverSees) {
  Workers workers([] { return std::make_unique<Weaving>(20); }, 1);
  Policy blank;
  blank.observations = workers.environment().observations();
  blank.actions = workers.environment().actions();
  TreeSearch search(workers, blank, kShort, 1);
  finish(search);
  // Another lane in every step; without seeing the lane, no more than once.
  EXPECT_EQ(evaluate(workers, search.selection().best(), Purpose::Report, 9, 20).mean_return, 20);
}

TEST(TreeSearch, CountsTheStepsOfARaceWhileItRuns) {
  Workers workers([] { return std::make_unique<Weaving>(20); }, 1);
  Policy blank;
  blank.observations = workers.environment().observations();
  blank.actions = workers.environment().actions();
  TreeSearch search(workers, blank, kShort, 1);
  std::set<std::int64_t> seen;
  workers.stop_when([&] {
    seen.insert(search.steps());
    return false;
  });
  search.advance();  // a race
  EXPECT_GT(seen.size(), 20U);
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_GE(search.steps(), *seen.rbegin());
  EXPECT_LE(search.steps(), *seen.rbegin() + 20);  // the last episode
}

TEST(TreeSearch, EndsWithAPolicyEvenIfNothingIsGained) {
  Workers workers([] { return std::make_unique<Weaving>(20); }, 1);
  Policy blank;
  blank.observations = workers.environment().observations();
  blank.actions = workers.environment().actions();
  TreeSearchOptions options = kShort;
  options.steps = 1000;
  options.features = 0;
  options.leaves = 1;
  TreeSearch search(workers, blank, options, 1);
  finish(search);
  EXPECT_NO_THROW(validate(search.selection().best()));
}

TEST(TreeSearch, GoesThroughAllItsStagesWithinTheBudget) {
  Search search;
  finish(search.learner);
  std::set<std::string> stages;
  std::int64_t steps = 0;
  for (const ProgressRow& row : search.learner.selection().progress().rows) {
    EXPECT_GE(row.steps, steps);
    steps = row.steps;
    stages.insert(row.stage);
  }
  for (const char* stage : {"first leaf", "polish"}) EXPECT_TRUE(stages.contains(stage));
  EXPECT_EQ(search.learner.budget(), kShort.steps);
  EXPECT_GE(search.learner.steps(), kShort.steps);
  EXPECT_LT(search.learner.steps(), 1.1 * kShort.steps);
}

TEST(TreeSearch, RespectsTheLimitsOfLeavesAndFeatures) {
  for (const auto& [leaves, features] : {std::pair{1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {4, 2}}) {
    Search search(
        {.steps = 10'000, .leaves = leaves, .features = features, .validation_episodes = 5});
    finish(search.learner);
    for (const ProgressRow& row : search.learner.selection().progress().rows)
      EXPECT_LE(row.leaves, leaves);  // nothing is spent on trees that are too large
    const Tree& tree = tree_of(search.best());
    EXPECT_LE(std::ssize(tree.leaves), leaves);
    for (const Leaf& leaf : tree.leaves) EXPECT_LE(std::ssize(leaf.controllers[0].terms), features);
  }
}

TEST(TreeSearch, GivesTheSamePolicyWhateverTheNumberOfWorkers) {
  TreeSearchOptions options = kShort;
  options.steps = 20'000;
  Search one(options, 2, 1), three(options, 2, 3), other(options, 3, 1);
  for (Search* search : {&one, &three, &other}) finish(search->learner);
  EXPECT_EQ(one.best(), three.best());
  EXPECT_EQ(one.learner.steps(), three.learner.steps());
  EXPECT_NE(one.best(), other.best());
}

TEST(TreeSearch, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  TreeSearchOptions options = kShort;
  options.steps = 30'000;
  for (const bool with_side : {true, false}) {
    Workers workers(tracking(with_side), 1);
    const auto make = [&] {
      return std::make_unique<TreeSearch>(workers, idle_policy(with_side), options, 5);
    };
    const auto whole = make();
    finish(*whole);
    for (const int pieces : {1, 7}) {
      const auto parts = finish_in_parts(make, pieces);
      EXPECT_EQ(parts->selection().best(), whole->selection().best());
      EXPECT_EQ(parts->steps(), whole->steps());
      EXPECT_EQ(parts->selection().progress().rows.size(),
                whole->selection().progress().rows.size());
      EXPECT_EQ(parts->selection().published_protocol(), whole->selection().published_protocol());
    }
  }
}

TEST(TreeSearch, RefusesBadOptionsByName) {
  const auto complaint_of = [](TreeSearchOptions options) {
    return complaint([&] { validate(options); });
  };
  EXPECT_EQ(complaint_of({}), "none");
  EXPECT_EQ(complaint_of({.steps = 10}), "option 'steps' is 10; it must be at least 1000");
  EXPECT_NE(complaint_of({.leaves = 0}).find("'leaves' is 0"), std::string::npos);
  EXPECT_NE(complaint_of({.features = -1}).find("'features' is -1"), std::string::npos);
  EXPECT_NE(complaint_of({.validation_episodes = 0}).find("'validation_episodes' is 0"),
            std::string::npos);
}

TEST(TreeSearch, RefusesAnEnvironmentThatDoesNotFit) {
  Workers workers(tracking(false), 1);
  EXPECT_NE(complaint([&] { TreeSearch(workers, idle_policy(true), kShort, 1); }), "none");
}

TEST(TreeSearch, BeginsWithATreeAndKeepsItsLimits) {
  const TemporaryFolder folder;
  const Policy start = tracking_policy(
      make_split(1, 0, make_leaf({{0.2, {{0, 0.01}}}}), make_leaf({{-0.2, {{0, -0.01}}}})), true);
  save_policy(start, folder / "start.json");
  TrainOptions options = short_options("search");
  options.leaves = 1;  // fewer than the start has: never less
  options.features = "0";
  options.from = (folder / "start.json").string();
  Workers workers(tracking(true), 2);
  const auto make = [&] { return make_learner(options, tracking(true), workers, 1); };
  const auto whole = make();
  finish(*whole);
  const ProgressRow& first = whole->selection().progress().rows.front();
  EXPECT_EQ(first.stage, "start");
  EXPECT_EQ(first.steps, 0);
  EXPECT_EQ(first.validation_mean,
            evaluate(workers, start, Purpose::Validation, options.seed, 6).mean_return);
  const Policy& best = whole->selection().best();
  EXPECT_LE(tree_of(best).leaves.size(), 2U);
  EXPECT_EQ(best.squashing, Squashing::Clip);
  EXPECT_GT(evaluate(workers, best, Purpose::Report, 1, 100).mean_return,
            evaluate(workers, start, Purpose::Report, 1, 100).mean_return);
  EXPECT_TRUE(bytes_of(*finish_in_parts(make, 5)) == bytes_of(*whole));
  save_policy(tracking_policy(make_leaf({{.bias = 1}}), true), folder / "start.json");
  EXPECT_EQ(complaint([&] { restore(*make(), bytes_of(*whole)); }),
            "the policy to begin with has changed since the run was begun");
}

// Ten actions, of which the first nine must not exceed 0.5: that costs more than all of them bring.
// With 20 observations that mean nothing and so high a time limit it counts as slow.
class Cliff final : public Environment {
 public:
  Cliff() {
    for (int i = 0; i < 20; ++i)
      observations_.push_back({.name = "x" + std::to_string(i), .unit = ""});
    for (int i = 0; i < 10; ++i)
      actions_.push_back({.name = "a" + std::to_string(i), .unit = "", .lower = -1, .upper = 1});
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 1000; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    Rng rng(seed);
    for (double& value : x) value = rng.uniform();
  }
  Step step(std::span<const double> action, std::span<double>) override {
    double reward = action[9];
    for (std::size_t i = 0; i < 9; ++i) reward += action[i] > 0.5 ? -20 : action[i];
    return {.reward = reward, .terminated = true};
  }

 private:
  std::string name_ = "cliff";
  Space observations_, actions_;
};

TEST(TreeSearch, ATreeThatStandsOnACliffGetsBetter) {
  Workers workers([] { return std::make_unique<Cliff>(); }, 1);
  Policy start;
  start.observations = workers.environment().observations();
  start.actions = workers.environment().actions();
  start.squashing = Squashing::Clip;
  std::vector<Controller> controllers(10, {.bias = 0.499});
  controllers[9].bias = 0;
  start.controller = make_leaf(controllers);
  TreeSearchOptions options = {
      .steps = 40'000, .leaves = 1, .features = 0, .validation_episodes = 5};
  options.start = tree_of(start);
  const auto make = [&] { return std::make_unique<TreeSearch>(workers, start, options, 1); };
  const auto whole = make();
  finish(*whole);
  EXPECT_GT(evaluate(workers, whole->selection().best(), Purpose::Report, 1, 5).mean_return,
            9 * 0.499 + 0.99);
  EXPECT_LT(whole->steps(), 1.1 * 40'000);
  EXPECT_EQ(finish_in_parts(make, 5)->selection().best(), whole->selection().best());
}

// Nine steps. The best action is 0.5 in the first three, and -0.5 later, where luck is a hundred
// times what it matters. Notes the last early and the last late action.
class LuckyLater final : public Environment {
 public:
  struct Seen {
    double early = 0, late = 0;
  };
  explicit LuckyLater(Seen& seen) : seen_(seen) {
    observations_.push_back({.name = "step", .unit = ""});
    for (int i = 0; i < 20; ++i)
      observations_.push_back({.name = "x" + std::to_string(i), .unit = ""});
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 9; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    step_ = 0;
    std::ranges::fill(x, 0.0);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    const bool early = step_ < 3;
    (early ? seen_.early : seen_.late) = action[0];
    const double miss = action[0] - (early ? 0.5 : -0.5);
    x[0] = ++step_;
    const double luck = Rng(rng_.next() ^ std::bit_cast<std::uint64_t>(action[0])).normal();
    return {.reward = (early ? 0 : 100 * luck) - miss * miss, .truncated = step_ == 9};
  }

 private:
  std::string name_ = "lucky later";
  Space observations_, actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
  Rng rng_{0};
  int step_ = 0;
  Seen& seen_;
};

// With leaves for steps from 0, 3 and 6 on, whose actions are 0, 0.1 and 0.2.
Policy for_lucky_later(const Environment& environment) {
  Policy start;
  start.observations = environment.observations();
  start.actions = environment.actions();
  start.squashing = Squashing::Clip;
  start.controller =
      make_split(0, 5.5, make_leaf({{.bias = 0.2}}),
                 make_split(0, 2.5, make_leaf({{.bias = 0.1}}), make_leaf({{.bias = 0}})));
  return start;
}

// A search there that begins with this tree.
struct LuckySearch {
  explicit LuckySearch(const TreeSearchOptions& given) : options(given) {
    options.start = tree_of(start);
  }
  std::unique_ptr<TreeSearch> make() {
    return std::make_unique<TreeSearch>(workers, start, options, 1);
  }

  LuckyLater::Seen seen;
  Workers workers{[this] { return std::make_unique<LuckyLater>(seen); }, 1};
  Policy start = for_lucky_later(workers.environment());
  TreeSearchOptions options;
};

TEST(TreeSearch, LearnsTheBeginningWhateverHappensLater) {
  LuckySearch lucky({.steps = 100'000, .leaves = 3, .features = 0, .validation_episodes = 5});
  const LuckyLater::Seen& seen = lucky.seen;
  const auto make = [&] { return lucky.make(); };
  const auto search = make();
  const auto& rows = search->selection().progress().rows;
  const auto go_on_until = [&](const char* stage) {
    do search->advance();
    while (!search->finished() && (rows.empty() || rows.back().stage != stage));
  };
  // What was played last is the validation of what the stage before ended with.
  go_on_until("middle");
  EXPECT_EQ(rows.front().stage, "ending") << "what comes later is searched before";
  go_on_until("opening");
  EXPECT_EQ(seen.early, 0);
  const double late = seen.late;
  go_on_until("ending");
  EXPECT_NEAR(seen.early, 0.5, 0.05);
  EXPECT_EQ(seen.late, late) << "decides nothing in the opening";
  finish(*search);
  EXPECT_TRUE(bytes_of(*finish_in_parts(make, 7)) == bytes_of(*search));
}

TEST(TreeSearch, WhatIsKeptStaysAsItIs) {
  LuckySearch lucky({.steps = 20'000, .leaves = 8, .features = 2, .validation_episodes = 5});
  TreeSearchOptions& options = lucky.options;
  options.kept = {true, true, true, false, false};  // both splits, the leaf for the end
  const auto search = lucky.make();
  finish(*search);
  const std::vector<double> before = active_numbers(*options.start);
  const std::vector<double> after = active_numbers(tree_of(search->selection().best()));
  ASSERT_EQ(after.size(), before.size()) << "its structure stays";
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (options.kept[i]) {
      EXPECT_EQ(after[i], before[i]);
    }
  }
  EXPECT_NEAR(after[4], 0.5, 0.1);
  for (const ProgressRow& row : search->selection().progress().rows)
    EXPECT_TRUE(row.stage != "grow" && row.stage != "prune") << row.stage;
  options.kept.assign(5, true);
  EXPECT_NE(complaint([&] { validate(options); }).find("nothing to learn"), std::string::npos);
}

TEST(TreeSearch, ASmallBudgetForATreeToBeginWithIsHardlyOverdrawn) {
  LuckySearch lucky({.steps = 1000, .leaves = 3, .features = 0});
  const auto search = lucky.make();
  finish(*search);
  EXPECT_LT(search->steps(), 3000);
}

TEST(TreeSearch, ASmallBudgetIsHardlyOverdrawn) {
  TrainOptions options = short_options("search");
  options.steps = 2000;
  Workers workers(tracking(true), 1);
  const auto learner = make_learner(options, tracking(true), workers, 1);
  finish(*learner);
  EXPECT_LT(learner->steps(), 6000);
  EXPECT_TRUE(learner->selection().best_fits());
}

TEST(TreeSearch, BeginsAlsoWithATreeLargerThanItWouldGrow) {
  TreeSearchOptions options = {.leaves = 2000};
  EXPECT_NE(complaint([&] { validate(options); }), "none");
  options.start = make_leaf({{}});
  EXPECT_EQ(complaint([&] { validate(options); }), "none");
}

}  // namespace
}  // namespace icct
