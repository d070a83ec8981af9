#include "icct/nn/batched_mlp.h"

#include <algorithm>
#include <numeric>

#include "icct/base/check.h"
#include "icct/nn/layer.h"

namespace icct {
namespace {

// Samples that go through all layers together, so that their activations stay in the second-level
// cache.
constexpr std::size_t kRowBlock = 96;

template <class F>
void for_each_block(std::span<const int> rows, const F& f) {
  for (std::size_t first = 0; first < rows.size(); first += kRowBlock)
    f(rows.subspan(first, std::min(kRowBlock, rows.size() - first)));
}

// A part of a layer's weights, cut along its longer side.
WeightBlock block_of(int outputs, int panels, int part, int parts) {
  WeightBlock block{0, outputs, 0, panels};
  if (outputs >= panels) {
    block.first_output = outputs * part / parts;
    block.last_output = outputs * (part + 1) / parts;
  } else {
    block.first_panel = panels * part / parts;
    block.last_panel = panels * (part + 1) / parts;
  }
  return block;
}

}  // namespace

template <class T>
BatchedMlp<T>::BatchedMlp(const std::vector<int>& sizes, int max_batch)
    : shape_(sizes), weights_(shape_, Passes::ForwardAndBackward) {
  start(max_batch);
}

template <class T>
template <class Work>
void BatchedMlp<T>::run(const Work& work) {
  const std::size_t multiply_adds = rows().size() * shape_.parameters();
  if (team_ == nullptr || !Team::is_worth(multiply_adds)) return work(0, 1);
  team_->run([&](int member) { work(member, team_->size()); });
}

template <class T>
void BatchedMlp<T>::start(int batch) {
  batch_ = batch;
  if (rows_.size() >= static_cast<std::size_t>(batch)) return;
  inputs_.clear();
  d_outputs_.clear();
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    inputs_.emplace_back(batch, shape_.inputs(layer));
    d_outputs_.emplace_back(batch, shape_.outputs(layer));
  }
  rows_.resize(static_cast<std::size_t>(batch));
  std::iota(rows_.begin(), rows_.end(), 0);
  output_.resize(rows_.size() * static_cast<std::size_t>(shape_.sizes().back()));
}

template <class T>
std::span<const int> BatchedMlp<T>::rows(int part, int parts) const {
  const auto first = static_cast<std::size_t>(batch_ * part / parts);
  const auto last = static_cast<std::size_t>(batch_ * (part + 1) / parts);
  return std::span(rows_).subspan(first, last - first);
}

template <class T>
void BatchedMlp<T>::set_input(MatrixView<const T> x, int first, std::span<const int> rows) {
  inputs_.front().copy_rows(x, first, rows);
}

template <class T>
void BatchedMlp<T>::forward_rows(const PackedMlp<T>& weights, std::span<const int> rows) {
  const int last = shape_.layers() - 1;
  for_each_block(rows, [&](std::span<const int> block) {
    for (int layer = 0; layer < last; ++layer)
      hidden_forward(inputs_[layer], weights.layer(layer), block, inputs_[layer + 1]);
    output_forward(inputs_[last], weights.layer(last), block, output());
  });
}

template <class T>
void BatchedMlp<T>::set_output_gradient(MatrixView<const T> d_output, std::span<const int> rows) {
  d_outputs_.back().copy_rows(d_output, 0, rows);
}

template <class T>
void BatchedMlp<T>::backward_rows(const PackedMlp<T>& weights, std::span<const int> rows) {
  for_each_block(rows, [&](std::span<const int> block) {
    for (int layer = shape_.layers() - 1; layer > 0; --layer)
      hidden_backward(d_outputs_[layer], weights.layer(layer), inputs_[layer], block,
                      d_outputs_[layer - 1]);
  });
}

template <class T>
void BatchedMlp<T>::input_gradient(const PackedMlp<T>& weights, int first,
                                   std::span<const int> rows, MatrixView<T> d_x) const {
  input_backward(d_outputs_.front(), weights.layer(0), first, rows, d_x);
}

template <class T>
void BatchedMlp<T>::parameter_gradient(std::span<T> d_parameters, bool add, int part,
                                       int parts) const {
  for (int layer = 0; layer < shape_.layers(); ++layer) {
    const Panels<T>& d_y = d_outputs_[layer];
    const Panels<T>& x = inputs_[layer];
    weight_gradient(d_y, x, batch_, block_of(d_y.columns(), x.panels(), part, parts),
                    shape_.weights(d_parameters, layer), add);
    bias_gradient(d_y, batch_, d_y.panels() * part / parts, d_y.panels() * (part + 1) / parts,
                  shape_.bias(d_parameters, layer), add);
  }
}

template <class T>
MatrixView<const T> BatchedMlp<T>::forward(const Mlp<T>& mlp, MatrixView<const T> x) {
  ICCT_CHECK(mlp.shape() == shape_ && x.columns == shape_.sizes().front());
  start(x.rows);
  run([&](int part, int parts) { weights_.load(mlp.parameters(), part, parts); });
  run([&](int part, int parts) {
    set_input(x, 0, rows(part, parts));
    forward_rows(weights_, rows(part, parts));
  });
  return output();
}

template <class T>
void BatchedMlp<T>::backward(const Mlp<T>& mlp, MatrixView<const T> d_output,
                             std::span<T> d_parameters, MatrixView<T> d_x) {
  ICCT_CHECK(d_output.rows == batch_ && d_output.columns == shape_.sizes().back());
  ICCT_CHECK(d_parameters.size() == mlp.shape().parameters());
  run([&](int part, int parts) {
    set_output_gradient(d_output, rows(part, parts));
    backward_rows(weights_, rows(part, parts));
    if (!d_x.empty()) input_gradient(weights_, 0, rows(part, parts), d_x);
  });
  run([&](int part, int parts) { parameter_gradient(d_parameters, true, part, parts); });
}

template class BatchedMlp<float>;
template class BatchedMlp<double>;

}  // namespace icct
