#include "icct/rl/twin_critic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/nn/slow_mlp.h"
#include "tests/rl/random_batch.h"

namespace icct {
namespace {

struct Case {
  int observations, actions;
  std::vector<int> hidden;
  int batch;
};

std::vector<double> joined(const Batch& batch, const Case& c, int row) {
  const auto x = batch.x().row(row);
  const auto a = batch.a().row(row);
  std::vector<double> input(x.begin(), x.end());
  input.insert(input.end(), a.begin(), a.end());
  EXPECT_EQ(input.size(), static_cast<std::size_t>(c.observations + c.actions));
  return input;
}

std::vector<int> sizes_of(const Case& c) {
  std::vector<int> sizes = {c.observations + c.actions};
  sizes.insert(sizes.end(), c.hidden.begin(), c.hidden.end());
  sizes.push_back(1);
  return sizes;
}

class TwinCriticSizes : public testing::TestWithParam<Case> {};

TEST_P(TwinCriticSizes, RegressAsOnPaper) {
  const Case c = GetParam();
  Rng rng(1);
  Team team(1);
  TwinCritic critic(c.observations, c.actions, c.hidden, c.batch, team, rng);
  const Batch batch = random_batch(c.batch, c.observations, c.actions, rng);
  SlowMlp slow[2] = {{sizes_of(c), critic.parameters(0)}, {sizes_of(c), critic.parameters(1)}};
  TwinValues values;
  const double loss = critic.regress({batch.x(), batch.a()}, batch.rewards, 0.5f, values);
  double slow_loss = 0;
  for (int i = 0; i < 2; ++i) {
    std::vector<double> gradient(slow[i].p.size());
    for (int row = 0; row < c.batch; ++row) {
      const double q = slow[i].forward(joined(batch, c, row))[0];
      const double error = q - static_cast<double>(batch.rewards[row]);
      EXPECT_NEAR(static_cast<double>(values.q[i][row]), q, 1e-5);
      slow_loss += 0.5 * error * error / c.batch;
      slow[i].backward({error / c.batch}, gradient);
    }
    for (std::size_t j = 0; j < gradient.size(); ++j)
      ASSERT_NEAR(static_cast<double>(critic.gradient(i)[j]), gradient[j], 1e-5) << j;
  }
  EXPECT_NEAR(loss, slow_loss, 1e-5 * std::max(1.0, slow_loss));
}

TEST_P(TwinCriticSizes, GiveTheActorTheGradientOfItsOwnMinimum) {
  const Case c = GetParam();
  Rng rng(2);
  Team team(1);
  TwinCritic critic(c.observations, c.actions, c.hidden, c.batch, team, rng);
  const Batch batch = random_batch(c.batch, c.observations, c.actions, rng);
  std::vector<float> d_actions(batch.actions.size(), 99.0f);
  SlowMlp slow[2] = {{sizes_of(c), critic.parameters(0)}, {sizes_of(c), critic.parameters(1)}};
  for (const ActorValue value : {ActorValue::Minimum, ActorValue::First}) {
    TwinValues values;
    critic.actor_gradient({batch.x(), batch.a()}, value, values,
                          {d_actions.data(), c.batch, c.actions});
    for (int row = 0; row < c.batch; ++row) {
      const double q[2] = {slow[0].forward(joined(batch, c, row))[0],
                           slow[1].forward(joined(batch, c, row))[0]};
      const int chosen = value == ActorValue::Minimum && q[1] < q[0] ? 1 : 0;
      std::vector<double> unused(slow[0].p.size());
      const auto d = slow[chosen].backward({-1.0 / c.batch}, unused);
      for (int a = 0; a < c.actions; ++a)
        ASSERT_NEAR(static_cast<double>(d_actions[row * c.actions + a]), d[c.observations + a],
                    1e-6);
    }
  }
}

TEST_P(TwinCriticSizes, GiveTheSameBitsOnTwoThreads) {
  const Case c = GetParam();
  std::vector<float> results[2];
  for (const int threads : {1, 2}) {
    Rng rng(3);
    Team team(threads);
    TwinCritic critic(c.observations, c.actions, c.hidden, c.batch, team, rng);
    const Batch batch = random_batch(c.batch, c.observations, c.actions, rng);
    const StateActions at{batch.x(), batch.a()};
    TwinValues values;
    std::vector<float> d_actions(batch.actions.size());
    for (int update = 0; update < 3; ++update) {
      critic.evaluate_targets(at, values);
      critic.regress(at, batch.rewards, 1, values);
      critic.step(1e-3, 0.01);
      critic.actor_gradient(at, ActorValue::Minimum, values,
                            {d_actions.data(), c.batch, c.actions});
    }
    auto& all = results[threads - 1];
    const auto append = [&all](auto part) { all.insert(all.end(), part.begin(), part.end()); };
    append(std::span(d_actions));
    for (int i = 0; i < 2; ++i) {
      append(std::span(values.q[i]));
      append(critic.parameters(i));
      append(critic.target_parameters(i));
    }
  }
  EXPECT_TRUE(results[0] == results[1]);
}

INSTANTIATE_TEST_SUITE_P(Sizes, TwinCriticSizes,
                         testing::Values(Case{1, 1, {1, 1}, 1}, Case{8, 2, {64, 64}, 64},
                                         Case{4, 1, {17, 33}, 7}, Case{46, 8, {50, 100}, 150},
                                         Case{3, 2, {400, 300}, 21}, Case{12, 1, {5}, 300},
                                         Case{2, 1, {}, 10}, Case{20, 30, {16, 1024}, 57}));

TEST(TwinCritic, TargetsFollowByTauAndOtherwiseStay) {
  Rng rng(4);
  Team team(1);
  TwinCritic critic(3, 1, {20, 20}, 8, team, rng);
  const Batch batch = random_batch(8, 3, 1, rng);
  const auto target = critic.target_parameters(0);
  const std::vector<float> before(target.begin(), target.end());
  EXPECT_TRUE(std::ranges::equal(before, critic.parameters(0)));
  TwinValues values;
  critic.regress({batch.x(), batch.a()}, batch.rewards, 1, values);
  critic.step(0.01, 0);
  EXPECT_TRUE(std::ranges::equal(before, target));
  EXPECT_FALSE(std::ranges::equal(before, critic.parameters(0)));
  critic.regress({batch.x(), batch.a()}, batch.rewards, 1, values);
  critic.step(0.01, 0.25);
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_NEAR(target[i], 0.75f * before[i] + 0.25f * critic.parameters(0)[i], 1e-6);
}

TEST(TwinCritic, TargetsAreEvaluatedWithTheirOwnParameters) {
  Rng rng(5);
  Team team(1);
  TwinCritic critic(3, 1, {20, 20}, 8, team, rng);
  const Batch batch = random_batch(8, 3, 1, rng);
  const StateActions at{batch.x(), batch.a()};
  TwinValues before, after, online;
  critic.evaluate_targets(at, before);
  critic.regress(at, batch.rewards, 1, online);
  EXPECT_EQ(before.q, online.q);  // they start alike
  critic.step(0.01, 0);
  critic.evaluate_targets(at, after);
  EXPECT_EQ(before.q, after.q);
}

}  // namespace
}  // namespace icct
