#include "icct/rl/td3.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "icct/base/error.h"
#include "icct/rl/mlp_actor.h"
#include "icct/rl/normal_noise.h"
#include "icct/rl/tree_actor.h"
#include "icct/tree/initialise.h"
#include "tests/nn/slow_mlp.h"
#include "tests/rl/random_batch.h"

namespace icct {
namespace {

constexpr int kObservations = 3;
constexpr int kActions = 2;
constexpr int kBatch = 20;

using Row = std::vector<double>;

Row row_of(MatrixView<const float> matrix, int i) {
  return {matrix.row(i).begin(), matrix.row(i).end()};
}

Row joined(Row x, const Row& a) {
  x.insert(x.end(), a.begin(), a.end());
  return x;
}

// The algorithm as published, one sample at a time and in double precision.
struct SlowTd3 {
  SlowTd3(MlpActor<float>& network, Td3& td3, const Td3Options& o)
      : options(o),
        actor(network.network().sizes(), network.parameters()),
        target_actor(actor),
        critic{{{kObservations + kActions, 9, 17, 1}, td3.critic().parameters(0)},
               {{kObservations + kActions, 9, 17, 1}, td3.critic().parameters(1)}},
        target{critic[0], critic[1]},
        critic_adam{SlowAdam(critic[0].p.size()), SlowAdam(critic[1].p.size())},
        actor_adam(actor.p.size()) {}

  static Row policy(SlowMlp& network, const Row& x) {
    Row heads = network.forward(x);
    heads.resize(kActions);
    for (double& value : heads) value = std::tanh(value);
    return heads;
  }

  double target_value(const Batch& batch, const std::vector<float>& noise, int i) {
    const Row x = row_of(batch.next_x(), i);
    Row a = policy(target_actor, x);
    for (int j = 0; j < kActions; ++j) {
      const double e = options.target_noise * static_cast<double>(noise[i * kActions + j]);
      const double limit = options.target_noise_limit;
      a[j] = std::clamp(a[j] + std::clamp(e, -limit, limit), -1.0, 1.0);
    }
    const double q =
        std::min(target[0].forward(joined(x, a))[0], target[1].forward(joined(x, a))[0]);
    const double going_on = 1 - static_cast<double>(batch.terminated[i]);
    return static_cast<double>(batch.rewards[i]) + going_on * options.discount * q;
  }

  double step_critics(const Batch& batch, const std::vector<float>& noise) {
    Row y;
    for (int i = 0; i < kBatch; ++i) y.push_back(target_value(batch, noise, i));
    double loss = 0;
    for (int c = 0; c < 2; ++c) {
      Row gradient(critic[c].p.size());
      for (int i = 0; i < kBatch; ++i) {
        const Row input = joined(row_of(batch.x(), i), row_of(batch.a(), i));
        const double error = critic[c].forward(input)[0] - y[i];
        loss += error * error / kBatch;
        critic[c].backward({2 * error / kBatch}, gradient);
      }
      critic_adam[c].step(critic[c].p, gradient, options.learning_rate);
    }
    return loss;
  }

  double step_actor(const Batch& batch) {
    double loss = 0;
    Row gradient(actor.p.size()), unused(critic[0].p.size());
    for (int i = 0; i < kBatch; ++i) {
      const Row x = row_of(batch.x(), i);
      const Row a = policy(actor, x);
      loss -= critic[0].forward(joined(x, a))[0] / kBatch;
      const Row d_input = critic[0].backward({-1.0 / kBatch}, unused);
      Row d_heads(2 * kActions);
      for (int j = 0; j < kActions; ++j)
        d_heads[j] = d_input[kObservations + j] * (1 - a[j] * a[j]);
      actor.backward(d_heads, gradient);
    }
    actor_adam.step(actor.p, gradient, options.actor_learning_rate);
    const auto follow = [this](SlowMlp& slow, const SlowMlp& fast) {
      for (std::size_t i = 0; i < slow.p.size(); ++i)
        slow.p[i] = (1 - options.tau) * slow.p[i] + options.tau * fast.p[i];
    };
    follow(target_actor, actor);
    for (int c = 0; c < 2; ++c) follow(target[c], critic[c]);
    return loss;
  }

  Td3Options options;
  SlowMlp actor, target_actor;
  SlowMlp critic[2], target[2];
  SlowAdam critic_adam[2], actor_adam;
};

void expect_near(std::span<const float> actual, const Row& expected, const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(static_cast<double>(actual[i]), expected[i], 2e-5) << what << " " << i;
}

Td3Options small_options() {
  Td3Options options;
  options.batch_size = kBatch;
  options.critic_hidden = {9, 17};
  options.tau = 0.1;
  options.policy_delay = 2;
  return options;
}

TEST(Td3, MatchesThePublishedAlgorithmInDouble) {
  Rng rng(1);
  MlpActor<float> actor(kObservations, {8, 11}, kActions, kBatch);
  initialise(actor.network(), rng);
  const Td3Options options = small_options();
  Td3 td3(actor, options, rng);
  SlowTd3 slow(actor, td3, options);
  for (int update = 1; update <= 6; ++update) {
    const Batch batch = random_batch(kBatch, kObservations, kActions, rng);
    std::vector<float> noise(kBatch * kActions);
    fill_normal(rng, noise);
    for (float& value : noise) value *= 2;  // so that some of it is cut
    const Td3Report report = td3.update(batch, noise, rng);
    EXPECT_NEAR(report.critic_loss, slow.step_critics(batch, noise), 1e-5);
    EXPECT_EQ(report.actor_updated, update % 2 == 0);
    const double actor_loss = report.actor_updated ? slow.step_actor(batch) : 0;
    EXPECT_NEAR(report.actor_loss, actor_loss, 1e-5);
    for (int c = 0; c < 2; ++c) {
      expect_near(td3.critic().parameters(c), slow.critic[c].p, "critic");
      expect_near(td3.critic().target_parameters(c), slow.target[c].p, "target critic");
    }
    expect_near(actor.parameters(), slow.actor.p, "actor");
    expect_near(td3.target_actor(), slow.target_actor.p, "target actor");
  }
}

std::unique_ptr<Actor<float>> tree_actor(Rng& rng) {
  TreeOptions options;
  options.observations = kObservations;
  options.actions = kActions;
  FuzzyTree<float> tree(options);
  initialise_published(tree, rng);
  TreeActorOptions more;
  more.gumbel = true;
  return std::make_unique<TreeActor<float>>(std::move(tree), kBatch, more);
}

struct Learning {
  explicit Learning(int threads)
      : rng(2), actor(tree_actor(rng)), td3(*actor, with_threads(threads), rng) {}

  static Td3Options with_threads(int threads) {
    Td3Options options = small_options();
    options.threads = threads;
    options.actor_average = 0.9;
    return options;
  }
  void update(int times, int batch = kBatch) {
    for (int i = 0; i < times; ++i)
      td3.update(random_batch(batch, kObservations, kActions, rng), rng);
  }
  std::string state() {
    StateArchive archive;
    td3.visit_state(archive);
    archive.rng("rng", rng);
    return archive.take_bytes();
  }

  Rng rng;
  std::unique_ptr<Actor<float>> actor;
  Td3 td3;
};

TEST(Td3, ContinuesExactlyFromASavedState) {
  Learning whole(1), first(1), second(1);
  whole.update(7);
  first.update(3);
  const std::string saved = first.state();
  StateArchive archive(saved);
  second.td3.visit_state(archive);
  archive.rng("rng", second.rng);
  archive.finish();
  second.update(4);
  EXPECT_TRUE(second.state() == whole.state());
}

TEST(Td3, GivesTheSameBitsOnTwoThreads) {
  Learning one(1), two(2);
  one.update(5, 5001);  // large enough to be shared
  two.update(5, 5001);
  EXPECT_TRUE(one.state() == two.state());
}

TEST(Td3, LeavesStandardDeviationsAlone) {
  Learning learning(1);
  const auto blocks =
      parameter_blocks(static_cast<TreeActor<float>&>(*learning.actor).tree().options());
  const auto block = std::ranges::find(blocks, "log_std", &ParameterBlock::name);
  const auto part = learning.actor->parameters().subspan(block->offset, 8 * kActions);
  const std::vector<float> before(part.begin(), part.end());
  learning.update(4);
  EXPECT_TRUE(std::ranges::equal(before, part));
}

TEST(Td3, ExploresInsideTheBounds) {
  Learning learning(1);
  const std::vector<double> x = {3, -3, 1};
  std::vector<double> action(kActions), other(kActions);
  learning.td3.explore(x, learning.rng, action);
  learning.td3.explore(x, learning.rng, other);
  EXPECT_NE(action, other);
  for (const double value : action) EXPECT_LE(std::abs(value), 1);
}

TEST(Td3, RefusesABatchWithNan) {
  Learning learning(1);
  const std::string before = learning.state();
  Batch batch = random_batch(kBatch, kObservations, kActions, learning.rng);
  batch.rewards[3] = std::nanf("");
  EXPECT_THROW(learning.td3.update(batch, learning.rng), Error);
  learning.rng = Learning(1).rng;
  EXPECT_TRUE(learning.state() == before);
}

TEST(Td3Options, RejectsValuesOutOfRange) {
  EXPECT_NO_THROW(validate(Td3Options{}));
  const auto expect_rejected = [](auto change) {
    Td3Options options;
    change(options);
    EXPECT_THROW(validate(options), Error);
  };
  expect_rejected([](Td3Options& o) { o.learning_rate = 0; });
  expect_rejected([](Td3Options& o) { o.actor_learning_rate = 2; });
  expect_rejected([](Td3Options& o) { o.discount = -0.1; });
  expect_rejected([](Td3Options& o) { o.tau = 0; });
  expect_rejected([](Td3Options& o) { o.batch_size = 0; });
  expect_rejected([](Td3Options& o) { o.critic_hidden = {-1}; });
  expect_rejected([](Td3Options& o) { o.exploration_noise = -1; });
  expect_rejected([](Td3Options& o) { o.target_noise = 3; });
  expect_rejected([](Td3Options& o) { o.target_noise_limit = std::nan(""); });
  expect_rejected([](Td3Options& o) { o.policy_delay = 0; });
  expect_rejected([](Td3Options& o) { o.actor_average = 1; });
  expect_rejected([](Td3Options& o) { o.threads = 0; });
}

}  // namespace
}  // namespace icct
