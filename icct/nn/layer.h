#pragma once

#include <span>

#include "icct/base/matrix.h"
#include "icct/nn/panels.h"

// One fully connected layer for a batch, forward and backward. x and h are [batch][inputs], y and
// d_y [batch][outputs]. `rows` lists the samples to compute, so that threads can share a batch and
// single samples can be left out. What one sample gets does not depend on the others, nor on how
// the rows are divided.

namespace icct {

// y = max(0, x w^T + bias), the layer and its ReLU.
template <class T>
void hidden_forward(const Panels<T>& x, const PackedLayer<T>& layer, std::span<const int> rows,
                    Panels<T>& y);

// y = x w^T + bias for a layer of few outputs.
template <class T>
void output_forward(const Panels<T>& x, const PackedLayer<T>& layer, std::span<const int> rows,
                    MatrixView<T> y);

// d_h = d_y w where h > 0, else 0: through the layer and the ReLU before it. h is the layer's
// input.
template <class T>
void hidden_backward(const Panels<T>& d_y, const PackedLayer<T>& layer, const Panels<T>& h,
                     std::span<const int> rows, Panels<T>& d_h);

// d_x += columns [first, first + d_x.columns) of d_y w.
template <class T>
void input_backward(const Panels<T>& d_y, const PackedLayer<T>& layer, int first,
                    std::span<const int> rows, MatrixView<T> d_x);

// A block of a layer's weights: outputs [first_output, last_output) by panels of inputs.
struct WeightBlock {
  int first_output, last_output;
  int first_panel, last_panel;
};

// d_w = d_y^T x over the first `batch` samples, for the weights in `block`; added to d_w if `add`.
template <class T>
void weight_gradient(const Panels<T>& d_y, const Panels<T>& x, int batch, const WeightBlock& block,
                     MatrixView<T> d_w, bool add);

// d_bias = sum of the first `batch` rows of d_y, for the outputs in panels [first_panel,
// last_panel); added to d_bias if `add`.
template <class T>
void bias_gradient(const Panels<T>& d_y, int batch, int first_panel, int last_panel,
                   std::span<T> d_bias, bool add);

}  // namespace icct
