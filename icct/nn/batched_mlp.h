#pragma once

#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/nn/mlp.h"
#include "icct/nn/panels.h"
#include "icct/nn/team.h"

namespace icct {

// Forward and backward of a network for a whole batch. Holds the work space, so that neither
// allocates for batches of at most `max_batch` samples.
//
// The numbers are the same for every size of team. Each sample is computed by itself, and a sum
// over samples is formed by one member, in their order.
template <class T>
class BatchedMlp {
 public:
  BatchedMlp(const std::vector<int>& sizes, int max_batch);

  // Members who share forward and backward, kept by the caller; null for none.
  void set_team(Team* team) { team_ = team; }

  // The result is valid until the next call.
  MatrixView<const T> forward(const Mlp<T>& mlp, MatrixView<const T> x);

  // Adds the gradient of the last forward pass to `d_parameters` and, unless it is empty, to `d_x`.
  void backward(const Mlp<T>& mlp, MatrixView<const T> d_output, std::span<T> d_parameters,
                MatrixView<T> d_x = {});

  // The steps of both, for callers who leave some out. First the number of samples:
  void start(int batch);
  // Samples of this part of the batch, or of all of it.
  std::span<const int> rows(int part = 0, int parts = 1) const;
  // `x` goes into the input columns from `first` on.
  void set_input(MatrixView<const T> x, int first, std::span<const int> rows);
  void forward_rows(const PackedMlp<T>& weights, std::span<const int> rows);
  MatrixView<T> output() { return {output_.data(), batch_, shape_.sizes().back()}; }
  void set_output_gradient(MatrixView<const T> d_output, std::span<const int> rows);
  // Gradients of the hidden layers, which the next two need.
  void backward_rows(const PackedMlp<T>& weights, std::span<const int> rows);
  // Adds the gradient of the input columns [first, first + d_x.columns) to `d_x`.
  void input_gradient(const PackedMlp<T>& weights, int first, std::span<const int> rows,
                      MatrixView<T> d_x) const;
  // This part of the gradient of all parameters over the whole batch; added if `add`, else stored.
  void parameter_gradient(std::span<T> d_parameters, bool add, int part = 0, int parts = 1) const;

 private:
  template <class Work>
  void run(const Work& work);  // work(part, parts), by the team if it is worth it

  MlpShape shape_;
  int batch_ = 0;
  Team* team_ = nullptr;
  PackedMlp<T> weights_;              // of forward and backward
  std::vector<Panels<T>> inputs_;     // of each layer
  std::vector<Panels<T>> d_outputs_;  // of each layer, before its ReLU
  std::vector<T> output_;             // batch x outputs
  std::vector<int> rows_;             // 0, 1, 2, ...
};

}  // namespace icct
