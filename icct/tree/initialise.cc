#include "icct/tree/initialise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "icct/base/check.h"

namespace icct {
namespace {

template <class T>
void fill_uniform(std::span<T> values, double low, double high, Rng& rng) {
  for (T& value : values) value = static_cast<T>(rng.uniform(low, high));
}

template <class T>
void fill_normal(std::span<T> values, double std_dev, Rng& rng) {
  for (T& value : values) value = static_cast<T>(std_dev * rng.normal());
}

template <class T>
void initialise_leaves(FuzzyTree<T>& tree, Rng& rng) {
  const TreeOptions& o = tree.options();
  const auto view = tree.view();
  const double xavier = std::sqrt(6.0 / (o.leaves + o.actions));
  const double linear = 1.0 / std::sqrt(o.observations);
  const double selecting =
      std::sqrt(2.0 / (static_cast<double>(o.observations) * (o.actions + o.leaves)));
  for (int leaf = 0; leaf < o.leaves; ++leaf) {
    fill_uniform(view.log_std(leaf), -xavier, xavier, rng);
    if (o.leaf == LeafKind::Static) fill_uniform(view.leaf_bias(leaf), -xavier, xavier, rng);
    if (o.leaf == LeafKind::Complete) fill_uniform(view.leaf_bias(leaf), -linear, linear, rng);
    for (int a = 0; a < o.actions; ++a) {
      if (o.leaf == LeafKind::Complete) fill_uniform(view.gains(leaf, a), -linear, linear, rng);
      if (o.leaf != LeafKind::Sparse) continue;
      fill_normal(view.gains(leaf, a), selecting, rng);
      fill_normal(view.selectors(leaf, a), selecting, rng);
      fill_normal(view.feature_biases(leaf, a), selecting, rng);
    }
  }
}

template <class T>
void initialise_node(FuzzyTree<T>& tree, int node, Rng& rng) {
  const auto view = tree.view();
  fill_uniform(view.node_weights(node), 0, 1, rng);
  view.threshold(node) = static_cast<T>(rng.normal());
  view.steepness(node) = 1;
}

// Sorts the samples by `feature` and returns how many lie above the value chosen as threshold: the
// middle of the gap nearest the median, so that both sides get samples. 0 if the feature does not
// vary.
template <class T>
struct MedianSplit {
  int above = 0;
  T threshold = 0;
};

template <class T>
MedianSplit<T> median_split(MatrixView<const T> x, std::span<int> samples, int feature) {
  std::stable_sort(samples.begin(), samples.end(),
                   [&](int a, int b) { return x(a, feature) > x(b, feature); });
  const int size = static_cast<int>(samples.size());
  const auto is_gap = [&](int above) {
    return above > 0 && above < size && x(samples[above - 1], feature) > x(samples[above], feature);
  };
  for (int distance = 0; distance <= size; ++distance) {
    for (const int above : {size / 2 - distance, size / 2 + distance}) {
      if (!is_gap(above)) continue;
      const T higher = x(samples[above - 1], feature);
      const T lower = x(samples[above], feature);
      const T middle = std::midpoint(lower, higher);
      return {above, middle > lower ? middle : higher};
    }
  }
  return {};
}

// Below this, one over the spread is no sensible steepness.
template <class T>
constexpr T kMinSpread = T(1e-6);

template <class T>
T spread(MatrixView<const T> x, std::span<const int> samples, int feature) {
  double mean = 0;
  for (const int i : samples)
    mean += static_cast<double>(x(i, feature)) / static_cast<double>(samples.size());
  double variance = 0;
  for (const int i : samples) {
    const double difference = static_cast<double>(x(i, feature)) - mean;
    variance += difference * difference / static_cast<double>(samples.size());
  }
  return static_cast<T>(std::sqrt(variance));
}

template <class T>
void balance(FuzzyTree<T>& tree, int node, MatrixView<const T> x, std::span<int> samples,
             Rng& rng) {
  if (node >= tree.nodes()) return;
  initialise_node(tree, node, rng);
  const auto view = tree.view();
  MedianSplit<T> split;
  std::vector<int> features(tree.options().observations);
  std::iota(features.begin(), features.end(), 0);
  while (!features.empty() && split.above == 0) {
    const auto choice = features.begin() + rng.below(static_cast<int>(features.size()));
    const int feature = *choice;
    features.erase(choice);
    split = median_split(x, samples, feature);
    if (split.above == 0) continue;
    for (T& weight : view.node_weights(node)) weight *= T(0.5);
    view.node_weights(node)[feature] = 1;
    view.threshold(node) = split.threshold;
    const T width = spread<T>(x, samples, feature);
    if (!tree.options().shared_steepness && width > kMinSpread<T>) view.steepness(node) = 1 / width;
  }
  balance(tree, 2 * node + 1, x, samples.first(split.above), rng);
  balance(tree, 2 * node + 2, x, samples.subspan(split.above), rng);
}

}  // namespace

template <class T>
void initialise_published(FuzzyTree<T>& tree, Rng& rng) {
  for (int node = 0; node < tree.nodes(); ++node) initialise_node(tree, node, rng);
  initialise_leaves(tree, rng);
}

template <class T>
void initialise_balanced(FuzzyTree<T>& tree, MatrixView<const T> observations, Rng& rng) {
  ICCT_CHECK(observations.rows > 0 && observations.columns == tree.options().observations);
  std::vector<int> samples(observations.rows);
  std::iota(samples.begin(), samples.end(), 0);
  balance<T>(tree, 0, observations, samples, rng);
  initialise_leaves(tree, rng);
}

template void initialise_published(FuzzyTree<float>&, Rng&);
template void initialise_published(FuzzyTree<double>&, Rng&);
template void initialise_balanced(FuzzyTree<float>&, MatrixView<const float>, Rng&);
template void initialise_balanced(FuzzyTree<double>&, MatrixView<const double>, Rng&);

}  // namespace icct
