#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/nn/mlp.h"
#include "icct/nn/simd.h"

namespace icct {

// A matrix cut into panels of kLine columns: a panel holds one cache line per row, row after row.
// Products then read every factor front to back without copying it first. Columns beyond the last
// are zero.
template <class T>
class Panels {
 public:
  Panels() = default;
  Panels(int rows, int columns);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int panels() const { return (columns_ + kLine<T> - 1) / kLine<T>; }
  std::ptrdiff_t panel_step() const { return static_cast<std::ptrdiff_t>(stride_) * kLine<T>; }

  T* line(int panel, int row) { return data() + offset(panel, row); }
  const T* line(int panel, int row) const { return data() + offset(panel, row); }
  T& operator()(int row, int column) { return line(column / kLine<T>, row)[column % kLine<T>]; }
  T operator()(int row, int column) const {
    return line(column / kLine<T>, row)[column % kLine<T>];
  }

  // Copies the given rows of `matrix` to the columns from `first` on.
  void copy_rows(MatrixView<const T> matrix, int first, std::span<const int> rows);

 private:
  struct alignas(64) Line {
    T values[kLine<T>];
  };
  T* data() { return lines_.data()->values; }
  const T* data() const { return lines_.data()->values; }
  std::ptrdiff_t offset(int panel, int row) const {
    return panel * panel_step() + static_cast<std::ptrdiff_t>(row) * kLine<T>;
  }

  int rows_ = 0, columns_ = 0, stride_ = 0;
  std::vector<Line> lines_;
};

// One layer's weights, ready for products in both directions.
template <class T>
struct PackedLayer {
  PackedLayer(int inputs, int outputs)
      : by_output(inputs, outputs),
        by_input(outputs, inputs),
        bias(static_cast<std::size_t>(by_output.panels()) * kLine<T>) {}

  Panels<T> by_output;  // [inputs][outputs]: a line holds weights of consecutive outputs
  Panels<T> by_input;   // [outputs][inputs]: a line holds weights of consecutive inputs
  std::vector<T> bias;  // [outputs], and zeros to the end of the last panel
};

// What packed parameters are for.
enum class Passes { Forward, ForwardAndBackward };

// The parameters of a network, ready for products. A copy: load again when they have changed.
template <class T>
class PackedMlp {
 public:
  PackedMlp(const MlpShape& shape, Passes passes);

  // Several callers may share the work: each does its `part` of `parts`.
  void load(std::span<const T> parameters, int part = 0, int parts = 1);

  const MlpShape& shape() const { return shape_; }
  const PackedLayer<T>& layer(int i) const { return layers_[i]; }

 private:
  MlpShape shape_;
  Passes passes_;
  std::vector<PackedLayer<T>> layers_;
};

}  // namespace icct
