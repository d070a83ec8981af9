#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "icct/tree/algorithms.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

// The controllers of all leaves, made ready once per batch: the feature choices depend on the
// parameters alone. On the way back it adds up two sums per leaf and action, from which `backward`
// gets every leaf gradient.
template <class T>
class LeafBank {
 public:
  explicit LeafBank(const TreeOptions& options);

  // Picks the features of sparse leaves. `noise`: leaves x actions x e x m Gumbel numbers, or
  // empty.
  void prepare(const TreeView<const T>& view, std::span<const T> noise);

  // Means of all actions at `leaf` for the observation x.
  void mean(const TreeView<const T>& view, int leaf, const T* x, T* mean) const;

  void start_backward();
  void add_gradient(int leaf, const T* d_mean, const T* x);
  void add_input_gradient(const TreeView<const T>& view, int leaf, const T* d_mean, T* d_x) const;
  void backward(const TreeView<const T>& view, std::span<const T> noise,
                const TreeView<T>& gradient);

 private:
  std::size_t row(int leaf, int action) const {
    return static_cast<std::size_t>(leaf) * actions_ + action;
  }
  FuzzyController<T> controller(const TreeView<const T>& view, std::span<const T> noise, int leaf,
                                int action) const;

  TreeOptions options_;
  std::size_t m_, actions_, features_;
  std::vector<int> picks_;             // leaves x actions x e, in the order of picking
  std::vector<SparseTerm<T>> terms_;   // the same, in the order of features
  std::vector<T> biases_;              // leaves x actions, of sparse leaves
  std::vector<T> sum_, sum_x_;         // leaves x actions (x m): sums of d_mean and of d_mean * x
  std::vector<std::uint8_t> touched_;  // leaves that have a gradient
  std::vector<T> scratch_;
};

template <class T>
inline void LeafBank<T>::mean(const TreeView<const T>& view, int leaf, const T* x, T* mean) const {
  for (std::size_t a = 0; a < actions_; ++a) {
    const int action = static_cast<int>(a);
    if (options_.leaf == LeafKind::Sparse) {
      T value = biases_[row(leaf, action)];
      const SparseTerm<T>* terms = terms_.data() + row(leaf, action) * features_;
      for (std::size_t i = 0; i < features_; ++i) value += terms[i].gain * x[terms[i].feature];
      mean[a] = value;
    } else {
      T value = view.leaf_bias(leaf)[a];
      if (options_.leaf == LeafKind::Complete) {
        const T* gains = view.gains(leaf, action).data();
#pragma omp simd simdlen(4) reduction(+ : value)  // four: see forward_soft
        for (std::size_t j = 0; j < m_; ++j) value += gains[j] * x[j];
      }
      mean[a] = value;
    }
  }
}

template <class T>
inline void LeafBank<T>::add_gradient(int leaf, const T* d_mean, const T* x) {
  touched_[leaf] = 1;
  for (std::size_t a = 0; a < actions_; ++a) {
    const std::size_t r = row(leaf, static_cast<int>(a));
    sum_[r] += d_mean[a];
    if (options_.leaf == LeafKind::Static) continue;
    T* sum_x = sum_x_.data() + r * m_;
    const T d = d_mean[a];
#pragma omp simd
    for (std::size_t j = 0; j < m_; ++j) sum_x[j] += d * x[j];
  }
}

template <class T>
inline void LeafBank<T>::add_input_gradient(const TreeView<const T>& view, int leaf,
                                            const T* d_mean, T* d_x) const {
  if (options_.leaf == LeafKind::Static) return;
  for (std::size_t a = 0; a < actions_; ++a) {
    const int action = static_cast<int>(a);
    if (options_.leaf == LeafKind::Sparse) {
      const SparseTerm<T>* terms = terms_.data() + row(leaf, action) * features_;
      for (std::size_t i = 0; i < features_; ++i)
        d_x[terms[i].feature] += d_mean[a] * terms[i].gain;
    } else {
      const T* gains = view.gains(leaf, action).data();
      for (std::size_t j = 0; j < m_; ++j) d_x[j] += d_mean[a] * gains[j];
    }
  }
}

}  // namespace icct
