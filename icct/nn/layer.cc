#include "icct/nn/layer.h"

#include <algorithm>

#include "icct/nn/tile.h"

namespace icct {
namespace {

// Samples whose lines a weight gradient goes through at a time: two panels of them fill the
// first-level cache.
constexpr int kBatchBlock = 256;

// tile.sum[r] += x(row[r], k) * line k of `weights`, for all k. x lies in panels as well.
template <class T, int kRows>
[[gnu::always_inline]] inline void multiply(const Panels<T>& x, const int* row, const T* weights,
                                            Tile<T, kRows>& tile) {
  const T* a[kRows];
  unrolled<kRows>([&](auto r) { a[r] = x.line(0, row[r]); });
  const std::ptrdiff_t step = x.panel_step();
  for (int k = 0; k < x.columns() / kLine<T>; ++k) {
    accumulate<T, kRows>(tile, a, 1, weights, kLine<T>);
    weights += kLine<T> * kLine<T>;
    unrolled<kRows>([&](auto r) { a[r] += step; });
  }
  accumulate<T, kRows>(tile, a, 1, weights, x.columns() % kLine<T>);
}

template <class T, int kRows>
void forward_tile(const Panels<T>& x, const int* row, const PackedLayer<T>& layer, int panel,
                  Panels<T>& y) {
  Tile<T, kRows> tile;
  const T* bias = layer.bias.data() + panel * kLine<T>;
  unrolled<kRows>([&](auto r) {
    tile.sum[r][0] = lanes(bias).v;
    tile.sum[r][1] = lanes(bias + kLanes<T>).v;
  });
  multiply<T, kRows>(x, row, layer.by_output.line(panel, 0), tile);
  const Simd<T> zero{};
  unrolled<kRows>([&](auto r) {
    T* out = y.line(panel, row[r]);
    // In this order NaN stays NaN.
    lanes(out).v = zero > tile.sum[r][0] ? zero : tile.sum[r][0];
    lanes(out + kLanes<T>).v = zero > tile.sum[r][1] ? zero : tile.sum[r][1];
  });
}

template <class T, int kRows>
void backward_tile(const Panels<T>& d_y, const int* row, const PackedLayer<T>& layer, int panel,
                   const Panels<T>& h, Panels<T>& d_h) {
  Tile<T, kRows> tile{};
  multiply<T, kRows>(d_y, row, layer.by_input.line(panel, 0), tile);
  const Simd<T> zero{};
  unrolled<kRows>([&](auto r) {
    const T* active = h.line(panel, row[r]);
    T* out = d_h.line(panel, row[r]);
    lanes(out).v = lanes(active).v > zero ? tile.sum[r][0] : zero;
    lanes(out + kLanes<T>).v = lanes(active + kLanes<T>).v > zero ? tile.sum[r][1] : zero;
  });
}

// The sum over all panels of x(row, .) * weights(index, .), sample by sample.
template <class T, int kRows>
[[gnu::always_inline]] inline void dot_products(const Panels<T>& x, const int* row,
                                                const Panels<T>& weights, int index,
                                                T (&products)[kRows]) {
  Simd<T> sum[kRows]{};
  for (int panel = 0; panel < x.panels(); ++panel) {
    const T* w = weights.line(panel, index);
    const Simd<T> w0 = lanes(w).v;
    const Simd<T> w1 = lanes(w + kLanes<T>).v;
    unrolled<kRows>([&](auto r) {
      const T* line = x.line(panel, row[r]);
      add_product(sum[r], lanes(line).v, w0);
      add_product(sum[r], lanes(line + kLanes<T>).v, w1);
    });
  }
  unrolled<kRows>([&](auto r) { products[r] = sum_of_lanes<T>(sum[r]); });
}

// d_w(o + r, panel) = sum over the samples of d_y(sample, o + r) * x(sample, panel).
template <class T, int kRows>
void gradient_tile(const Panels<T>& d_y, int output, const Panels<T>& x, int panel, int first,
                   int last, MatrixView<T> d_w, bool add) {
  Tile<T, kRows> tile{};
  const T* a[kRows];
  unrolled<kRows>([&](auto r) {
    const int o = output + r;
    a[r] = d_y.line(o / kLine<T>, first) + o % kLine<T>;
  });
  accumulate<T, kRows>(tile, a, kLine<T>, x.line(panel, first), last - first);
  const int columns = std::min(kLine<T>, d_w.columns - panel * kLine<T>);
  unrolled<kRows>([&](auto r) {
    T* out = d_w.row(output + r).data() + panel * kLine<T>;
    if (columns == kLine<T>) {
      const Simd<T> zero{};
      lanes(out).v = tile.sum[r][0] + (add ? lanes(out).v : zero);
      lanes(out + kLanes<T>).v = tile.sum[r][1] + (add ? lanes(out + kLanes<T>).v : zero);
    } else {
      T values[kLine<T>];
      lanes(values).v = tile.sum[r][0];
      lanes(values + kLanes<T>).v = tile.sum[r][1];
      for (int j = 0; j < columns; ++j) out[j] = add ? out[j] + values[j] : values[j];
    }
  });
}

}  // namespace

template <class T>
void hidden_forward(const Panels<T>& x, const PackedLayer<T>& layer, std::span<const int> rows,
                    Panels<T>& y) {
  for (int panel = 0; panel < y.panels(); ++panel) {
    for_each_tile(static_cast<int>(rows.size()), [&](auto height, int first) {
      forward_tile<T, height>(x, &rows[first], layer, panel, y);
    });
  }
}

template <class T>
void output_forward(const Panels<T>& x, const PackedLayer<T>& layer, std::span<const int> rows,
                    MatrixView<T> y) {
  for (int o = 0; o < y.columns; ++o) {
    for_each_tile(static_cast<int>(rows.size()), [&](auto height, int first) {
      T products[height];
      dot_products<T, height>(x, &rows[first], layer.by_input, o, products);
      for (int r = 0; r < height; ++r) y(rows[first + r], o) = layer.bias[o] + products[r];
    });
  }
}

template <class T>
void hidden_backward(const Panels<T>& d_y, const PackedLayer<T>& layer, const Panels<T>& h,
                     std::span<const int> rows, Panels<T>& d_h) {
  for (int panel = 0; panel < d_h.panels(); ++panel) {
    for_each_tile(static_cast<int>(rows.size()), [&](auto height, int first) {
      backward_tile<T, height>(d_y, &rows[first], layer, panel, h, d_h);
    });
  }
}

template <class T>
void input_backward(const Panels<T>& d_y, const PackedLayer<T>& layer, int first,
                    std::span<const int> rows, MatrixView<T> d_x) {
  for (int j = 0; j < d_x.columns; ++j) {
    for_each_tile(static_cast<int>(rows.size()), [&](auto height, int start) {
      T products[height];
      dot_products<T, height>(d_y, &rows[start], layer.by_output, first + j, products);
      for (int r = 0; r < height; ++r) d_x(rows[start + r], j) += products[r];
    });
  }
}

template <class T>
void weight_gradient(const Panels<T>& d_y, const Panels<T>& x, int batch, const WeightBlock& block,
                     MatrixView<T> d_w, bool add) {
  for (int first = 0; first < batch; first += kBatchBlock) {
    const int last = std::min(batch, first + kBatchBlock);
    for (int panel = block.first_panel; panel < block.last_panel; ++panel) {
      for_each_tile(block.last_output - block.first_output, [&](auto height, int o) {
        gradient_tile<T, height>(d_y, block.first_output + o, x, panel, first, last, d_w,
                                 add || first > 0);
      });
    }
  }
}

template <class T>
void bias_gradient(const Panels<T>& d_y, int batch, int first_panel, int last_panel,
                   std::span<T> d_bias, bool add) {
  for (int panel = first_panel; panel < last_panel; ++panel) {
    Simd<T> sum[2]{};
    for (int i = 0; i < batch; ++i) {
      const T* line = d_y.line(panel, i);
      sum[0] += lanes(line).v;
      sum[1] += lanes(line + kLanes<T>).v;
    }
    T values[kLine<T>];
    lanes(values).v = sum[0];
    lanes(values + kLanes<T>).v = sum[1];
    T* out = d_bias.data() + panel * kLine<T>;
    const int columns = std::min(kLine<T>, d_y.columns() - panel * kLine<T>);
    for (int j = 0; j < columns; ++j) out[j] = add ? out[j] + values[j] : values[j];
  }
}

template void hidden_forward(const Panels<float>&, const PackedLayer<float>&, std::span<const int>,
                             Panels<float>&);
template void hidden_forward(const Panels<double>&, const PackedLayer<double>&,
                             std::span<const int>, Panels<double>&);
template void output_forward(const Panels<float>&, const PackedLayer<float>&, std::span<const int>,
                             MatrixView<float>);
template void output_forward(const Panels<double>&, const PackedLayer<double>&,
                             std::span<const int>, MatrixView<double>);
template void hidden_backward(const Panels<float>&, const PackedLayer<float>&, const Panels<float>&,
                              std::span<const int>, Panels<float>&);
template void hidden_backward(const Panels<double>&, const PackedLayer<double>&,
                              const Panels<double>&, std::span<const int>, Panels<double>&);
template void input_backward(const Panels<float>&, const PackedLayer<float>&, int,
                             std::span<const int>, MatrixView<float>);
template void input_backward(const Panels<double>&, const PackedLayer<double>&, int,
                             std::span<const int>, MatrixView<double>);
template void weight_gradient(const Panels<float>&, const Panels<float>&, int, const WeightBlock&,
                              MatrixView<float>, bool);
template void weight_gradient(const Panels<double>&, const Panels<double>&, int, const WeightBlock&,
                              MatrixView<double>, bool);
template void bias_gradient(const Panels<float>&, int, int, int, std::span<float>, bool);
template void bias_gradient(const Panels<double>&, int, int, int, std::span<double>, bool);

}  // namespace icct
