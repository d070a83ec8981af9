#include <cmath>

#include "icct/tree/algorithms.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/crispify.h"
#include "tests/golden_files.h"

namespace icct {
namespace {

template <class T>
constexpr double kValueTolerance = std::is_same_v<T, float> ? 1e-5 : 1e-10;
template <class T>
constexpr double kGradientTolerance = std::is_same_v<T, float> ? 1e-4 : 1e-10;

TreeOptions read_options(const Json& config) {
  TreeOptions options;
  options.observations = config.at("input_dim").get<int>();
  options.actions = config.at("output_dim").get<int>();
  options.leaves = config.at("num_leaves").get<int>();
  options.features = config.at("num_sub_features").get<int>();
  options.nodes = config.at("hard_node").get<bool>() ? NodeKind::Crisp : NodeKind::Soft;
  if (!config.at("use_submodels").get<bool>()) {
    options.leaf = LeafKind::Static;
  } else {
    options.leaf =
        config.at("sparse_submodel_type").get<int>() == 2 ? LeafKind::Sparse : LeafKind::Complete;
  }
  options.selector_gradient = config.at("fs_submodel_version").get<int>() == 1
                                  ? SelectorGradient::Combined
                                  : SelectorGradient::PerPick;
  options.shared_steepness = !config.at("use_individual_alpha").get<bool>();
  options.temperature = config.at("argmax_tau").get<double>();
  return options;
}

template <class T>
void copy_into(const std::vector<T>& values, std::span<T> target) {
  ASSERT_EQ(values.size(), target.size());
  std::copy(values.begin(), values.end(), target.begin());
}

// How to read numbers: flatten for doubles, flatten_float for floats.
template <class T>
using Numbers = std::vector<T> (*)(const Json&);

// Lays recorded parameters (or gradients) out as ours.
template <class T>
std::vector<T> arrange(const TreeOptions& o, const Json& recorded, Numbers<T> numbers) {
  FuzzyTree<T> tree(o);
  const auto all = tree.parameters();
  for (const ParameterBlock& block : parameter_blocks(o)) {
    std::size_t size = 1;
    for (const int length : block.shape) size *= static_cast<std::size_t>(length);
    const auto target = all.subspan(block.offset, size);
    if (block.name == "node_weights") copy_into(numbers(recorded.at("layers")), target);
    if (block.name == "thresholds") copy_into(numbers(recorded.at("comparators")), target);
    if (block.name == "steepness") copy_into(numbers(recorded.at("alpha")), target);
    if (block.name == "log_std") copy_into(numbers(recorded.at("action_stds")), target);
    if (o.leaf == LeafKind::Static && block.name == "leaf_bias")
      copy_into(numbers(recorded.at("action_mus")), target);
    if (o.leaf == LeafKind::Sparse && block.name == "gains")
      copy_into(numbers(recorded.at("sub_scalars")), target);
    if (block.name == "selectors") copy_into(numbers(recorded.at("sub_weights")), target);
    if (block.name == "feature_biases") copy_into(numbers(recorded.at("sub_biases")), target);
  }
  for (int leaf = 0; o.leaf == LeafKind::Complete && leaf < o.leaves; ++leaf) {
    const std::string name = "lin_models." + std::to_string(leaf);
    const auto weights = numbers(recorded.at(name + ".weight"));
    copy_into(numbers(recorded.at(name + ".bias")), tree.view().leaf_bias(leaf));
    std::copy(weights.begin(), weights.end(), tree.view().gains(leaf, 0).data());
  }
  return {all.begin(), all.end()};
}

template <class T>
FuzzyTree<T> read_tree(const Json& json) {
  const TreeOptions options = read_options(json.at("config"));
  FuzzyTree<T> tree(options);
  copy_into(arrange<T>(options, json.at("params"), flatten_float<T>), tree.parameters());
  return tree;
}

template <class T>
struct Result {
  std::vector<T> mean, log_std, d_parameters, d_x;
};

template <class T>
Result<T> run(const FuzzyTree<T>& tree, const Json& json) {
  const auto x = flatten_float<T>(json.at("input"));
  const auto d_mean = flatten_float<T>(json.at("upstream_mus"));
  const auto d_log_std = flatten_float<T>(json.at("upstream_stds"));
  const int m = tree.options().observations;
  const int actions = tree.options().actions;
  const int batch = static_cast<int>(x.size()) / m;
  Result<T> r{std::vector<T>(d_mean.size()), std::vector<T>(d_mean.size()),
              std::vector<T>(tree.parameters().size()), std::vector<T>(x.size())};
  BatchedTree<T> pass(tree.options(), batch);
  pass.forward(tree, {x.data(), batch, m}, {r.mean.data(), batch, actions},
               {r.log_std.data(), batch, actions});
  pass.backward(tree, {d_mean.data(), batch, actions}, {d_log_std.data(), batch, actions},
                r.d_parameters, {r.d_x.data(), batch, m});
  return r;
}

template <class T>
void check_model(const Json& json, const Json& expected, const std::string& where) {
  const FuzzyTree<T> tree = read_tree<T>(json);
  const Result<T> result = run<T>(tree, json);
  expect_close(result.mean, flatten<double>(expected.at("mus")), kValueTolerance<T>,
               where + " mean");
  expect_close(result.log_std, flatten<double>(expected.at("stds")), kValueTolerance<T>,
               where + " log_std");
  expect_close(result.d_parameters,
               arrange<double>(tree.options(), expected.at("grads"), flatten<double>),
               kGradientTolerance<T>, where + " gradient");
  expect_close(result.d_x, flatten<double>(expected.at("grad_input")), kGradientTolerance<T>,
               where + " d_x");
}

TEST(Golden, DiffArgmaxMatchesTheRecordedForwardAndBackward) {
  for (const auto& file : golden_files("diff_argmax_")) {
    const Json json = read_golden(file);
    for (const Json& test_case : json.at("cases")) {
      const double tau = test_case.at("tau").get<double>();
      for (std::size_t row = 0; row < test_case.at("logits").size(); ++row) {
        const auto logits = flatten<double>(test_case.at("logits")[row]);
        std::vector<double> soft(logits.size()), one_hot(logits.size()), gradient(logits.size());
        const int index = diff_argmax<double>(logits, tau, soft);
        one_hot[index] = 1;
        diff_argmax_backward<double>(soft, tau, flatten<double>(test_case.at("upstream")[row]),
                                     gradient);
        EXPECT_EQ(index, test_case.at("index")[row].get<int>());
        expect_close(one_hot, flatten<double>(test_case.at("output")[row]), 1e-5,
                     file.string() + " output");
        expect_close(gradient, flatten<double>(test_case.at("grad")[row]), 1e-5,
                     file.string() + " grad");
      }
    }
  }
}

TEST(Golden, ForwardAndBackwardMatchInDouble) {
  for (const auto& file : golden_files("icct_forward_backward_")) {
    const Json json = read_golden(file);
    check_model<double>(json, json.at("float64"), file.filename());
  }
}

TEST(Golden, ForwardAndBackwardMatchInFloat) {
  for (const auto& file : golden_files("icct_forward_backward_")) {
    const Json json = read_golden(file);
    check_model<float>(json, json, file.filename());
  }
}

TEST(Golden, DetermineActionMatchesTheRecordedMeans) {
  for (const auto& file : golden_files("icct_forward_backward_")) {
    const Json json = read_golden(file);
    const FuzzyTree<double> tree = read_tree<double>(json);
    if (tree.options().nodes == NodeKind::Soft) continue;
    for (std::size_t i = 0; i < json.at("input").size(); ++i) {
      std::vector<double> action(tree.options().actions);
      determine_action<double>(tree, flatten_float<double>(json.at("input")[i]), nullptr, action);
      expect_close(action, flatten<double>(json.at("float64").at("mus")[i]), 1e-10,
                   file.filename());
    }
  }
}

TEST(Golden, TheCrispTreeMatchesTheRecordedConversion) {
  for (const auto& file : golden_files("icct_forward_backward_")) {
    const Json json = read_golden(file);
    const Tree tree = crispify(read_tree<float>(json));
    for (std::size_t i = 0; i < json.at("input").size(); ++i) {
      const auto x = flatten_float<double>(json.at("input")[i]);
      const Leaf& leaf = tree.leaves[find_leaf(tree, x)];
      std::vector<double> mean;
      for (const Controller& controller : leaf.controllers) mean.push_back(evaluate(controller, x));
      expect_close(mean, flatten<double>(json.at("crisp").at("mus")[i]), 1e-5, file.filename());
      expect_close(leaf.log_std, flatten<double>(json.at("crisp").at("stds")[i]), 1e-5,
                   file.filename());
    }
  }
}

// Thresholds and directions themselves, where conversion keeps every node.
TEST(Golden, TheCrispSplitsMatchTheRecordedOnes) {
  int compared = 0;
  for (const auto& file : golden_files("icct_forward_backward_")) {
    const Json json = read_golden(file);
    const Json& crisp = json.at("crisp");
    const Tree tree = crispify(read_tree<float>(json));
    if (tree.splits.size() != crisp.at("layers").size()) continue;  // a constant node was dropped
    const auto alpha = flatten<double>(crisp.at("alpha"));
    std::vector<std::pair<NodeRef, std::size_t>> open = {{tree.root, 0}};
    while (!open.empty()) {
      const auto [ref, node] = open.back();
      open.pop_back();
      if (ref.is_leaf) continue;
      const Split& split = tree.splits[ref.index];
      const double weight = crisp.at("layers")[node][split.feature].get<double>();
      const double threshold = flatten<double>(crisp.at("comparators")[node])[0] / weight;
      EXPECT_EQ(split.less, weight * (alpha.size() == 1 ? alpha[0] : alpha[node]) < 0) << file;
      EXPECT_NEAR(split.threshold, threshold, 1e-5 * std::max(1.0, std::abs(threshold))) << file;
      open.emplace_back(split.yes, 2 * node + 1);
      open.emplace_back(split.no, 2 * node + 2);
      ++compared;
    }
  }
  EXPECT_GT(compared, 0);
}

}  // namespace
}  // namespace icct
