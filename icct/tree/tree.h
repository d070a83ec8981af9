#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace icct {

// Where a branch leads: to a split or to a leaf, by index.
struct NodeRef {
  int index = 0;
  bool is_leaf = true;

  bool operator==(const NodeRef&) const = default;
};

// A decision people can read: "x[feature] >= threshold", or "<=" when `less`.
struct Split {
  int feature = 0;
  bool less = false;
  double threshold = 0;
  NodeRef yes = {};  // the left branch
  NodeRef no = {};
  std::string name = {};  // what people call it; empty: node0, node1, ... by its index

  bool operator==(const Split&) const = default;
};

// The one place where a crisp tree decides. Equality is true in both directions.
inline bool decides_yes(const Split& split, double x) {
  return split.less ? x <= split.threshold : x >= split.threshold;
}

struct Term {
  int feature = 0;
  double gain = 0;

  bool operator==(const Term&) const = default;
};

// bias + sum of gain * x[feature]. Terms stand in ascending order of features, which is also the
// order of the sum.
struct Controller {
  double bias = 0;
  std::vector<Term> terms = {};

  bool operator==(const Controller&) const = default;
};

// The controller's output. Never NaN for finite x: a product that overflows counts as the largest
// finite number of its sign, so that opposite infinities cannot meet. Not decreasing or not
// increasing in each x, rounding included.
double evaluate(const Controller& controller, std::span<const double> x);

// The same for observations given by value_of(term).
template <class ValueOf>
double evaluate_with(const Controller& controller, const ValueOf& value_of) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  double value = controller.bias;
  for (const Term& term : controller.terms)
    value += std::clamp(term.gain * value_of(term), -kLargest, kLargest);
  return value;
}

struct Leaf {
  std::vector<Controller> controllers;  // one per action
  std::vector<double> log_std = {};  // spread that training explored with, per action; may be empty
  std::string name = {};             // as for splits; empty: leaf0, leaf1, ...

  bool operator==(const Leaf&) const = default;
};

// The crisp tree. Links are explicit, so that pruned and uneven trees are trees too. A single leaf
// is a tree.
struct Tree {
  std::vector<Split> splits;
  std::vector<Leaf> leaves;
  NodeRef root;

  bool operator==(const Tree&) const = default;
};

// The name of a split or leaf, given or by its index.
std::string name_of(const Tree& tree, NodeRef ref);

// In decisions. Deeper trees cannot be read by anybody, and would exhaust whoever walks them
// recursively.
inline constexpr int kMaxTreeDepth = 1000;

// Throws Error unless every link leads somewhere, every split and leaf is reached exactly once (no
// cycles, no sharing, nothing left over) by at most kMaxTreeDepth decisions, names differ, features
// and actions are in range, terms ascend, and all numbers are finite.
void validate(const Tree& tree, int observations, int actions);

// Index of the leaf that x reaches. The tree must be valid for x.
int find_leaf(const Tree& tree, std::span<const double> x);

int depth(const Tree& tree);                       // 0 for a single leaf
std::vector<int> features_used(const Tree& tree);  // ascending, in splits or controllers

// Building by hand: make_split(0, 0.1, make_leaf({{.bias = 1}}), make_leaf({{.bias = -1}})).
Tree make_leaf(std::vector<Controller> controllers);
Tree make_split(int feature, double at_least, const Tree& yes, const Tree& no);
Tree make_split_less(int feature, double at_most, const Tree& yes, const Tree& no);

// The same tree with splits and leaves numbered in the order of a depth-first walk, yes before no.
Tree renumbered(const Tree& tree);

}  // namespace icct
