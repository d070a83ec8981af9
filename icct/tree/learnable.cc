#include "icct/tree/learnable.h"

#include <algorithm>
#include <bit>
#include <string>

#include "icct/base/check.h"
#include "icct/base/error.h"

namespace icct {
namespace {

class Filler {
 public:
  Filler(const Tree& tree, double log_std, FuzzyTree<double>& learnable)
      : tree_(tree), log_std_(log_std), options_(learnable.options()), view_(learnable.view()) {}

  void fill(NodeRef from, int node) const {
    if (node >= options_.leaves - 1) {
      ICCT_CHECK(from.is_leaf);
      return fill_leaf(tree_.leaves[static_cast<std::size_t>(from.index)],
                       node - (options_.leaves - 1));
    }
    view_.steepness(node) = 1;
    if (from.is_leaf) {
      view_.threshold(node) = -1;  // 0 x >= -1
      fill(from, 2 * node + 1);
      return fill(from, 2 * node + 2);
    }
    const Split& split = tree_.splits[static_cast<std::size_t>(from.index)];
    view_.node_weights(node)[static_cast<std::size_t>(split.feature)] = split.less ? -1 : 1;
    view_.threshold(node) = split.less ? -split.threshold : split.threshold;
    fill(split.yes, 2 * node + 1);
    fill(split.no, 2 * node + 2);
  }

 private:
  void fill_leaf(const Leaf& leaf, int index) const {
    for (int action = 0; action < options_.actions; ++action) {
      const auto a = static_cast<std::size_t>(action);
      view_.log_std(index)[a] = leaf.log_std.empty() ? log_std_ : leaf.log_std[a];
      const Controller& controller = leaf.controllers[a];
      if (options_.leaf != LeafKind::Sparse) view_.leaf_bias(index)[a] = controller.bias;
      if (options_.leaf == LeafKind::Static) continue;
      for (const Term& term : controller.terms)
        view_.gains(index, action)[static_cast<std::size_t>(term.feature)] = term.gain;
      if (options_.leaf == LeafKind::Sparse) select(controller, index, action);
    }
  }

  // Selects the features of the controller and, if it has fewer than are picked, others with gain
  // 0.
  void select(const Controller& controller, int leaf, int action) const {
    const auto selectors = view_.selectors(leaf, action);
    for (const Term& term : controller.terms) selectors[static_cast<std::size_t>(term.feature)] = 1;
    auto missing = options_.features - static_cast<int>(controller.terms.size());
    for (double& selector : selectors) {
      if (selector != 0 || missing-- <= 0) continue;
      selector = 0.5;
    }
    // The bias is the sum of what the picked features bring along: one of them brings all.
    const auto first = std::ranges::find_if(selectors, [](double s) { return s != 0; });
    view_.feature_biases(leaf, action)[static_cast<std::size_t>(first - selectors.begin())] =
        controller.bias;
  }

  const Tree& tree_;
  double log_std_;
  TreeOptions options_;
  TreeView<double> view_;
};

// Called like those without a name, "node3" or "leaf3", which are numbered anew.
bool is_number(const std::string& name) {
  return (name.starts_with("node") || name.starts_with("leaf")) && name.size() > 4 &&
         name.find_first_not_of("0123456789", 4) == std::string::npos;
}

void keep_names_below(const Tree& start, NodeRef from, Tree& learned, NodeRef to) {
  if (from.is_leaf != to.is_leaf) return;
  const auto before = static_cast<std::size_t>(from.index);
  const auto now = static_cast<std::size_t>(to.index);
  if (from.is_leaf) {
    if (!is_number(start.leaves[before].name)) learned.leaves[now].name = start.leaves[before].name;
    return;
  }
  const Split& old = start.splits[before];
  Split& split = learned.splits[now];
  if (old.feature == split.feature && old.less == split.less && !is_number(old.name))
    split.name = old.name;
  keep_names_below(start, old.yes, learned, split.yes);
  keep_names_below(start, old.no, learned, split.no);
}

}  // namespace

TreeOptions learnable_options(const Tree& tree, int observations, int actions, int leaves,
                              int features) {
  const int levels = depth(tree);
  if (levels > kMaxLearnableDepth)
    throw Error("the tree has a path of " + std::to_string(levels) +
                " decisions; gradients can begin from at most " +
                std::to_string(kMaxLearnableDepth) + ", direct search from any");
  TreeOptions options;
  options.observations = observations;
  options.actions = actions;
  options.leaves =
      std::max(1 << levels, static_cast<int>(std::bit_ceil(static_cast<unsigned>(leaves))));
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers)
      features = std::max(features, static_cast<int>(controller.terms.size()));
  }
  options.features = std::max(features, 1);
  options.leaf = features == 0              ? LeafKind::Static
                 : features == observations ? LeafKind::Complete
                                            : LeafKind::Sparse;
  return options;
}

FuzzyTree<double> learnable(const Tree& tree, const TreeOptions& options, double log_std) {
  FuzzyTree<double> result(options);
  Filler(tree, log_std, result).fill(tree.root, 0);
  return result;
}

void keep_names(const Tree& start, Tree& learned) {
  keep_names_below(start, start.root, learned, learned.root);
}

}  // namespace icct
