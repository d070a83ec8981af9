#include "icct/tree/leaf_bank.h"

namespace icct {

template <class T>
LeafBank<T>::LeafBank(const TreeOptions& options)
    : options_(options),
      m_(static_cast<std::size_t>(options.observations)),
      actions_(static_cast<std::size_t>(options.actions)),
      features_(options.leaf == LeafKind::Sparse ? static_cast<std::size_t>(options.features) : 0) {
  const std::size_t rows = static_cast<std::size_t>(options.leaves) * actions_;
  picks_.resize(rows * features_);
  terms_.resize(rows * features_);
  biases_.resize(rows);
  sum_.resize(rows);
  sum_x_.resize(options.leaf == LeafKind::Static ? 0 : rows * m_);
  touched_.resize(static_cast<std::size_t>(options.leaves));
  scratch_.resize(5 * m_);
}

template <class T>
FuzzyController<T> LeafBank<T>::controller(const TreeView<const T>& view, std::span<const T> noise,
                                           int leaf, int action) const {
  const std::size_t size = features_ * m_;
  return {view.selectors(leaf, action), view.gains(leaf, action), view.feature_biases(leaf, action),
          noise.empty() ? noise : noise.subspan(row(leaf, action) * size, size)};
}

template <class T>
void LeafBank<T>::prepare(const TreeView<const T>& view, std::span<const T> noise) {
  if (options_.leaf != LeafKind::Sparse) return;
  for (int leaf = 0; leaf < options_.leaves; ++leaf) {
    for (int action = 0; action < options_.actions; ++action) {
      const std::size_t r = row(leaf, action);
      const auto picks = std::span(picks_).subspan(r * features_, features_);
      const auto fuzzy = controller(view, noise, leaf, action);
      enforce_sparsity<T>(fuzzy, picks, scratch_);
      biases_[r] = selected_controller<T>(fuzzy, picks, options_.selector_gradient,
                                          std::span(terms_).subspan(r * features_, features_));
    }
  }
}

template <class T>
void LeafBank<T>::start_backward() {
  std::fill(sum_.begin(), sum_.end(), T(0));
  std::fill(sum_x_.begin(), sum_x_.end(), T(0));
  std::fill(touched_.begin(), touched_.end(), std::uint8_t(0));
}

template <class T>
void LeafBank<T>::backward(const TreeView<const T>& view, std::span<const T> noise,
                           const TreeView<T>& gradient) {
  for (int leaf = 0; leaf < options_.leaves; ++leaf) {
    if (!touched_[leaf]) continue;
    for (int action = 0; action < options_.actions; ++action) {
      const std::size_t r = row(leaf, action);
      if (options_.leaf != LeafKind::Sparse) gradient.leaf_bias(leaf)[action] += sum_[r];
      if (options_.leaf == LeafKind::Static) continue;
      const auto sum_x = std::span<const T>(sum_x_).subspan(r * m_, m_);
      if (options_.leaf == LeafKind::Complete) {
        const auto d_gains = gradient.gains(leaf, action);
        for (std::size_t j = 0; j < m_; ++j) d_gains[j] += sum_x[j];
      } else {
        enforce_sparsity_backward<T>(
            controller(view, noise, leaf, action),
            std::span(picks_).subspan(r * features_, features_), options_.selector_gradient,
            static_cast<T>(options_.temperature), sum_[r], sum_x,
            {gradient.selectors(leaf, action), gradient.gains(leaf, action),
             gradient.feature_biases(leaf, action)},
            scratch_);
      }
    }
  }
}

template class LeafBank<float>;
template class LeafBank<double>;

}  // namespace icct
