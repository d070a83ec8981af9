#pragma once

#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"

namespace icct {

// A multi-layer perceptron: ReLU after every hidden layer, linear output. Parameters lie in one
// vector, layer by layer: weights [outputs][inputs], then biases [outputs].
template <class T>
class Mlp {
 public:
  Mlp() = default;
  // sizes: inputs, hidden layers, outputs; at least two, all positive.
  explicit Mlp(std::vector<int> sizes);

  const std::vector<int>& sizes() const { return sizes_; }
  int layers() const { return static_cast<int>(sizes_.size()) - 1; }
  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }
  MatrixView<T> weights(int layer) {
    return {parameters_.data() + start_[layer], sizes_[layer + 1], sizes_[layer]};
  }
  MatrixView<const T> weights(int layer) const {
    return {parameters_.data() + start_[layer], sizes_[layer + 1], sizes_[layer]};
  }
  std::span<T> bias(int layer) {
    return std::span(parameters_).subspan(bias_start(layer), outputs(layer));
  }
  std::span<const T> bias(int layer) const {
    return std::span(parameters_).subspan(bias_start(layer), outputs(layer));
  }

  bool operator==(const Mlp&) const = default;

 private:
  std::size_t outputs(int layer) const { return static_cast<std::size_t>(sizes_[layer + 1]); }
  std::size_t bias_start(int layer) const {
    return start_[layer] + outputs(layer) * static_cast<std::size_t>(sizes_[layer]);
  }

  std::vector<int> sizes_;
  std::vector<std::size_t> start_;  // of each layer in the parameters
  std::vector<T> parameters_;
};

// Every weight and bias of a layer uniform within 1 / sqrt(inputs), as the published networks
// began.
template <class T>
void initialise(Mlp<T>& mlp, Rng& rng);

// Forward and backward for a whole batch; holds the work space, so that neither allocates for
// batches of at most `max_batch` samples.
template <class T>
class BatchedMlp {
 public:
  BatchedMlp(const std::vector<int>& sizes, int max_batch);

  // `x` must stay as it is until backward. The result is valid until the next call.
  MatrixView<const T> forward(const Mlp<T>& mlp, MatrixView<const T> x);

  // Adds the gradient of the last forward pass to `d_parameters` and, unless it is empty, to `d_x`.
  void backward(const Mlp<T>& mlp, MatrixView<const T> d_output, std::span<T> d_parameters,
                MatrixView<T> d_x = {});

 private:
  void reserve(int batch);
  MatrixView<T> activation(int layer) {
    return {outputs_[layer].data(), x_.rows, sizes_[layer + 1]};
  }

  std::vector<int> sizes_;
  MatrixView<const T> x_;
  std::vector<std::vector<T>> outputs_;  // of each layer, after ReLU
  std::vector<T> d_outputs_, d_inputs_;  // of the layer at hand
};

// The output for one observation, in the plain order of additions (for deployed policies).
std::vector<double> evaluate(const Mlp<double>& mlp, std::span<const double> x);

}  // namespace icct
