#pragma once

#include <cmath>
#include <span>

#include "icct/base/rng.h"
#include "icct/tree/fuzzy_tree.h"

// The algorithms of the paper under their own names, each followed by its gradient. T is float or
// double.
//
// Letters as in the paper: x observation of m features, w node weights, b threshold, alpha
// steepness, tau temperature, z one-hot vector, theta selectors, beta gains, phi feature biases, e
// number of features of a controller.
//
// Gradients of a batch reach node_crisp and enforce_sparsity as two sums over its samples, "sum" of
// d and "sum_x" of d * x, because both depend on the parameters alone. Every _backward adds to its
// outputs.

namespace icct {

// Algorithm 1, read literally and for one observation: the action before squashing, drawn from the
// leaf's Gaussian when `rng` is given (training), else its mean. For trees with crisp nodes;
// BatchedTree does whole batches.
template <class T>
void determine_action(const FuzzyTree<T>& tree, std::span<const T> x, Rng* rng,
                      std::span<T> action);

// A decision node as it is learned. `noise` turns the softmax into a Gumbel-Softmax; empty for
// none.
template <class T>
struct FuzzyNode {
  std::span<const T> w;
  T b;
  T alpha;
  std::span<const T> noise = {};
};

template <class T>
struct FuzzyNodeGradient {
  std::span<T> w;
  T& b;
  T& alpha;
};

// A decision node as it decides: true, the left branch, exactly when direction * x[feature] >=
// bound. direction is +1 or -1; it is 0 where the outcome does not depend on x (all weights or the
// steepness are zero).
template <class T>
struct CrispNode {
  int feature;
  T direction;
  T bound;
  T steepness;  // |alpha|

  // alpha (w'.x - b') of the paper: positive or zero means true.
  T value(T x_k) const { return steepness * (direction * x_k - bound); }
};

// Algorithm 2. Keeps the weight of largest magnitude and divides by it: alpha (w.x - b) becomes
// alpha (sign(w_k) x_k - b / |w_k|). `scratch` holds m numbers.
template <class T>
CrispNode<T> node_crisp(const FuzzyNode<T>& node, std::span<T> scratch);

// `sum` and `sum_x` add up d and d * x, d the gradient at the node's value; k is the feature that
// node_crisp kept. `scratch` holds 3 m numbers.
template <class T>
void node_crisp_backward(const FuzzyNode<T>& node, int k, T tau, T sum, std::span<const T> sum_x,
                         FuzzyNodeGradient<T> gradient, std::span<T> scratch);

// Algorithm 3. The branch taken: true is left. Equality is true, as in the published code; this is
// the one place where a learnable tree decides. It compares instead of subtracting so that no
// rounding stands between it and the crisp tree.
template <class T>
bool outcome_crisp(const CrispNode<T>& node, T x_k) {
  return node.direction * x_k >= node.bound;
}

// With `noise`, the difference of two Gumbel draws (left minus right).
template <class T>
bool outcome_crisp(const CrispNode<T>& node, T x_k, T noise) {
  return node.value(x_k) + noise >= 0;
}

// Gradient at the node's value, given the gradient at the outcome (true = 1). `value` includes the
// noise, if any.
template <class T>
T outcome_crisp_backward(T value, T tau, T d_outcome) {
  const T soft = 1 / (1 + std::exp(-std::abs(value) / tau));  // of the likelier branch
  return d_outcome * soft * (1 - soft) / tau;
}

// Algorithm 4. Index of the largest logit (lowest index on ties): the one-hot vector z. Unless it
// is empty, `soft` receives the softmax, which backward needs.
template <class T>
int diff_argmax(std::span<const T> logits, T tau, std::span<T> soft);

// Straight through: d_logits[i] += soft[i] (d_z[i] - soft.d_z) / tau.
template <class T>
void diff_argmax_backward(std::span<const T> soft, T tau, std::span<const T> d_z,
                          std::span<T> d_logits);

// The controller of one leaf and one action as it is learned; all spans hold m numbers but `noise`,
// which holds e x m numbers for the Gumbel-Softmax, or none.
template <class T>
struct FuzzyController {
  std::span<const T> theta;
  std::span<const T> beta;
  std::span<const T> phi;
  std::span<const T> noise = {};
};

template <class T>
struct FuzzyControllerGradient {
  std::span<T> theta;
  std::span<T> beta;
  std::span<T> phi;
};

// Controller sparsity. Picks e = picks.size() features, one diff_argmax of |theta| after the other,
// the picked selector set to zero each time. Without noise the picks differ. `scratch` holds m
// numbers.
template <class T>
void enforce_sparsity(const FuzzyController<T>& controller, std::span<int> picks,
                      std::span<T> scratch);

// `sum` and `sum_x` add up d and d * x, d the gradient at the controller's output. `scratch` holds
// 5 m numbers.
template <class T>
void enforce_sparsity_backward(const FuzzyController<T>& controller, std::span<const int> picks,
                               SelectorGradient form, T tau, T sum, std::span<const T> sum_x,
                               FuzzyControllerGradient<T> gradient, std::span<T> scratch);

// A sparse controller as it computes: bias + sum of gain * x[feature], features in ascending order.
template <class T>
struct SparseTerm {
  int feature;
  T gain;
};

// Fills `terms` (one per pick, ascending features) and returns the bias: the sum of the picked phi.
template <class T>
T selected_controller(const FuzzyController<T>& controller, std::span<const int> picks,
                      SelectorGradient form, std::span<SparseTerm<T>> terms);

}  // namespace icct
