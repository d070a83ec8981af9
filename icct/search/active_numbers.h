#pragma once

#include <span>
#include <string>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/tree/tree.h"

namespace icct {

// The numbers of a crisp tree that search may change: every threshold, bias and gain, its structure
// left alone. In this order: thresholds of all splits; then leaf by leaf, action by action, the
// bias and the gains.
std::vector<double> active_numbers(const Tree& tree);
void set_active_numbers(Tree& tree, std::span<const double> values);

// The policy, which must be a tree, with other numbers.
Policy with_active_numbers(Policy policy, std::span<const double> values);

// How far each of them must move to matter alike: a threshold by the spread of its feature, a gain
// by one over it, a bias by one. `feature_spread`: one positive number per observation.
std::vector<double> active_scales(const Tree& tree, std::span<const double> feature_spread);

// Which of them belong to something with one of these names: a split, a leaf, or an action in all
// leaves. Throws Error for a name that is none of these.
std::vector<bool> named_numbers(const Policy& policy, std::span<const std::string> names);

// Which of them decide anything where only these leaves are visited: the numbers of those leaves,
// and the thresholds between them. `visited`: one per leaf.
std::vector<bool> deciding_numbers(const Tree& tree, const std::vector<bool>& visited);

}  // namespace icct
