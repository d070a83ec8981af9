#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace icct {

// How a decision node decides.
enum class NodeKind {
  Crisp,  // ICCT: one feature, one branch, by differentiable crispification
  Soft,   // CDDT: all features, both branches, weighted by a sigmoid
};

// What stands at a leaf, for each action.
enum class LeafKind {
  Static,    // a constant, e = 0
  Sparse,    // a linear controller of e features that the leaf selects itself
  Complete,  // a linear controller of all features, e = m; with an L1 penalty: ICCT-L1-sparse
};

// How the gradient reaches the feature selectors of a sparse leaf. Both forms compute the same
// output.
enum class SelectorGradient {
  PerPick,   // the published code in most domains: every pick is (z.s)(z.x) + z.b
  Combined,  // the paper's equation: (u o s).(u o x) + u.b with u the sum of all picks
};

struct TreeOptions {
  int observations = 1;  // length m of an observation
  int actions = 1;       // length of an action
  int leaves = 8;        // a power of two, from 1 (a single controller)
  int features = 2;      // e, features per leaf and action of sparse leaves, 1 .. observations
  NodeKind nodes = NodeKind::Crisp;
  LeafKind leaf = LeafKind::Sparse;
  SelectorGradient selector_gradient = SelectorGradient::PerPick;
  bool shared_steepness = false;  // one alpha for the tree instead of one per node
  double temperature = 1;         // tau of every softmax in diff_argmax, > 0
};

// Throws Error naming the field, its value and its range.
void validate(const TreeOptions& options);

// Bounds of the log standard deviations, as published.
inline constexpr double kMinLogStd = -20;
inline constexpr double kMaxLogStd = 2;

// One named block of the parameter vector, e.g. {"node_weights", 0, {7, 8}}.
struct ParameterBlock {
  std::string name;
  std::size_t offset;
  std::vector<int> shape;
};

// Named views of a vector laid out as the parameters of a tree: the parameters themselves, their
// gradient, or an optimiser's moments. Nodes are numbered breadth first from the root, leaves from
// left to right.
template <class T>
class TreeView {
 public:
  TreeView(const TreeOptions& options, std::span<T> values);

  std::span<T> node_weights(int node) const { return block(weights_, node, m_); }
  T& threshold(int node) const { return values_[thresholds_ + index(node)]; }
  T& steepness(int node) const { return values_[steepness_ + index(shared_steepness_ ? 0 : node)]; }
  std::span<T> log_std(int leaf) const { return block(log_stds_, leaf, actions_); }

  // Static leaves: the mean per action. Complete leaves: the constant term per action.
  std::span<T> leaf_bias(int leaf) const { return block(biases_, leaf, actions_); }
  // Sparse and complete leaves: one gain per feature.
  std::span<T> gains(int leaf, int action) const { return block(gains_, row(leaf, action), m_); }
  // Sparse leaves only: which features matter, and the constant each brings along.
  std::span<T> selectors(int leaf, int action) const {
    return block(selectors_, row(leaf, action), m_);
  }
  std::span<T> feature_biases(int leaf, int action) const {
    return block(feature_biases_, row(leaf, action), m_);
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::span<T> block(std::size_t start, int i, int length) const {
    return values_.subspan(start + index(i) * index(length), index(length));
  }
  int row(int leaf, int action) const { return leaf * actions_ + action; }

  std::span<T> values_;
  int m_;
  int actions_;
  bool shared_steepness_;
  std::size_t weights_ = 0, thresholds_ = 0, steepness_ = 0, log_stds_ = 0;
  std::size_t biases_ = 0, gains_ = 0, selectors_ = 0, feature_biases_ = 0;
};

// The blocks of the parameter vector, in order; they cover it without gaps.
std::vector<ParameterBlock> parameter_blocks(const TreeOptions& options);

// The learnable tree: a perfect binary tree whose parameters lie in one vector. All zero until
// initialised.
template <class T>
class FuzzyTree {
 public:
  explicit FuzzyTree(const TreeOptions& options);

  const TreeOptions& options() const { return options_; }
  int depth() const { return depth_; }
  int nodes() const { return options_.leaves - 1; }
  int leaves() const { return options_.leaves; }

  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }
  TreeView<T> view() { return {options_, parameters_}; }
  TreeView<const T> view() const { return {options_, parameters_}; }

 private:
  TreeOptions options_;
  int depth_;
  std::vector<T> parameters_;
};

}  // namespace icct
