#pragma once

#include <vector>

#include "icct/nn/mlp.h"
#include "icct/rl/actor.h"

namespace icct {

// A network as an actor. Its last layer holds both heads: the means, then the log standard
// deviations.
template <class T>
class MlpActor final : public Actor<T> {
 public:
  MlpActor(int observations, const std::vector<int>& hidden, int actions, int max_batch);

  int observations() const override { return mlp_.sizes().front(); }
  int actions() const override { return mlp_.sizes().back() / 2; }
  std::span<T> parameters() override { return mlp_.parameters(); }
  void forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) override;
  void backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                std::span<T> d_parameters, MatrixView<T> d_x = {}) override;
  std::variant<Tree, Mlp<double>> controller() const override;

  Mlp<T>& network() { return mlp_; }

 private:
  Mlp<T> mlp_;
  BatchedMlp<T> batched_;
  MatrixView<const T> heads_;
  std::vector<T> d_heads_;
};

}  // namespace icct
