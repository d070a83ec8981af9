#include "icct/rl/sac.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "icct/base/error.h"
#include "icct/rl/mlp_actor.h"
#include "icct/rl/normal_noise.h"
#include "icct/rl/tree_actor.h"
#include "icct/tree/initialise.h"
#include "tests/rl/random_batch.h"

namespace icct {
namespace {

enum class Kind { Tree, GumbelTree, L1Tree, Mlp };

std::unique_ptr<Actor<float>> make_actor(Kind kind, Rng& rng) {
  if (kind == Kind::Mlp) {
    auto actor = std::make_unique<MlpActor<float>>(4, std::vector{60, 90}, 2, 40);
    initialise(actor->network(), rng);
    return actor;
  }
  TreeOptions tree;
  tree.observations = 4;
  tree.actions = 2;
  if (kind == Kind::L1Tree) tree.leaf = LeafKind::Complete;
  TreeActorOptions options;
  options.gumbel = kind == Kind::GumbelTree;
  if (kind == Kind::L1Tree) options.l1_coefficient = 0.01;
  options.l1_one_leaf = kind == Kind::L1Tree;
  FuzzyTree<float> fuzzy(tree);
  initialise_published(fuzzy, rng);
  return std::make_unique<TreeActor<float>>(std::move(fuzzy), 40, options);
}

SacOptions small_options(int threads = 1) {
  SacOptions options;
  options.batch_size = 40;
  options.critic_hidden = {24, 40};
  options.actor_average = 0.9;
  options.threads = threads;
  return options;
}

// A run that can be stopped and continued.
struct Learning {
  explicit Learning(Kind kind, int threads = 1)
      : rng(1), actor(make_actor(kind, rng)), sac(*actor, small_options(threads), rng) {}

  void update(int times, int batch = 40) {
    for (int i = 0; i < times; ++i) sac.update(random_batch(batch, 4, 2, rng), rng);
  }
  std::string state() {
    StateArchive archive;
    sac.visit_state(archive);
    archive.rng("rng", rng);
    return archive.take_bytes();
  }

  Rng rng;
  std::unique_ptr<Actor<float>> actor;
  Sac sac;
};

TEST(Sac, ContinuesExactlyFromASavedState) {
  for (const Kind kind : {Kind::Tree, Kind::GumbelTree, Kind::L1Tree, Kind::Mlp}) {
    Learning whole(kind), first(kind), second(kind);
    whole.update(7);
    first.update(3);
    second.update(1);  // somewhere else, to be overwritten
    const std::string saved = first.state();
    StateArchive archive(saved);
    second.sac.visit_state(archive);
    archive.rng("rng", second.rng);
    archive.finish();
    second.update(4);
    EXPECT_TRUE(second.state() == whole.state());
  }
}

TEST(Sac, GivesTheSameBitsOnTwoThreads) {
  for (const Kind kind : {Kind::Tree, Kind::GumbelTree, Kind::Mlp}) {
    Learning one(kind, 1), two(kind, 2);
    one.update(5, 901);  // large enough to be shared
    two.update(5, 901);
    EXPECT_TRUE(one.state() == two.state());
  }
}

TEST(Sac, NoiseMayBeGivenInsteadOfDrawn) {
  Learning one(Kind::Tree), two(Kind::Tree);
  const Batch batch = random_batch(40, 4, 2, one.rng);
  two.rng = one.rng;
  std::vector<float> now(80), next(80);
  fill_normal(one.rng, now);
  fill_normal(one.rng, next);
  one.sac.update(batch, now, next, one.rng);
  two.sac.update(batch, two.rng);
  EXPECT_TRUE(one.state() == two.state());
}

TEST(Sac, RefusesABatchWithNanAndStaysAsItWas) {
  Learning run(Kind::Tree);
  run.update(2);
  const std::string before = run.state();
  Batch batch = random_batch(40, 4, 2, run.rng);
  const Rng::State drawn = run.rng.state();
  for (auto* values : {&batch.observations, &batch.next_observations, &batch.actions,
                       &batch.rewards, &batch.terminated}) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      const float good = std::exchange(values->back(), bad);
      EXPECT_THROW(run.sac.update(batch, run.rng), Error);
      values->back() = good;
    }
  }
  run.rng.set_state(drawn);
  Learning fresh(Kind::Tree);
  fresh.update(2);
  EXPECT_TRUE(fresh.state() == before);
  fresh.sac.update(batch, run.rng);
  run.rng.set_state(drawn);
  run.sac.update(batch, run.rng);
  fresh.rng = run.rng;
  EXPECT_TRUE(fresh.state() == run.state());
}

TEST(Sac, SaysWhichSampleIsBroken) {
  Learning run(Kind::Tree);
  Batch batch = random_batch(40, 4, 2, run.rng);
  batch.observations[17 * 4 + 2] = std::nanf("");
  try {
    run.sac.update(batch, run.rng);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the observation of sample 17 is nan"),
              std::string::npos)
        << error.what();
  }
}

TEST(Sac, ReportsALossThatIsNotFinite) {
  Learning run(Kind::Tree);
  run.sac.critic().parameters(1)[5] = std::nanf("");
  run.sac.critic().parameters_changed();
  EXPECT_THROW(run.update(1), Error);
}

TEST(Sac, ExploresInsideTheBoundsAndReproducibly) {
  Learning one(Kind::Mlp), two(Kind::Mlp);
  const std::vector<double> x = {0.1, -0.2, 0.3, 2};
  std::vector<double> a(2), b(2);
  for (int i = 0; i < 20; ++i) {
    one.sac.explore(x, one.rng, a);
    two.sac.explore(x, two.rng, b);
    EXPECT_EQ(a, b);
    for (const double value : a) EXPECT_LE(std::abs(value), 1);
  }
}

TEST(Sac, ExploringBetweenUpdatesDoesNotChangeThem) {
  Learning one(Kind::Mlp), two(Kind::Mlp);
  const std::vector<double> x(4);
  std::vector<double> a(2);
  Rng other(9);
  one.update(1);
  one.sac.explore(x, other, a);
  one.update(1);
  two.update(2);
  EXPECT_TRUE(one.state() == two.state());
}

TEST(Sac, DeploysTheAverageWhenItIsOn) {
  Learning run(Kind::Mlp);
  run.update(3);
  EXPECT_NE(std::get<Mlp<double>>(run.sac.controller()),
            std::get<Mlp<double>>(run.actor->controller()));
  SacOptions options = small_options();
  options.actor_average = 0;
  Sac plain(*run.actor, options, run.rng);
  plain.update(random_batch(40, 4, 2, run.rng), run.rng);
  EXPECT_EQ(std::get<Mlp<double>>(plain.controller()),
            std::get<Mlp<double>>(run.actor->controller()));
}

TEST(Sac, AcceptsBatchesOfAnySize) {
  Learning run(Kind::Mlp);
  for (const int size : {1, 40, 7, 300, 40}) {
    const SacReport report = run.sac.update(random_batch(size, 4, 2, run.rng), run.rng);
    EXPECT_TRUE(std::isfinite(report.critic_loss));
  }
}

// One step, reward -(a - target)^2: the policy must find the target, which depends on x.
double bandit_error(Kind kind) {
  Rng rng(3);
  auto actor = make_actor(kind, rng);
  SacOptions options = small_options();
  options.learning_rate = options.actor_learning_rate = 3e-3;
  options.target_entropy = -6;
  Sac sac(*actor, options, rng);
  const auto target = [](float x) { return x > 0 ? 0.5f : -0.5f; };
  for (int i = 0; i < 3000; ++i) {
    Batch batch = random_batch(40, 4, 2, rng);
    for (std::size_t row = 0; row < 40; ++row) {
      const float e0 = batch.actions[2 * row] - target(batch.observations[4 * row]);
      const float e1 = batch.actions[2 * row + 1] - 0.25f;
      batch.rewards[row] = -e0 * e0 - e1 * e1;
      batch.terminated[row] = 1;
    }
    sac.update(batch, rng);
  }
  double error = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> x = {rng.normal(), rng.normal(), rng.normal(), rng.normal()};
    std::vector<double> a(2);
    sac.explore(x, rng, a);
    error += std::abs(a[0] - static_cast<double>(target(static_cast<float>(x[0])))) / 400 +
             std::abs(a[1] - 0.25) / 400;
  }
  return error;
}

TEST(Sac, FindsTheBestActionOfABandit) {
  EXPECT_LT(bandit_error(Kind::Mlp), 0.15);
  EXPECT_LT(bandit_error(Kind::Tree), 0.25);
}

TEST(Sac, AnActorThatIsMovedIsLetGoAnew) {
  Rng rng(1);
  const std::unique_ptr<Actor<float>> actor = make_actor(Kind::Tree, rng);
  const std::vector<float> start(actor->parameters().begin(), actor->parameters().end());
  SacOptions options = small_options();
  options.actor_starts = 4;
  Sac sac(*actor, options, rng);
  const auto distance = [&] {
    float largest = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
      largest = std::max(largest, std::abs(actor->parameters()[i] - start[i]));
    return static_cast<double>(largest);
  };
  for (int i = 0; i < 40; ++i) sac.update(random_batch(40, 4, 2, rng), rng);
  EXPECT_GT(distance(), options.actor_learning_rate);
  const auto moved = sac.controller();
  sac.move_actor(start);
  EXPECT_EQ(distance(), 0);
  EXPECT_NE(sac.controller(), moved);
  sac.update(random_batch(40, 4, 2, rng), rng);  // the first of Adam goes as far as the rate
  EXPECT_NEAR(distance(), options.actor_learning_rate / (kReleaseTimes * 4), 1e-6);
}

// The target entropy after 30 updates of which the actor, with two constant actions, waits for 20.
double settled_target(double mean, double log_std, SacOptions options) {
  TreeOptions tree;
  tree.observations = 4;
  tree.actions = 2;
  tree.leaves = 1;
  tree.leaf = LeafKind::Static;
  FuzzyTree<float> fuzzy(tree);
  for (int a = 0; a < 2; ++a) {
    fuzzy.view().leaf_bias(0)[a] = static_cast<float>(mean);
    fuzzy.view().log_std(0)[a] = static_cast<float>(log_std);
  }
  TreeActor<float> actor(std::move(fuzzy), 40);
  Rng rng(1);
  options.actor_starts = 20;
  Sac sac(actor, options, rng);
  for (int i = 0; i < 30; ++i) sac.update(random_batch(40, 4, 2, rng), rng);
  return sac.target_entropy();
}

TEST(Sac, AsksOfASaturatedActorNoMoreEntropyThanItHasWhileItWaits) {
  // Per action log_std + 1/2 log(2 pi e), and log(1 - tanh^2 u) is nearly log 4 - 2 u.
  EXPECT_NEAR(settled_target(3, -2, small_options()), 2 * (-2 + 1.419 + 1.386 - 6), 0.1);
  EXPECT_EQ(settled_target(0, -0.5, small_options()), -2);  // more random than the usual target
  SacOptions chosen = small_options();
  chosen.target_entropy = -3;
  EXPECT_EQ(settled_target(3, -2, chosen), -3);
}

TEST(SacOptions, RejectsValuesOutOfRange) {
  EXPECT_NO_THROW(validate(SacOptions{}));
  const auto expect_rejected = [](auto change, const char* field) {
    SacOptions options;
    change(options);
    try {
      validate(options);
      ADD_FAILURE() << field;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(field), std::string::npos) << error.what();
    }
  };
  expect_rejected([](SacOptions& o) { o.learning_rate = 0; }, "learning_rate");
  expect_rejected([](SacOptions& o) { o.actor_learning_rate = -1; }, "actor_learning_rate");
  expect_rejected([](SacOptions& o) { o.discount = 1; }, "discount");
  expect_rejected([](SacOptions& o) { o.tau = std::nan(""); }, "tau");
  expect_rejected([](SacOptions& o) { o.batch_size = 0; }, "batch_size");
  expect_rejected([](SacOptions& o) { o.critic_hidden = {5, 0}; }, "critic_hidden");
  expect_rejected([](SacOptions& o) { o.initial_entropy_coefficient = 0; },
                  "initial_entropy_coefficient");
  expect_rejected([](SacOptions& o) { o.target_entropy = 1e9; }, "target_entropy");
  expect_rejected([](SacOptions& o) { o.actor_average = 1; }, "actor_average");
  expect_rejected([](SacOptions& o) { o.threads = 3; }, "threads");
}

}  // namespace
}  // namespace icct
