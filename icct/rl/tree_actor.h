#pragma once

#include "icct/rl/actor.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

// A tree as an actor. With Gumbel noise set, passes use the Gumbel-Softmax instead of the softmax.
template <class T>
class TreeActor final : public Actor<T> {
 public:
  TreeActor(FuzzyTree<T> tree, int max_batch);

  int observations() const override { return tree_.options().observations; }
  int actions() const override { return tree_.options().actions; }
  std::span<T> parameters() override { return tree_.parameters(); }
  void forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) override;
  void backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                std::span<T> d_parameters, MatrixView<T> d_x = {}) override;
  std::variant<Tree, Mlp<double>> controller() const override;

  const FuzzyTree<T>& tree() const { return tree_; }
  void set_noise(const GumbelNoise<T>* noise) {
    noise_ = noise;
  }  // kept by the caller; null for none
  void leaf_probabilities(std::span<T> probabilities) {
    batched_.leaf_probabilities(probabilities);
  }

 private:
  FuzzyTree<T> tree_;
  BatchedTree<T> batched_;
  const GumbelNoise<T>* noise_ = nullptr;
};

}  // namespace icct
