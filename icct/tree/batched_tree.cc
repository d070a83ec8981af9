#include "icct/tree/batched_tree.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"

namespace icct {
namespace {

template <class T>
T sigmoid(T value) {
  return 1 / (1 + std::exp(-value));
}

template <class T>
T clamp_log_std(T value) {
  return std::clamp(value, T(kMinLogStd), T(kMaxLogStd));
}

template <class T>
bool is_clamped(T value) {
  return value < T(kMinLogStd) || value > T(kMaxLogStd);
}

}  // namespace

template <class T>
void draw_gumbel_noise(const TreeOptions& o, int batch, Rng& rng, GumbelNoise<T>& noise) {
  const auto fill = [&rng](std::vector<T>& values, std::size_t size, bool difference) {
    values.resize(size);
    for (T& value : values)
      value = static_cast<T>(difference ? rng.gumbel() - rng.gumbel() : rng.gumbel());
  };
  const std::size_t nodes = o.nodes == NodeKind::Crisp ? static_cast<std::size_t>(o.leaves) - 1 : 0;
  const std::size_t picks = o.leaf == LeafKind::Sparse ? static_cast<std::size_t>(o.features) : 0;
  const std::size_t m = static_cast<std::size_t>(o.observations);
  fill(noise.nodes, nodes * m, false);
  fill(noise.outcomes, static_cast<std::size_t>(batch) * nodes, true);
  fill(noise.selectors,
       static_cast<std::size_t>(o.leaves) * static_cast<std::size_t>(o.actions) * picks * m, false);
}

template <class T>
BatchedTree<T>::BatchedTree(const TreeOptions& options, int max_batch)
    : options_(options),
      nodes_(options.leaves - 1),
      m_(options.observations),
      actions_(options.actions),
      leaves_(options) {
  const std::size_t nodes = static_cast<std::size_t>(nodes_);
  const std::size_t batch = static_cast<std::size_t>(max_batch);
  const std::size_t m = static_cast<std::size_t>(m_);
  if (options.nodes == NodeKind::Crisp) {
    crisp_.resize(nodes);
    leaf_.resize(batch);
  } else {
    left_.resize(batch * nodes);
    reach_.resize(2 * nodes + 1);
    along_.resize(2 * nodes + 1);
    raw_log_std_.resize(batch * static_cast<std::size_t>(actions_));
  }
  mean_.resize(static_cast<std::size_t>(actions_));
  d_log_std_.resize(static_cast<std::size_t>(actions_));
  sum_.resize(nodes);
  sum_x_.resize(nodes * m);
  scratch_.resize(3 * m);
}

template <class T>
FuzzyNode<T> BatchedTree<T>::fuzzy_node(const TreeView<const T>& view, int node) const {
  FuzzyNode<T> fuzzy{view.node_weights(node), view.threshold(node), view.steepness(node)};
  const std::size_t m = static_cast<std::size_t>(m_);
  if (noise_ != nullptr) fuzzy.noise = std::span<const T>(noise_->nodes).subspan(node * m, m);
  return fuzzy;
}

template <class T>
void BatchedTree<T>::forward(const FuzzyTree<T>& tree, MatrixView<const T> x, MatrixView<T> mean,
                             MatrixView<T> log_std, const GumbelNoise<T>* noise) {
  ICCT_CHECK(x.columns == m_ && mean.columns == actions_ && log_std.columns == actions_);
  ICCT_CHECK(mean.rows == x.rows && log_std.rows == x.rows);
  const std::size_t batch = static_cast<std::size_t>(x.rows);
  ICCT_CHECK(noise == nullptr || noise->outcomes.size() >= batch * crisp_.size());
  x_ = x;
  noise_ = noise;
  const auto view = tree.view();
  leaves_.prepare(view, selector_noise());
  if (options_.nodes == NodeKind::Crisp) {
    if (leaf_.size() < batch) leaf_.resize(batch);
    forward_crisp(view, mean, log_std);
  } else {
    if (left_.size() < batch * sum_.size()) left_.resize(batch * sum_.size());
    if (raw_log_std_.size() < mean.size()) raw_log_std_.resize(mean.size());
    forward_soft(view, mean, log_std);
  }
}

template <class T>
void BatchedTree<T>::backward(const FuzzyTree<T>& tree, MatrixView<const T> d_mean,
                              MatrixView<const T> d_log_std, std::span<T> d_parameters,
                              MatrixView<T> d_x) {
  ICCT_CHECK(d_mean.rows == x_.rows && d_log_std.rows == x_.rows);
  ICCT_CHECK(d_parameters.size() == tree.parameters().size());
  const auto view = tree.view();
  const TreeView<T> gradient(options_, d_parameters);
  leaves_.start_backward();
  std::fill(sum_.begin(), sum_.end(), T(0));
  std::fill(sum_x_.begin(), sum_x_.end(), T(0));
  const bool crisp = options_.nodes == NodeKind::Crisp;
  for (int i = 0; i < x_.rows; ++i) {
    // No gradient reaches a log standard deviation that was clamped.
    for (int a = 0; a < actions_; ++a) {
      const T raw = crisp ? view.log_std(leaf_[i])[a]
                          : raw_log_std_[static_cast<std::size_t>(i) * actions_ + a];
      d_log_std_[a] = is_clamped(raw) ? T(0) : d_log_std(i, a);
      if (crisp) gradient.log_std(leaf_[i])[a] += d_log_std_[a];
    }
    T* input_gradient = d_x.empty() ? nullptr : d_x.row(i).data();
    if (crisp) {
      backward_crisp(view, i, d_mean.row(i).data(), d_log_std_.data(), input_gradient);
    } else {
      backward_soft(view, i, d_mean.row(i).data(), d_log_std_.data(), input_gradient);
      for (int leaf = 0; leaf <= nodes_; ++leaf) {
        for (int a = 0; a < actions_; ++a)
          gradient.log_std(leaf)[a] += reach_[nodes_ + leaf] * d_log_std_[a];
      }
    }
  }
  leaves_.backward(view, selector_noise(), gradient);
  backward_nodes(view, gradient);
}

// What a step towards `leaf` would change: its outputs weighted by the gradient at the outputs.
template <class T>
T BatchedTree<T>::gradient_along(const TreeView<const T>& view, int leaf, const T* x,
                                 const T* d_mean, const T* d_log_std) {
  leaves_.mean(view, leaf, x, mean_.data());
  const auto log_std = view.log_std(leaf);
  T sum = 0;
  for (int a = 0; a < actions_; ++a) sum += d_mean[a] * mean_[a] + d_log_std[a] * log_std[a];
  return sum;
}

template <class T>
void BatchedTree<T>::add_node_gradient(int node, T d_value, const T* x) {
  sum_[node] += d_value;
  T* sum_x = sum_x_.data() + static_cast<std::size_t>(node) * m_;
#pragma omp simd
  for (int j = 0; j < m_; ++j) sum_x[j] += d_value * x[j];
}

template <class T>
T BatchedTree<T>::value(int node, int sample, const T* x) const {
  const T noise =
      noise_ ? noise_->outcomes[static_cast<std::size_t>(sample) * nodes_ + node] : T(0);
  return crisp_[node].value(x[crisp_[node].feature]) + noise;
}

template <class T>
bool BatchedTree<T>::goes_left(int node, int sample, const T* x) const {
  const T x_k = x[crisp_[node].feature];
  if (noise_ == nullptr) return outcome_crisp(crisp_[node], x_k);
  return outcome_crisp(crisp_[node], x_k,
                       noise_->outcomes[static_cast<std::size_t>(sample) * nodes_ + node]);
}

// The leaf that x reaches from `node`, in heap order.
template <class T>
int BatchedTree<T>::descend(int node, int sample, const T* x) const {
  while (node < nodes_) node = 2 * node + (goes_left(node, sample, x) ? 1 : 2);
  return node - nodes_;
}

template <class T>
void BatchedTree<T>::forward_crisp(const TreeView<const T>& view, MatrixView<T> mean,
                                   MatrixView<T> log_std) {
  for (int node = 0; node < nodes_; ++node)
    crisp_[node] = node_crisp<T>(fuzzy_node(view, node), scratch_);
  for (int i = 0; i < x_.rows; ++i) {
    const T* x = x_.row(i).data();
    const int leaf = descend(0, i, x);
    leaf_[i] = leaf;
    leaves_.mean(view, leaf, x, mean.row(i).data());
    for (int a = 0; a < actions_; ++a) log_std(i, a) = clamp_log_std(view.log_std(leaf)[a]);
  }
}

template <class T>
void BatchedTree<T>::backward_crisp(const TreeView<const T>& view, int sample, const T* d_mean,
                                    const T* d_log_std, T* d_x) {
  const T* x = x_.row(sample).data();
  const int leaf = leaf_[sample];
  const T along_taken = gradient_along(view, leaf, x, d_mean, d_log_std);
  // From the leaf up: a node's outcome matters by the difference between the leaf taken and the
  // leaf across.
  for (int below = leaf + nodes_; below > 0; below = (below - 1) / 2) {
    const int node = (below - 1) / 2;
    const bool left = below == 2 * node + 1;
    const int across = descend(left ? below + 1 : below - 1, sample, x);
    const T difference = along_taken - gradient_along(view, across, x, d_mean, d_log_std);
    const T d_value =
        outcome_crisp_backward(value(node, sample, x), static_cast<T>(options_.temperature),
                               left ? difference : -difference);
    add_node_gradient(node, d_value, x);
    if (d_x != nullptr)
      d_x[crisp_[node].feature] += d_value * crisp_[node].steepness * crisp_[node].direction;
  }
  leaves_.add_gradient(leaf, d_mean, x);
  if (d_x != nullptr) leaves_.add_input_gradient(view, leaf, d_mean, d_x);
}

template <class T>
void BatchedTree<T>::reach_probabilities(int sample) {
  const T* left = left_.data() + static_cast<std::size_t>(sample) * nodes_;
  reach_[0] = 1;
  for (int node = 0; node < nodes_; ++node) {
    reach_[2 * node + 1] = reach_[node] * left[node];
    reach_[2 * node + 2] = reach_[node] * (1 - left[node]);
  }
}

template <class T>
void BatchedTree<T>::forward_soft(const TreeView<const T>& view, MatrixView<T> mean,
                                  MatrixView<T> log_std) {
  for (int i = 0; i < x_.rows; ++i) {
    const T* x = x_.row(i).data();
    for (int node = 0; node < nodes_; ++node) {
      const T* w = view.node_weights(node).data();
      T product = 0;
      // Four lanes: observations are short, and eight would leave most of them to a scalar rest.
#pragma omp simd simdlen(4) reduction(+ : product)
      for (int j = 0; j < m_; ++j) product += w[j] * x[j];
      left_[static_cast<std::size_t>(i) * nodes_ + node] =
          sigmoid(view.steepness(node) * (product - view.threshold(node)));
    }
    reach_probabilities(i);
    T* raw = raw_log_std_.data() + static_cast<std::size_t>(i) * actions_;
    T* out = mean.row(i).data();
    std::fill(raw, raw + actions_, T(0));
    std::fill(out, out + actions_, T(0));
    for (int leaf = 0; leaf <= nodes_; ++leaf) {
      leaves_.mean(view, leaf, x, mean_.data());
      const T probability = reach_[nodes_ + leaf];
      for (int a = 0; a < actions_; ++a) {
        out[a] += probability * mean_[a];
        raw[a] += probability * view.log_std(leaf)[a];
      }
    }
    for (int a = 0; a < actions_; ++a) log_std(i, a) = clamp_log_std(raw[a]);
  }
}

template <class T>
void BatchedTree<T>::backward_soft(const TreeView<const T>& view, int sample, const T* d_mean,
                                   const T* d_log_std, T* d_x) {
  const T* x = x_.row(sample).data();
  const T* left = left_.data() + static_cast<std::size_t>(sample) * nodes_;
  reach_probabilities(sample);
  for (int leaf = 0; leaf <= nodes_; ++leaf) {
    along_[nodes_ + leaf] = gradient_along(view, leaf, x, d_mean, d_log_std);
    for (int a = 0; a < actions_; ++a) mean_[a] = reach_[nodes_ + leaf] * d_mean[a];
    leaves_.add_gradient(leaf, mean_.data(), x);
    if (d_x != nullptr) leaves_.add_input_gradient(view, leaf, mean_.data(), d_x);
  }
  for (int node = nodes_ - 1; node >= 0; --node) {
    const T p = left[node];
    const T along_left = along_[2 * node + 1];
    const T along_right = along_[2 * node + 2];
    along_[node] = p * along_left + (1 - p) * along_right;
    const T d_value = reach_[node] * (along_left - along_right) * p * (1 - p);
    add_node_gradient(node, d_value, x);
    if (d_x == nullptr) continue;
    const auto w = view.node_weights(node);
    for (int j = 0; j < m_; ++j) d_x[j] += d_value * view.steepness(node) * w[j];
  }
}

template <class T>
void BatchedTree<T>::backward_nodes(const TreeView<const T>& view, const TreeView<T>& gradient) {
  const std::size_t m = static_cast<std::size_t>(m_);
  for (int node = 0; node < nodes_; ++node) {
    const auto sum_x = std::span<const T>(sum_x_).subspan(node * m, m);
    const auto w = view.node_weights(node);
    const auto d_w = gradient.node_weights(node);
    if (options_.nodes == NodeKind::Crisp) {
      node_crisp_backward<T>(fuzzy_node(view, node), crisp_[node].feature,
                             static_cast<T>(options_.temperature), sum_[node], sum_x,
                             {d_w, gradient.threshold(node), gradient.steepness(node)}, scratch_);
      continue;
    }
    const T alpha = view.steepness(node);
    T d_alpha = -view.threshold(node) * sum_[node];
    for (std::size_t j = 0; j < m; ++j) {
      d_alpha += w[j] * sum_x[j];
      d_w[j] += alpha * sum_x[j];
    }
    gradient.steepness(node) += d_alpha;
    gradient.threshold(node) -= alpha * sum_[node];
  }
}

template <class T>
void BatchedTree<T>::leaf_probabilities(std::span<T> probabilities) {
  ICCT_CHECK(probabilities.size() == static_cast<std::size_t>(options_.leaves));
  std::fill(probabilities.begin(), probabilities.end(), T(0));
  if (options_.nodes == NodeKind::Crisp) {
    for (int i = 0; i < x_.rows; ++i) probabilities[leaf_[i]] += 1;
  } else {
    for (int i = 0; i < x_.rows; ++i) {
      reach_probabilities(i);
      for (int leaf = 0; leaf <= nodes_; ++leaf) probabilities[leaf] += reach_[nodes_ + leaf];
    }
  }
  for (T& probability : probabilities) probability /= static_cast<T>(x_.rows);
}

template class BatchedTree<float>;
template class BatchedTree<double>;
template void draw_gumbel_noise(const TreeOptions&, int, Rng&, GumbelNoise<float>&);
template void draw_gumbel_noise(const TreeOptions&, int, Rng&, GumbelNoise<double>&);

}  // namespace icct
