#pragma once

#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"
#include "icct/tree/algorithms.h"
#include "icct/tree/fuzzy_tree.h"
#include "icct/tree/leaf_bank.h"

namespace icct {

// All random numbers of one Gumbel-Softmax pass over a batch, drawn beforehand so that a pass can
// be repeated.
template <class T>
struct GumbelNoise {
  std::vector<T> nodes;      // nodes x m
  std::vector<T> outcomes;   // batch x nodes: left minus right
  std::vector<T> selectors;  // leaves x actions x e x m
};

template <class T>
void draw_gumbel_noise(const TreeOptions& options, int batch, Rng& rng, GumbelNoise<T>& noise);

// Algorithm 1 for a whole batch, and its gradient. Holds the work space of one pass, so that
// neither direction allocates for batches of at most `max_batch` samples. With crisp nodes the work
// per sample grows with the depth, not with the leaves: only the nodes on the path have a gradient,
// and each needs only the leaf that its other branch would have led to.
template <class T>
class BatchedTree {
 public:
  BatchedTree(const TreeOptions& options, int max_batch);

  // Mean before squashing and clamped log standard deviation, each batch x actions. `x` and `noise`
  // (none: softmax) must stay as they are until backward.
  void forward(const FuzzyTree<T>& tree, MatrixView<const T> x, MatrixView<T> mean,
               MatrixView<T> log_std, const GumbelNoise<T>* noise = nullptr);

  // Adds the gradient of the last forward pass to `d_parameters`, which is laid out as the tree's
  // parameters, and to `d_x` unless that is empty.
  void backward(const FuzzyTree<T>& tree, MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                std::span<T> d_parameters, MatrixView<T> d_x = {});

  // Mean probability of reaching each leaf in the last forward pass.
  void leaf_probabilities(std::span<T> probabilities);

 private:
  void forward_crisp(const TreeView<const T>& view, MatrixView<T> mean, MatrixView<T> log_std);
  void forward_soft(const TreeView<const T>& view, MatrixView<T> mean, MatrixView<T> log_std);
  void backward_crisp(const TreeView<const T>& view, int sample, const T* d_mean,
                      const T* d_log_std, T* d_x);
  void backward_soft(const TreeView<const T>& view, int sample, const T* d_mean, const T* d_log_std,
                     T* d_x);
  void backward_nodes(const TreeView<const T>& view, const TreeView<T>& gradient);

  FuzzyNode<T> fuzzy_node(const TreeView<const T>& view, int node) const;
  bool goes_left(int node, int sample, const T* x) const;
  T value(int node, int sample, const T* x) const;
  int descend(int node, int sample, const T* x) const;
  void reach_probabilities(int sample);
  T gradient_along(const TreeView<const T>& view, int leaf, const T* x, const T* d_mean,
                   const T* d_log_std);
  void add_node_gradient(int node, T d_value, const T* x);
  std::span<const T> selector_noise() const {
    return noise_ ? std::span<const T>(noise_->selectors) : std::span<const T>();
  }

  TreeOptions options_;
  int nodes_, m_, actions_;
  LeafBank<T> leaves_;
  MatrixView<const T> x_;
  const GumbelNoise<T>* noise_ = nullptr;

  std::vector<CrispNode<T>> crisp_;  // per node
  std::vector<int> leaf_;            // crisp: the leaf of each sample
  std::vector<T> left_;              // soft: probability of left, samples x nodes
  std::vector<T>
      reach_;  // soft, one sample: probability of reaching each node and leaf, in heap order
  std::vector<T> along_;        // soft, one sample: gradient_along of each leaf, averaged upwards
  std::vector<T> raw_log_std_;  // soft: before clamping, samples x actions
  std::vector<T> mean_, d_log_std_;  // one sample, actions
  std::vector<T> sum_,
      sum_x_;  // per node (x m): sums of the gradient at its value, and of that times x
  std::vector<T> scratch_;
};

}  // namespace icct
