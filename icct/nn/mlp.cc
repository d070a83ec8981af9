#include "icct/nn/mlp.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"

namespace icct {
namespace {

// output = input * weights^T + bias, then ReLU on hidden layers.
template <class T>
void layer_forward(MatrixView<const T> input, MatrixView<const T> weights, std::span<const T> bias,
                   bool relu, MatrixView<T> output) {
  for (int i = 0; i < input.rows; ++i) {
    const T* x = input.row(i).data();
    for (int o = 0; o < weights.rows; ++o) {
      const T* w = weights.row(o).data();
      T sum = bias[o];
#pragma omp simd reduction(+ : sum)
      for (int j = 0; j < weights.columns; ++j) sum += w[j] * x[j];
      output(i, o) = relu ? std::max(sum, T(0)) : sum;
    }
  }
}

// Adds the gradients of weights, bias and (unless empty) input.
template <class T>
void layer_backward(MatrixView<const T> input, MatrixView<const T> weights,
                    MatrixView<const T> d_output, MatrixView<T> d_weights, std::span<T> d_bias,
                    MatrixView<T> d_input) {
  for (int i = 0; i < input.rows; ++i) {
    const T* x = input.row(i).data();
    T* d_x = d_input.empty() ? nullptr : d_input.row(i).data();
    for (int o = 0; o < weights.rows; ++o) {
      const T d = d_output(i, o);
      if (d == 0) continue;
      d_bias[o] += d;
      const T* w = weights.row(o).data();
      T* d_w = d_weights.row(o).data();
#pragma omp simd
      for (int j = 0; j < weights.columns; ++j) d_w[j] += d * x[j];
      if (d_x == nullptr) continue;
#pragma omp simd
      for (int j = 0; j < weights.columns; ++j) d_x[j] += d * w[j];
    }
  }
}

}  // namespace

template <class T>
Mlp<T>::Mlp(std::vector<int> sizes) : sizes_(std::move(sizes)) {
  ICCT_CHECK(sizes_.size() >= 2 &&
             std::all_of(sizes_.begin(), sizes_.end(), [](int size) { return size > 0; }));
  std::size_t end = 0;
  for (int layer = 0; layer < layers(); ++layer) {
    start_.push_back(end);
    end = bias_start(layer) + outputs(layer);
  }
  parameters_.resize(end);
}

template <class T>
void initialise(Mlp<T>& mlp, Rng& rng) {
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    const double bound = 1.0 / std::sqrt(mlp.sizes()[layer]);
    const auto weights = mlp.weights(layer);
    for (T& weight : std::span(weights.data, weights.size()))
      weight = static_cast<T>(rng.uniform(-bound, bound));
    for (T& bias : mlp.bias(layer)) bias = static_cast<T>(rng.uniform(-bound, bound));
  }
}

template <class T>
BatchedMlp<T>::BatchedMlp(const std::vector<int>& sizes, int max_batch)
    : sizes_(sizes), outputs_(sizes.size() - 1) {
  reserve(max_batch);
}

template <class T>
void BatchedMlp<T>::reserve(int batch) {
  const auto rows = static_cast<std::size_t>(batch);
  std::size_t widest = 0;
  for (std::size_t layer = 0; layer < outputs_.size(); ++layer) {
    const std::size_t size = rows * static_cast<std::size_t>(sizes_[layer + 1]);
    if (outputs_[layer].size() < size) outputs_[layer].resize(size);
    widest = std::max(widest, outputs_[layer].size());
  }
  if (d_outputs_.size() < widest) d_outputs_.resize(widest);
  if (d_inputs_.size() < widest) d_inputs_.resize(widest);
}

template <class T>
MatrixView<const T> BatchedMlp<T>::forward(const Mlp<T>& mlp, MatrixView<const T> x) {
  ICCT_CHECK(mlp.sizes() == sizes_ && x.columns == sizes_.front());
  reserve(x.rows);
  x_ = x;
  MatrixView<const T> input = x;
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    const bool hidden = layer + 1 < mlp.layers();
    layer_forward<T>(input, mlp.weights(layer), mlp.bias(layer), hidden, activation(layer));
    input = activation(layer);
  }
  return input;
}

template <class T>
void BatchedMlp<T>::backward(const Mlp<T>& mlp, MatrixView<const T> d_output,
                             std::span<T> d_parameters, MatrixView<T> d_x) {
  ICCT_CHECK(d_output.rows == x_.rows && d_output.columns == sizes_.back());
  ICCT_CHECK(d_parameters.size() == mlp.parameters().size());
  std::copy(d_output.data, d_output.data + d_output.size(), d_outputs_.begin());
  std::size_t end = d_parameters.size();
  for (int layer = mlp.layers() - 1; layer >= 0; --layer) {
    const auto weights = mlp.weights(layer);
    const std::size_t biases = static_cast<std::size_t>(weights.rows);
    T* d_weights = d_parameters.data() + end - biases - weights.size();
    MatrixView<T> d_input = d_x;
    if (layer > 0) {
      d_input = {d_inputs_.data(), x_.rows, weights.columns};
      std::fill(d_inputs_.begin(), d_inputs_.begin() + static_cast<std::ptrdiff_t>(d_input.size()),
                T(0));
    }
    layer_backward<T>(layer > 0 ? MatrixView<const T>(activation(layer - 1)) : x_, weights,
                      {d_outputs_.data(), x_.rows, weights.rows},
                      {d_weights, weights.rows, weights.columns},
                      d_parameters.subspan(end - biases, biases), d_input);
    end -= biases + weights.size();
    if (layer == 0) break;
    // Through the ReLU of the layer before.
    const auto active = activation(layer - 1);
    for (std::size_t i = 0; i < active.size(); ++i)
      d_outputs_[i] = active.data[i] > 0 ? d_inputs_[i] : T(0);
  }
}

template class Mlp<float>;
template class Mlp<double>;
template class BatchedMlp<float>;
template class BatchedMlp<double>;
template void initialise(Mlp<float>&, Rng&);
template void initialise(Mlp<double>&, Rng&);

}  // namespace icct
