#include "icct/rl/tree_actor.h"

#include <utility>

#include "icct/tree/crispify.h"

namespace icct {

template <class T>
TreeActor<T>::TreeActor(FuzzyTree<T> tree, int max_batch)
    : tree_(std::move(tree)), batched_(tree_.options(), max_batch) {}

template <class T>
void TreeActor<T>::forward(MatrixView<const T> x, MatrixView<T> mean, MatrixView<T> log_std) {
  batched_.forward(tree_, x, mean, log_std, noise_);
}

template <class T>
void TreeActor<T>::backward(MatrixView<const T> d_mean, MatrixView<const T> d_log_std,
                            std::span<T> d_parameters, MatrixView<T> d_x) {
  batched_.backward(tree_, d_mean, d_log_std, d_parameters, d_x);
}

template <class T>
std::variant<Tree, Mlp<double>> TreeActor<T>::controller() const {
  return crispify(tree_);
}

template class TreeActor<float>;
template class TreeActor<double>;

}  // namespace icct
