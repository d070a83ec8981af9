#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"

namespace icct {

// The sizes of a multi-layer perceptron and where its numbers lie in one parameter vector: layer by
// layer the weights [outputs][inputs], then the biases [outputs].
class MlpShape {
 public:
  MlpShape() = default;
  // sizes: inputs, hidden layers, outputs; at least two, all positive.
  explicit MlpShape(std::vector<int> sizes);

  const std::vector<int>& sizes() const { return sizes_; }
  int layers() const { return static_cast<int>(start_.size()); }
  int inputs(int layer) const { return sizes_[layer]; }
  int outputs(int layer) const { return sizes_[layer + 1]; }
  std::size_t parameters() const { return parameters_; }

  template <class T>
  MatrixView<T> weights(std::span<T> parameters, int layer) const {
    return {parameters.data() + start_[layer], outputs(layer), inputs(layer)};
  }
  template <class T>
  std::span<T> bias(std::span<T> parameters, int layer) const {
    const auto rows = static_cast<std::size_t>(outputs(layer));
    const auto columns = static_cast<std::size_t>(inputs(layer));
    return parameters.subspan(start_[layer] + rows * columns, rows);
  }

  bool operator==(const MlpShape&) const = default;

 private:
  std::vector<int> sizes_;
  std::vector<std::size_t> start_;  // of each layer in the parameters
  std::size_t parameters_ = 0;
};

// A multi-layer perceptron: ReLU after every hidden layer, linear output.
template <class T>
class Mlp {
 public:
  Mlp() = default;
  // sizes: as for MlpShape.
  explicit Mlp(std::vector<int> sizes);

  const MlpShape& shape() const { return shape_; }
  const std::vector<int>& sizes() const { return shape_.sizes(); }
  int layers() const { return shape_.layers(); }
  std::span<T> parameters() { return parameters_; }
  std::span<const T> parameters() const { return parameters_; }
  MatrixView<T> weights(int layer) { return shape_.weights(parameters(), layer); }
  MatrixView<const T> weights(int layer) const { return shape_.weights(parameters(), layer); }
  std::span<T> bias(int layer) { return shape_.bias(parameters(), layer); }
  std::span<const T> bias(int layer) const { return shape_.bias(parameters(), layer); }

  bool operator==(const Mlp&) const = default;

 private:
  MlpShape shape_;
  std::vector<T> parameters_;
};

// Every weight and bias of a layer uniform within 1 / sqrt(inputs), as the published networks
// began.
template <class T>
void initialise(Mlp<T>& mlp, Rng& rng);

// The output for one observation, in the plain order of additions (for deployed policies).
std::vector<double> evaluate(const Mlp<double>& mlp, std::span<const double> x);

}  // namespace icct
