#include "icct/nn/panels.h"

#include <algorithm>

#include "icct/base/check.h"

namespace icct {
namespace {

// Rows between panels. Not a multiple of 16 lines: panels at power-of-two distances would all fall
// into the same few sets of the first-level cache.
int stride_for(int rows) {
  return (rows + 7) / 16 * 16 + 8;
}

// Lines of the outputs [first, last), which share a panel: the weights transposed.
template <class T>
void pack_by_output(MatrixView<const T> weights, int first, int last, Panels<T>& packed) {
  constexpr int n = kLanes<T>;
  const int whole = last - first == kLine<T> ? weights.columns / n * n : 0;
  T* line = packed.line(first / kLine<T>, 0);
  for (int i = 0; i < whole; i += n) {
    for (int half = 0; half < kLine<T>; half += n)
      transpose_block(weights.row(first + half).data() + i, weights.columns,
                      line + i * kLine<T> + half, kLine<T>);
  }
  for (int i = whole; i < weights.columns; ++i)
    for (int o = first; o < last; ++o) line[i * kLine<T> + o - first] = weights(o, i);
}

// Lines of the outputs [first, last): their weights as they are, cut into panels.
template <class T>
void pack_by_input(MatrixView<const T> weights, int first, int last, Panels<T>& packed) {
  const int whole = weights.columns / kLine<T>;
  for (int panel = 0; panel < whole; ++panel) {
    for (int o = first; o < last; ++o) {
      const T* row = weights.row(o).data() + panel * kLine<T>;
      T* line = packed.line(panel, o);
      lanes(line).v = lanes(row).v;
      lanes(line + kLanes<T>).v = lanes(row + kLanes<T>).v;
    }
  }
  for (int o = first; o < last; ++o)
    for (int i = whole * kLine<T>; i < weights.columns; ++i) packed(o, i) = weights(o, i);
}

}  // namespace

template <class T>
Panels<T>::Panels(int rows, int columns)
    : rows_(rows), columns_(columns), stride_(stride_for(rows)) {
  lines_.resize(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(panels()));
}

template <class T>
void Panels<T>::copy_rows(MatrixView<const T> matrix, int first, std::span<const int> rows) {
  ICCT_CHECK(first + matrix.columns <= columns_ && matrix.rows <= rows_);
  // Panel by panel: the columns that fall into it.
  for (int begin = first; begin < first + matrix.columns;) {
    const int panel = begin / kLine<T>;
    const int end = std::min((panel + 1) * kLine<T>, first + matrix.columns);
    for (const int row : rows) {
      const T* from = matrix.row(row).data() + (begin - first);
      T* to = line(panel, row) + begin % kLine<T>;
      for (int j = 0; j < end - begin; ++j) to[j] = from[j];
    }
    begin = end;
  }
}

template <class T>
PackedMlp<T>::PackedMlp(const MlpShape& shape, Passes passes) : shape_(shape), passes_(passes) {
  for (int i = 0; i < shape.layers(); ++i) layers_.emplace_back(shape.inputs(i), shape.outputs(i));
}

template <class T>
void PackedMlp<T>::load(std::span<const T> parameters, int part, int parts) {
  ICCT_CHECK(parameters.size() == shape_.parameters());
  for (int i = 0; i < shape_.layers(); ++i) {
    PackedLayer<T>& layer = layers_[i];
    const auto weights = shape_.weights(parameters, i);
    const auto bias = shape_.bias(parameters, i);
    const int panels = layer.by_output.panels();
    for (int p = panels * part / parts; p < panels * (part + 1) / parts; ++p) {
      const int first = p * kLine<T>;
      const int last = std::min(first + kLine<T>, weights.rows);
      pack_by_output(weights, first, last, layer.by_output);
      // The output layer's own lines serve its forward pass, too.
      if (passes_ == Passes::ForwardAndBackward || i + 1 == shape_.layers())
        pack_by_input(weights, first, last, layer.by_input);
      std::copy(bias.begin() + first, bias.begin() + last, layer.bias.begin() + first);
    }
  }
}

template class Panels<float>;
template class Panels<double>;
template class PackedMlp<float>;
template class PackedMlp<double>;

}  // namespace icct
