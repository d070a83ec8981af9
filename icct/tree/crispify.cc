#include "icct/tree/crispify.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/tree/algorithms.h"

namespace icct {
namespace {

// A gain of exactly 0 is none: nobody has to read it.
template <class T>
void append_term(int feature, T gain, Controller& controller) {
  if (gain != 0) controller.terms.push_back({feature, static_cast<double>(gain)});
}

template <class T>
Controller crisp_controller(const FuzzyTree<T>& fuzzy, int leaf, int action) {
  const TreeOptions& options = fuzzy.options();
  const auto view = fuzzy.view();
  Controller controller;
  if (options.leaf != LeafKind::Sparse)
    controller.bias = static_cast<double>(view.leaf_bias(leaf)[action]);
  if (options.leaf == LeafKind::Static) return controller;

  const auto gains = view.gains(leaf, action);
  if (options.leaf == LeafKind::Complete) {
    for (int j = 0; j < options.observations; ++j) append_term(j, gains[j], controller);
    return controller;
  }
  const FuzzyController<T> learned{view.selectors(leaf, action), gains,
                                   view.feature_biases(leaf, action)};
  std::vector<int> picks(options.features);
  std::vector<T> scratch(options.observations);
  std::vector<SparseTerm<T>> terms(options.features);
  enforce_sparsity<T>(learned, picks, scratch);
  controller.bias =
      static_cast<double>(selected_controller<T>(learned, picks, options.selector_gradient, terms));
  for (const SparseTerm<T>& term : terms) append_term(term.feature, term.gain, controller);
  return controller;
}

template <class T>
Leaf crisp_leaf(const FuzzyTree<T>& fuzzy, int index) {
  Leaf leaf;
  for (int action = 0; action < fuzzy.options().actions; ++action) {
    leaf.controllers.push_back(crisp_controller(fuzzy, index, action));
    const auto log_std = static_cast<double>(fuzzy.view().log_std(index)[action]);
    leaf.log_std.push_back(std::clamp(log_std, kMinLogStd, kMaxLogStd));
  }
  return leaf;
}

// Splits and leaves below `node`, appended to `tree`; where it begins is returned.
template <class T>
NodeRef append_subtree(const FuzzyTree<T>& fuzzy, int node, std::vector<T>& scratch, Tree& tree) {
  if (node >= fuzzy.nodes()) {
    tree.leaves.push_back(crisp_leaf(fuzzy, node - fuzzy.nodes()));
    return {static_cast<int>(tree.leaves.size()) - 1, true};
  }
  const auto view = fuzzy.view();
  const CrispNode<T> crisp =
      node_crisp<T>({view.node_weights(node), view.threshold(node), view.steepness(node)}, scratch);
  if (crisp.direction == 0 || std::isinf(crisp.bound)) {
    const bool yes = outcome_crisp(crisp, T(0));
    return append_subtree(fuzzy, 2 * node + (yes ? 1 : 2), scratch, tree);
  }
  const int index = static_cast<int>(tree.splits.size());
  const bool less = crisp.direction < 0;
  // Adding 0 turns a threshold of -0 into 0; the decision is the same.
  const double threshold = static_cast<double>(less ? -crisp.bound : crisp.bound) + 0.0;
  tree.splits.push_back({.feature = crisp.feature, .less = less, .threshold = threshold});
  const NodeRef yes = append_subtree(fuzzy, 2 * node + 1, scratch, tree);
  const NodeRef no = append_subtree(fuzzy, 2 * node + 2, scratch, tree);
  tree.splits[index].yes = yes;
  tree.splits[index].no = no;
  return {index, false};
}

}  // namespace

template <class T>
Tree crispify(const FuzzyTree<T>& fuzzy) {
  for (const T parameter : fuzzy.parameters()) {
    if (std::isfinite(parameter)) continue;
    throw Error("the learned tree cannot be made crisp: a parameter is " +
                exact_text(static_cast<double>(parameter)) +
                "; training has diverged, try a smaller learning rate");
  }
  Tree tree;
  std::vector<T> scratch(fuzzy.options().observations);
  tree.root = append_subtree(fuzzy, 0, scratch, tree);
  return tree;
}

template Tree crispify(const FuzzyTree<float>&);
template Tree crispify(const FuzzyTree<double>&);

}  // namespace icct
