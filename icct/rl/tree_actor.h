#pragma once

#include <vector>

#include "icct/rl/actor.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/fuzzy_tree.h"

namespace icct {

struct TreeActorOptions {
  bool gumbel = false;        // Gumbel-Softmax instead of softmax in every pass of learning
  double l1_coefficient = 0;  // weight of the L1 penalty on complete leaves, >= 0; published: 0.005
  bool l1_one_leaf = false;   // penalise one leaf per update, drawn by its probability
};

// Throws Error naming the field, its value and its range; `tree` decides what makes sense.
void validate(const TreeActorOptions& options, const TreeOptions& tree);

// A tree as an actor.
template <class T>
class TreeActor final : public Actor<T> {
 public:
  // Throws Error if the options are not valid for the tree.
  TreeActor(FuzzyTree<T> tree, int max_batch, const TreeActorOptions& options = {});

  // Begins with a tree in double precision. What T cannot hold of its numbers is kept aside and
  // added again to what is deployed, so that at the start the controller is exactly that tree.
  // Nodes without weights stay as they are: they fill up a perfect tree and decide nothing.
  static TreeActor from(const FuzzyTree<double>& start, int max_batch,
                        const TreeActorOptions& options);

  int observations() const override { return tree_.options().observations; }
  int actions() const override { return tree_.options().actions; }
  std::span<T> parameters() override { return tree_.parameters(); }
  void draw_noise(int batch, Rng& rng) override;
  void forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) override;
  void backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                std::span<T> d_parameters, MatrixView<T> d_x = {}) override;
  T penalty(Rng& rng, std::span<T> d_parameters) override;
  void set_team(Team*) override {}  // a pass takes microseconds
  std::variant<Tree, Mlp<double>> controller() const override;

  const FuzzyTree<T>& tree() const { return tree_; }
  const GumbelNoise<T>& noise() const { return noise_; }  // of the last draw

 private:
  FuzzyTree<T> tree_;
  TreeActorOptions options_;
  BatchedTree<T> batched_;
  GumbelNoise<T> noise_;
  std::vector<T> attention_;       // per leaf
  std::vector<double> remainder_;  // of the parameters, to be added when deployed; may be empty
  std::vector<int> padding_;       // nodes that are not learned
};

}  // namespace icct
