#include "icct/rl/mlp_actor.h"

#include <algorithm>

#include "icct/tree/fuzzy_tree.h"

namespace icct {
namespace {

std::vector<int> layer_sizes(int observations, const std::vector<int>& hidden, int outputs) {
  std::vector<int> sizes = {observations};
  sizes.insert(sizes.end(), hidden.begin(), hidden.end());
  sizes.push_back(outputs);
  return sizes;
}

}  // namespace

template <class T>
MlpActor<T>::MlpActor(int observations, const std::vector<int>& hidden, int actions, int max_batch)
    : mlp_(layer_sizes(observations, hidden, 2 * actions)),
      batched_(mlp_.sizes(), max_batch),
      d_heads_(static_cast<std::size_t>(max_batch) * 2 * static_cast<std::size_t>(actions)) {}

template <class T>
void MlpActor<T>::forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) {
  heads_ = batched_.forward(mlp_, x);
  for (int i = 0; i < x.rows; ++i) {
    for (int a = 0; a < actions(); ++a) {
      mean(i, a) = heads_(i, a);
      log_std(i, a) = std::clamp(heads_(i, actions() + a), T(kMinLogStd), T(kMaxLogStd));
    }
  }
}

template <class T>
void MlpActor<T>::backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                           std::span<T> d_parameters, MatrixView<T> d_x) {
  if (d_heads_.size() < heads_.size()) d_heads_.resize(heads_.size());
  const MatrixView<T> d_heads{d_heads_.data(), heads_.rows, heads_.columns};
  for (int i = 0; i < heads_.rows; ++i) {
    for (int a = 0; a < actions(); ++a) {
      const T raw = heads_(i, actions() + a);
      const bool is_clamped = raw < T(kMinLogStd) || raw > T(kMaxLogStd);
      d_heads(i, a) = d_mean(i, a);
      d_heads(i, actions() + a) = is_clamped ? T(0) : d_log_std(i, a);
    }
  }
  batched_.backward(mlp_, d_heads, d_parameters, d_x);
}

template <class T>
std::variant<Tree, Mlp<double>> MlpActor<T>::controller() const {
  std::vector<int> sizes = mlp_.sizes();
  sizes.back() /= 2;
  Mlp<double> deployed(sizes);
  for (int layer = 0; layer < deployed.layers(); ++layer) {
    const auto weights = deployed.weights(layer);
    // The last layer's first rows are the means; those of all other layers are the whole layer.
    std::copy_n(mlp_.weights(layer).data, weights.size(), weights.data);
    std::copy_n(mlp_.bias(layer).begin(), weights.rows, deployed.bias(layer).begin());
  }
  return deployed;
}

template class MlpActor<float>;
template class MlpActor<double>;

}  // namespace icct
