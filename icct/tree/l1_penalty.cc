#include "icct/tree/l1_penalty.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"

namespace icct {

template <class T>
T l1_penalty(const FuzzyTree<T>& tree, std::span<const T> attention, T coefficient) {
  ICCT_CHECK(tree.options().leaf == LeafKind::Complete);
  const auto view = tree.view();
  T penalty = 0;
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    for (int a = 0; a < tree.options().actions; ++a) {
      for (const T gain : view.gains(leaf, a)) penalty += attention[leaf] * std::abs(gain);
    }
  }
  return coefficient * static_cast<T>(tree.leaves()) * penalty;
}

template <class T>
void l1_penalty_backward(const FuzzyTree<T>& tree, std::span<const T> attention, T coefficient,
                         std::span<T> d_parameters) {
  ICCT_CHECK(tree.options().leaf == LeafKind::Complete);
  const auto view = tree.view();
  const TreeView<T> gradient(tree.options(), d_parameters);
  for (int leaf = 0; leaf < tree.leaves(); ++leaf) {
    const T scale = coefficient * static_cast<T>(tree.leaves()) * attention[leaf];
    for (int a = 0; a < tree.options().actions; ++a) {
      const auto gains = view.gains(leaf, a);
      const auto d_gains = gradient.gains(leaf, a);
      for (std::size_t j = 0; j < gains.size(); ++j) {
        d_gains[j] += scale * static_cast<T>((gains[j] > 0) - (gains[j] < 0));
      }
    }
  }
}

template <class T>
void one_leaf_attention(std::span<T> probabilities, Rng& rng) {
  double remaining = rng.uniform();
  std::size_t chosen = 0;
  for (std::size_t leaf = 0; leaf < probabilities.size(); ++leaf) {
    if (probabilities[leaf] > 0) chosen = leaf;
    remaining -= static_cast<double>(probabilities[leaf]);
    if (remaining < 0) break;
  }
  std::fill(probabilities.begin(), probabilities.end(), T(0));
  probabilities[chosen] = 1;
}

template float l1_penalty(const FuzzyTree<float>&, std::span<const float>, float);
template double l1_penalty(const FuzzyTree<double>&, std::span<const double>, double);
template void l1_penalty_backward(const FuzzyTree<float>&, std::span<const float>, float,
                                  std::span<float>);
template void l1_penalty_backward(const FuzzyTree<double>&, std::span<const double>, double,
                                  std::span<double>);
template void one_leaf_attention(std::span<float>, Rng&);
template void one_leaf_attention(std::span<double>, Rng&);

}  // namespace icct
