#pragma once

#include <vector>

#include "icct/nn/batched_mlp.h"
#include "icct/nn/mlp.h"
#include "icct/rl/actor.h"

namespace icct {

// A network as an actor. Its last layer holds both heads: the means, then the log standard
// deviations. `hidden` sizes as for MlpShape; may be empty.
template <class T>
class MlpActor final : public Actor<T> {
 public:
  MlpActor(int observations, const std::vector<int>& hidden, int actions, int max_batch);

  int observations() const override { return mlp_.sizes().front(); }
  int actions() const override { return mlp_.sizes().back() / 2; }
  std::span<T> parameters() override { return mlp_.parameters(); }
  void draw_noise(int, Rng&) override {}
  void forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) override;
  void backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                std::span<T> d_parameters, MatrixView<T> d_x = {}) override;
  T penalty(Rng&, std::span<T>) override { return 0; }
  void set_team(Team* team) override { batched_.set_team(team); }
  std::variant<Tree, Mlp<double>> controller() const override;

  Mlp<T>& network() { return mlp_; }

 private:
  Mlp<T> mlp_;
  BatchedMlp<T> batched_;
  MatrixView<const T> heads_;
  std::vector<T> d_heads_;
};

}  // namespace icct
