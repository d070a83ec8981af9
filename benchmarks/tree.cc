// Speed of the crisp tree (act, find_leaf) and of the learnable one (BatchedTree). Observations
// come in random order and every node splits near the median of what reaches it, so that branches
// are as hard to predict as they can be; along a trajectory act() is faster.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "icct/base/rng.h"
#include "icct/policy/policy.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/crispify.h"
#include "icct/tree/initialise.h"

namespace icct {
namespace {

// Rows of normal numbers whose means and spreads differ by feature, as in positions, speeds and
// angles.
template <class T>
std::vector<T> random_observations(int rows, int columns, Rng& rng) {
  std::vector<T> centre, spread;
  for (int j = 0; j < columns; ++j) {
    centre.push_back(static_cast<T>(rng.uniform(-0.5, 0.5)));
    spread.push_back(static_cast<T>(rng.uniform(0.3, 1.5)));
  }
  std::vector<T> values;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j)
      values.push_back(centre[j] + spread[j] * static_cast<T>(rng.normal()));
  }
  return values;
}

template <class T>
FuzzyTree<T> balanced_tree(const TreeOptions& options, MatrixView<const T> observations, Rng& rng) {
  FuzzyTree<T> tree(options);
  initialise_balanced(tree, observations, rng);
  return tree;
}

// The crisp tree.

constexpr int kRows = 512;  // few enough to stay in the cache, as a fresh observation would

struct Deployed {
  std::vector<double> observations;  // kRows
  Policy policy;
};

Deployed make_deployed(const TreeOptions& options, Squashing squashing) {
  Rng rng(1);
  const int m = options.observations;
  Deployed deployed{.observations = random_observations<double>(kRows, m, rng), .policy = {}};
  const MatrixView<const double> x{deployed.observations.data(), kRows, m};
  Policy& policy = deployed.policy;
  policy.name = "benchmark";
  policy.observations = numbered_space("x", m);
  policy.actions = numbered_space("a", options.actions);
  for (Dimension& action : policy.actions) action.lower = -1, action.upper = 1;
  policy.squashing = squashing;
  policy.controller = crispify(balanced_tree(options, x, rng));
  validate(policy);
  return deployed;
}

// Walks through the observations in an order that does not repeat.
class RandomRow {
 public:
  explicit RandomRow(const Deployed& deployed)
      : data_(deployed.observations.data()), columns_(deployed.policy.observations.size()) {}

  std::span<const double> next() {
    state_ = 1664525 * state_ + 1013904223;  // a cheap generator; its high bits are good enough
    return {data_ + (state_ >> 16) % kRows * columns_, columns_};
  }

 private:
  const double* data_;
  std::size_t columns_;
  std::uint32_t state_ = 1;
};

void run_act(benchmark::State& state, const TreeOptions& options, Squashing squashing) {
  const Deployed deployed = make_deployed(options, squashing);
  RandomRow row(deployed);
  std::vector<double> action(deployed.policy.actions.size());
  while (state.KeepRunning()) {
    act(deployed.policy, row.next(), action);
    benchmark::DoNotOptimize(action.data());
    benchmark::ClobberMemory();
  }
}

void run_find_leaf(benchmark::State& state, const TreeOptions& options) {
  const Deployed deployed = make_deployed(options, Squashing::Tanh);
  const Tree& tree = tree_of(deployed.policy);
  RandomRow row(deployed);
  while (state.KeepRunning()) benchmark::DoNotOptimize(find_leaf(tree, row.next()));
}

// The learnable tree.

constexpr int kBatches = 32;  // different ones, in turn

enum class Pass { Forward, ForwardBackward };

void run_batched(benchmark::State& state, const TreeOptions& options, Pass pass) {
  Rng rng(1);
  const int batch = static_cast<int>(state.range(0));
  const int m = options.observations;
  const auto x = random_observations<float>(kBatches * batch, m, rng);
  const auto tree =
      balanced_tree(options, MatrixView<const float>{x.data(), kBatches * batch, m}, rng);
  const std::size_t outputs = static_cast<std::size_t>(batch) * options.actions;
  std::vector<float> mean(outputs), log_std(outputs), d_mean, d_log_std;
  for (std::size_t i = 0; i < outputs; ++i) {
    d_mean.push_back(static_cast<float>(rng.normal()) / static_cast<float>(batch));
    d_log_std.push_back(static_cast<float>(rng.normal()) / static_cast<float>(batch));
  }
  std::vector<float> gradient(tree.parameters().size());
  BatchedTree<float> batched(options, batch);
  const auto view = [&](std::vector<float>& values) {
    return MatrixView<float>{values.data(), batch, options.actions};
  };
  int i = 0;
  while (state.KeepRunning()) {
    const std::size_t start = static_cast<std::size_t>(i++ % kBatches) * batch * m;
    const MatrixView<const float> rows{x.data() + start, batch, m};
    batched.forward(tree, rows, view(mean), view(log_std));
    if (pass == Pass::ForwardBackward)
      batched.backward(tree, view(d_mean), view(d_log_std), gradient);
    benchmark::ClobberMemory();
  }
  using benchmark::Counter;
  state.counters["per_sample"] =
      Counter(batch, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

struct Case {
  const char* name;
  TreeOptions options;
};

const Case kActCases[] = {
    {"1_leaf_8_observations", {.observations = 8, .actions = 2, .leaves = 1}},
    {"8_leaves_8_observations", {.observations = 8, .actions = 2, .leaves = 8}},
    {"32_leaves_46_observations", {.observations = 46, .actions = 2, .leaves = 32}},
};

const Case kBatchedCases[] = {
    {"icct_8_leaves_m8_a2", {.observations = 8, .actions = 2, .leaves = 8}},
    {"icct_16_leaves_m12_a1", {.observations = 12, .actions = 1, .leaves = 16}},
    {"complete_8_leaves_m8_a2",
     {.observations = 8, .actions = 2, .leaves = 8, .leaf = LeafKind::Complete}},
    {"static_32_leaves_m8_a2",
     {.observations = 8, .actions = 2, .leaves = 32, .leaf = LeafKind::Static}},
    {"icct_16_leaves_m66_a2", {.observations = 66, .actions = 2, .leaves = 16}},
    {"icct_1024_leaves_m46_a2", {.observations = 46, .actions = 2, .leaves = 1024}},
    {"cddt_16_leaves_m12_a1",
     {.observations = 12, .actions = 1, .leaves = 16, .nodes = NodeKind::Soft}},
};

void register_all() {
  using benchmark::RegisterBenchmark;
  const auto label = [](const char* what, const Case& c) {
    return std::string(what) + "/" + c.name;
  };
  for (const Case& c : kActCases) {
    RegisterBenchmark(label("act", c).c_str(), run_act, c.options, Squashing::Tanh);
    RegisterBenchmark(label("act_clipped", c).c_str(), run_act, c.options, Squashing::Clip);
    RegisterBenchmark(label("find_leaf", c).c_str(), run_find_leaf, c.options);
  }
  for (const Case& c : kBatchedCases) {
    RegisterBenchmark(label("forward", c).c_str(), run_batched, c.options, Pass::Forward)
        ->Arg(256)
        ->Arg(1024)
        ->Unit(benchmark::kMicrosecond);
    RegisterBenchmark(label("forward_backward", c).c_str(), run_batched, c.options,
                      Pass::ForwardBackward)
        ->Arg(256)
        ->Arg(1024)
        ->Unit(benchmark::kMicrosecond);
  }
}

// Before main, as BENCHMARK() does.
[[maybe_unused]] const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace icct
