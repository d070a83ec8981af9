#include "icct/rl/tree_actor.h"

#include <algorithm>
#include <utility>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/base/option_range.h"
#include "icct/tree/crispify.h"
#include "icct/tree/l1_penalty.h"

namespace icct {

void validate(const TreeActorOptions& options, const TreeOptions& tree) {
  require_between("l1_coefficient", options.l1_coefficient, 0, 1e6);
  if (options.l1_coefficient > 0 && tree.leaf != LeafKind::Complete)
    throw Error("l1_coefficient is " + exact_text(options.l1_coefficient) +
                ", but only complete leaves have an L1 penalty; set it to 0 or the leaves to "
                "complete");
}

template <class T>
TreeActor<T>::TreeActor(FuzzyTree<T> tree, int max_batch, const TreeActorOptions& options)
    : tree_(std::move(tree)),
      options_(options),
      batched_(tree_.options(), max_batch),
      attention_(static_cast<std::size_t>(tree_.leaves())) {
  validate(options, tree_.options());
}

template <class T>
TreeActor<T> TreeActor<T>::from(const FuzzyTree<double>& start, int max_batch,
                                const TreeActorOptions& options) {
  FuzzyTree<T> rounded(start.options());
  std::vector<double> remainder;
  for (std::size_t i = 0; i < start.parameters().size(); ++i) {
    const double exact = start.parameters()[i];
    rounded.parameters()[i] = static_cast<T>(exact);
    remainder.push_back(exact - static_cast<double>(rounded.parameters()[i]));
  }
  TreeActor actor(std::move(rounded), max_batch, options);
  actor.remainder_ = std::move(remainder);
  for (int node = 0; node < start.nodes(); ++node) {
    if (std::ranges::all_of(start.view().node_weights(node), [](double w) { return w == 0; }))
      actor.padding_.push_back(node);
  }
  return actor;
}

template <class T>
void TreeActor<T>::draw_noise(int batch, Rng& rng) {
  if (options_.gumbel) draw_gumbel_noise(tree_.options(), batch, rng, noise_);
}

template <class T>
void TreeActor<T>::forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) {
  batched_.forward(tree_, x, mean, log_std, options_.gumbel ? &noise_ : nullptr);
}

template <class T>
void TreeActor<T>::backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                            std::span<T> d_parameters, MatrixView<T> d_x) {
  batched_.backward(tree_, d_mean, d_log_std, d_parameters, d_x);
  // One step would turn padding into splits that no observation can ever fail.
  const TreeView<T> gradient(tree_.options(), d_parameters);
  for (const int node : padding_) {
    std::ranges::fill(gradient.node_weights(node), T(0));
    gradient.threshold(node) = gradient.steepness(node) = 0;
  }
}

template <class T>
T TreeActor<T>::penalty(Rng& rng, std::span<T> d_parameters) {
  if (options_.l1_coefficient == 0) return 0;
  const T coefficient = static_cast<T>(options_.l1_coefficient);
  batched_.leaf_probabilities(attention_);
  if (options_.l1_one_leaf) one_leaf_attention<T>(attention_, rng);
  l1_penalty_backward<T>(tree_, attention_, coefficient, d_parameters);
  return l1_penalty<T>(tree_, attention_, coefficient);
}

template <class T>
std::variant<Tree, Mlp<double>> TreeActor<T>::controller() const {
  if (remainder_.empty()) return crispify(tree_);
  FuzzyTree<double> exact(tree_.options());
  for (std::size_t i = 0; i < remainder_.size(); ++i)
    exact.parameters()[i] = static_cast<double>(tree_.parameters()[i]) + remainder_[i];
  return crispify(exact);
}

template class TreeActor<float>;
template class TreeActor<double>;

}  // namespace icct
