#include "icct/nn/mlp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "icct/base/check.h"

namespace icct {

MlpShape::MlpShape(std::vector<int> sizes) : sizes_(std::move(sizes)) {
  ICCT_CHECK(sizes_.size() >= 2 &&
             std::all_of(sizes_.begin(), sizes_.end(), [](int size) { return size > 0; }));
  for (std::size_t layer = 0; layer + 1 < sizes_.size(); ++layer) {
    start_.push_back(parameters_);
    const auto inputs = static_cast<std::size_t>(sizes_[layer]);
    parameters_ += (inputs + 1) * static_cast<std::size_t>(sizes_[layer + 1]);
  }
}

template <class T>
Mlp<T>::Mlp(std::vector<int> sizes) : shape_(std::move(sizes)), parameters_(shape_.parameters()) {}

template <class T>
void initialise(Mlp<T>& mlp, Rng& rng) {
  for (int layer = 0; layer < mlp.layers(); ++layer) {
    const double bound = 1.0 / std::sqrt(mlp.sizes()[layer]);
    const auto weights = mlp.weights(layer);
    for (T& weight : std::span(weights.data, weights.size()))
      weight = static_cast<T>(rng.uniform(-bound, bound));
    for (T& bias : mlp.bias(layer)) bias = static_cast<T>(rng.uniform(-bound, bound));
  }
}

template class Mlp<float>;
template class Mlp<double>;
template void initialise(Mlp<float>&, Rng&);
template void initialise(Mlp<double>&, Rng&);

}  // namespace icct
