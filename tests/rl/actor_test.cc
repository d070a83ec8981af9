#include "icct/rl/actor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "icct/base/error.h"
#include "icct/rl/mlp_actor.h"
#include "icct/rl/tree_actor.h"
#include "icct/tree/initialise.h"

namespace icct {
namespace {

constexpr int kObservations = 5;
constexpr int kActions = 2;
constexpr int kBatch = 40;

TreeOptions tree_options(NodeKind nodes, LeafKind leaf) {
  TreeOptions options;
  options.observations = kObservations;
  options.actions = kActions;
  options.leaves = 8;
  options.nodes = nodes;
  options.leaf = leaf;
  return options;
}

template <class T>
TreeActor<T> tree_actor(const TreeOptions& options, Rng& rng, const TreeActorOptions& more = {}) {
  FuzzyTree<T> tree(options);
  initialise_published(tree, rng);
  return TreeActor<T>(std::move(tree), kBatch, more);
}

template <class T>
std::vector<T> random_observations(Rng& rng) {
  std::vector<T> x(kBatch * kObservations);
  for (T& value : x) value = static_cast<T>(rng.normal());
  return x;
}

template <class T>
struct Outputs {
  std::vector<T> mean = std::vector<T>(kBatch * kActions);
  std::vector<T> log_std = std::vector<T>(kBatch * kActions);
  MatrixView<T> means() { return {mean.data(), kBatch, kActions}; }
  MatrixView<T> log_stds() { return {log_std.data(), kBatch, kActions}; }
};

template <class T>
Outputs<T> run(Actor<T>& actor, const std::vector<T>& x) {
  Outputs<T> outputs;
  actor.forward({x.data(), kBatch, kObservations}, outputs.means(), outputs.log_stds());
  return outputs;
}

std::vector<double> evaluate_controller(const std::variant<Tree, Mlp<double>>& controller,
                                        const std::vector<double>& x) {
  if (const auto* mlp = std::get_if<Mlp<double>>(&controller)) return evaluate(*mlp, x);
  const Tree& tree = std::get<Tree>(controller);
  std::vector<double> means;
  for (const Controller& action : tree.leaves[find_leaf(tree, x)].controllers)
    means.push_back(evaluate(action, x));
  return means;
}

// What is deployed must be the mean that was learned.
void expect_controller_is_the_mean(Actor<double>& actor, Rng& rng) {
  const auto x = random_observations<double>(rng);
  const auto outputs = run(actor, x);
  const auto controller = actor.controller();
  for (int i = 0; i < kBatch; ++i) {
    const auto first = x.begin() + i * kObservations;
    const auto means = evaluate_controller(controller, {first, first + kObservations});
    for (int a = 0; a < kActions; ++a) EXPECT_NEAR(outputs.mean[i * kActions + a], means[a], 1e-12);
  }
}

TEST(TreeActor, DeploysItsMean) {
  Rng rng(1);
  for (const LeafKind leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete}) {
    auto actor = tree_actor<double>(tree_options(NodeKind::Crisp, leaf), rng);
    expect_controller_is_the_mean(actor, rng);
  }
}

TEST(MlpActor, DeploysItsMean) {
  Rng rng(2);
  for (const auto& hidden : {std::vector<int>{}, {7}, {16, 16}, {20, 3, 9}}) {
    MlpActor<double> actor(kObservations, hidden, kActions, kBatch);
    initialise(actor.network(), rng);
    expect_controller_is_the_mean(actor, rng);
  }
}

TEST(MlpActor, ClampsTheLogStandardDeviationAndStopsItsGradient) {
  MlpActor<double> actor(kObservations, {4}, kActions, kBatch);
  actor.network().bias(1)[2] = 5;     // first action: above the range
  actor.network().bias(1)[3] = -1.5;  // second: inside
  Rng rng(3);
  const auto x = random_observations<double>(rng);
  const auto outputs = run<double>(actor, x);
  EXPECT_EQ(outputs.log_std[0], kMaxLogStd);
  EXPECT_EQ(outputs.log_std[1], -1.5);
  std::vector<double> zero(kBatch * kActions), one(kBatch * kActions, 1.0);
  std::vector<double> gradient(actor.parameters().size());
  actor.backward({zero.data(), kBatch, kActions}, {one.data(), kBatch, kActions}, gradient);
  const auto d_bias = actor.network().shape().bias<double>(gradient, 1);
  EXPECT_EQ(d_bias[2], 0);
  EXPECT_EQ(d_bias[3], kBatch);
}

// Gradients of the smooth actors: soft trees and networks.
void expect_gradient(Actor<double>& actor, Rng& rng) {
  const auto x = random_observations<double>(rng);
  std::vector<double> d_mean(kBatch * kActions), d_log_std(kBatch * kActions);
  for (double& value : d_mean) value = rng.normal();
  for (double& value : d_log_std) value = rng.normal();
  run(actor, x);
  std::vector<double> gradient(actor.parameters().size());
  actor.backward({d_mean.data(), kBatch, kActions}, {d_log_std.data(), kBatch, kActions}, gradient);
  const auto objective = [&] {
    const auto outputs = run(actor, x);
    double sum = 0;
    for (std::size_t i = 0; i < d_mean.size(); ++i)
      sum += d_mean[i] * outputs.mean[i] + d_log_std[i] * outputs.log_std[i];
    return sum;
  };
  const double h = 1e-6;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    double& parameter = actor.parameters()[i];
    const double before = parameter;
    parameter = before + h;
    const double above = objective();
    parameter = before - h;
    const double below = objective();
    parameter = before;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 1e-5) << i;
  }
}

TEST(Actor, GradientsMatchFiniteDifferences) {
  Rng rng(4);
  MlpActor<double> mlp(kObservations, {9, 17}, kActions, kBatch);
  initialise(mlp.network(), rng);
  expect_gradient(mlp, rng);
  auto tree = tree_actor<double>(tree_options(NodeKind::Soft, LeafKind::Complete), rng);
  expect_gradient(tree, rng);
}

TEST(TreeActor, DrawsFreshGumbelNoiseForEveryPass) {
  Rng rng(5);
  TreeActorOptions options;
  options.gumbel = true;
  auto actor = tree_actor<float>(tree_options(NodeKind::Crisp, LeafKind::Sparse), rng, options);
  const auto x = random_observations<float>(rng);
  actor.draw_noise(kBatch, rng);
  const auto first = run<float>(actor, x).mean;
  EXPECT_EQ(run<float>(actor, x).mean, first);  // the same noise
  actor.draw_noise(kBatch, rng);
  EXPECT_NE(run<float>(actor, x).mean, first);
}

TEST(TreeActor, WithoutGumbelUsesNoRandomNumbers) {
  Rng rng(6);
  auto actor = tree_actor<float>(tree_options(NodeKind::Crisp, LeafKind::Sparse), rng);
  const Rng::State before = rng.state();
  actor.draw_noise(kBatch, rng);
  EXPECT_EQ(rng.state(), before);
}

TEST(TreeActor, PenaltyIsTheL1NormWeightedByReachingEachLeaf) {
  Rng rng(7);
  TreeActorOptions options;
  options.l1_coefficient = 0.25;
  auto actor = tree_actor<double>(tree_options(NodeKind::Soft, LeafKind::Complete), rng, options);
  const auto x = random_observations<double>(rng);
  run(actor, x);
  std::vector<double> gradient(actor.parameters().size());
  const double penalty = actor.penalty(rng, gradient);
  EXPECT_GT(penalty, 0);
  // The penalty is linear in the size of the gains, so gains . gradient gives it back.
  double product = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) product += gradient[i] * actor.parameters()[i];
  EXPECT_NEAR(product, penalty, 1e-12);
}

TEST(TreeActor, OneLeafPenaltyTouchesOneLeaf) {
  Rng rng(8);
  TreeActorOptions options;
  options.l1_coefficient = 0.25;
  options.l1_one_leaf = true;
  const auto tree = tree_options(NodeKind::Crisp, LeafKind::Complete);
  auto actor = tree_actor<double>(tree, rng, options);
  run(actor, random_observations<double>(rng));
  std::vector<double> gradient(actor.parameters().size());
  actor.penalty(rng, gradient);
  EXPECT_EQ(std::ranges::count_if(gradient, [](double g) { return g != 0; }),
            kActions * kObservations);
}

TEST(TreeActorOptions, RejectsAPenaltyOnLeavesWithoutOne) {
  TreeActorOptions options;
  options.l1_coefficient = 0.1;
  EXPECT_THROW(validate(options, tree_options(NodeKind::Crisp, LeafKind::Sparse)), Error);
  EXPECT_NO_THROW(validate(options, tree_options(NodeKind::Crisp, LeafKind::Complete)));
  options.l1_coefficient = -1;
  EXPECT_THROW(validate(options, tree_options(NodeKind::Crisp, LeafKind::Complete)), Error);
}

}  // namespace
}  // namespace icct
