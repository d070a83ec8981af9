#pragma once

#include <span>

#include "icct/base/rng.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

// The penalty of ICCT-L1-sparse on complete leaves: coefficient * leaves * sum over leaves of
// attention[leaf] * (sum of the absolute gains; biases are left out). The attention is the mean
// probability of reaching the leaf; it carries no gradient. The variant that regularises one leaf
// per update sets it to one_leaf_attention.
template <class T>
T l1_penalty(const FuzzyTree<T>& tree, std::span<const T> attention, T coefficient);
template <class T>
void l1_penalty_backward(const FuzzyTree<T>& tree, std::span<const T> attention, T coefficient,
                         std::span<T> d_parameters);

// Replaces leaf probabilities by the one-hot vector of one leaf drawn from them.
template <class T>
void one_leaf_attention(std::span<T> probabilities, Rng& rng);

}  // namespace icct
