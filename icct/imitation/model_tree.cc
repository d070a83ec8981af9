#include "icct/imitation/model_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "icct/base/option_range.h"
#include "icct/imitation/leaf_targets.h"
#include "icct/imitation/moments.h"

namespace icct {
namespace {

constexpr int kThresholds = 32;          // tried per feature and node
constexpr int kSplitSamples = 20'000;    // of a node, that choose its split
constexpr int kQuantileSamples = 4'096;  // of a node, that say where thresholds may lie
constexpr double kWorthwhile = 1e-6;     // share of the error that a split must save

// About `count` of the values, evenly spread over them.
std::vector<int> thinned(std::span<const int> values, int count) {
  const std::size_t stride =
      std::max<std::size_t>(1, values.size() / static_cast<std::size_t>(count));
  std::vector<int> result;
  for (std::size_t i = 0; i < values.size(); i += stride) result.push_back(values[i]);
  return result;
}

struct LinearSplit {
  int feature = 0;
  double threshold = 0;
  double fall = 0;  // of the squared error
};

struct LinearNode {
  std::vector<int> samples;
  int depth = 0;
  std::optional<LinearSplit> split = {};
  int yes = -1, no = -1;
};

class ModelTree {
 public:
  ModelTree(const Samples& samples, const ModelTreeOptions& options)
      : samples_(samples), options_(options), targets_(samples, options.link) {}

  Tree fit() {
    std::vector<int> all(static_cast<std::size_t>(targets_.size()));
    std::iota(all.begin(), all.end(), 0);
    whole_error_ = error_of(sums(all));
    nodes_.push_back({.samples = std::move(all)});
    grow();
    return tree(0);
  }

 private:
  std::vector<Moments> nothing() const {
    return std::vector<Moments>(static_cast<std::size_t>(targets_.outputs()),
                                Moments(targets_.features()));
  }

  void add(std::vector<Moments>& to, int sample) const {
    for (int k = 0; k < targets_.outputs(); ++k)
      to[static_cast<std::size_t>(k)].add(targets_.x(sample), targets_.target(sample, k),
                                          targets_.weight(sample, k));
  }

  std::vector<Moments> sums(std::span<const int> samples) const {
    std::vector<Moments> result = nothing();
    for (const int sample : samples) add(result, sample);
    return result;
  }

  double error_of(const std::vector<Moments>& moments) const {
    double error = 0;
    for (const Moments& m : moments) error += fit_forward(m, options_.max_terms).squared_error;
    return error;
  }

  // Splits of the nodes made since the last time. Searched before the next is divided, not when
  // they are made: the last ones need none.
  void search_splits() {
    for (; searched_ < nodes_.size(); ++searched_) {
      LinearNode& node = nodes_[searched_];
      if (node.depth < options_.max_depth) node.split = best_split(node.samples);
    }
  }

  void grow() {
    for (int leaves = 1; leaves < options_.max_leaves; ++leaves) {
      search_splits();
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const LinearNode& node = nodes_[i];
        if (node.yes < 0 && node.split && (!best || node.split->fall > nodes_[*best].split->fall))
          best = i;
      }
      if (!best) return;
      divide(*best);
    }
  }

  void divide(std::size_t index) {
    const LinearSplit split = *nodes_[index].split;
    std::vector<int> samples = std::move(nodes_[index].samples);
    const auto middle = std::stable_partition(samples.begin(), samples.end(), [&](int i) {
      return samples_.x(i, split.feature) <= split.threshold;
    });
    const int depth = nodes_[index].depth + 1;
    nodes_[index].yes = static_cast<int>(nodes_.size());
    nodes_.push_back({.samples = {samples.begin(), middle}, .depth = depth});
    nodes_[index].no = static_cast<int>(nodes_.size());
    nodes_.push_back({.samples = {middle, samples.end()}, .depth = depth});
  }

  // The values of a feature between two limits, sorted.
  std::vector<double> values(std::span<const int> samples, int feature, double above,
                             double below) const {
    std::vector<double> result;
    for (const int i : thinned(samples, kQuantileSamples)) {
      const double value = samples_.x(i, feature);
      if (value >= above && value <= below) result.push_back(value);
    }
    std::ranges::sort(result);
    return result;
  }

  // Quantiles of sorted values, each between two different ones: above the quantile, or below it
  // if it is the largest value.
  static std::vector<double> thresholds(const std::vector<double>& values) {
    std::vector<double> result;
    for (int q = 1; q <= kThresholds && !values.empty(); ++q) {
      const std::size_t at = values.size() * static_cast<std::size_t>(q) / (kThresholds + 1);
      auto above = std::ranges::upper_bound(values, values[at]);
      if (above == values.end()) above = std::ranges::lower_bound(values, values[at]);
      if (above == values.begin()) break;  // all are alike
      const double threshold = std::midpoint(*(above - 1), *above);
      if (threshold < *above && (result.empty() || threshold > result.back()))
        result.push_back(threshold);
    }
    return result;
  }

  std::optional<LinearSplit> best_split(const std::vector<int>& samples) const {
    const auto least = static_cast<std::size_t>(options_.min_leaf_samples);
    if (samples.size() < 2 * least) return {};
    const std::vector<int> some = thinned(samples, kSplitSamples);
    const double share = static_cast<double>(some.size()) / static_cast<double>(samples.size());
    const double before = error_of(sums(some));
    const int enough = std::max(1, static_cast<int>(share * options_.min_leaf_samples));
    LinearSplit best;
    std::vector<double> coarse;
    for (int feature = 0; feature < targets_.features(); ++feature) {
      const std::vector<double> at = thresholds(values(some, feature, -HUGE_VAL, HUGE_VAL));
      if (try_thresholds(feature, at, some, enough, before, best)) coarse = at;
    }
    if (best.fall <= share * kWorthwhile * whole_error_) return {};
    refine(coarse, some, enough, before, best);
    best.fall /= share;
    // What the thinned samples let pass, all of them decide.
    const auto yes = static_cast<std::size_t>(std::ranges::count_if(
        samples, [&](int i) { return samples_.x(i, best.feature) <= best.threshold; }));
    if (yes < least || samples.size() - yes < least) return {};
    return best;
  }

  // Looks again between the neighbours of the best threshold.
  void refine(const std::vector<double>& coarse, std::span<const int> samples, int enough,
              double before, LinearSplit& best) const {
    const auto at = std::ranges::find(coarse, best.threshold);
    const double above = at == coarse.begin() ? -HUGE_VAL : *(at - 1);
    const double below = at + 1 == coarse.end() ? HUGE_VAL : *(at + 1);
    try_thresholds(best.feature, thresholds(values(samples, best.feature, above, below)), samples,
                   enough, before, best);
  }

  // Whether one of them is better than the best so far, which it then is.
  bool try_thresholds(int feature, const std::vector<double>& at, std::span<const int> samples,
                      int enough, double before, LinearSplit& best) const {
    bool better = false;
    std::vector<std::vector<Moments>> bins(at.size() + 1, nothing());
    std::vector<int> counts(at.size() + 1);
    for (const int i : samples) {
      const auto bin = static_cast<std::size_t>(
          std::ranges::lower_bound(at, samples_.x(i, feature)) - at.begin());
      add(bins[bin], i);
      ++counts[bin];
    }
    std::vector<Moments> left = nothing();
    std::vector<Moments> right = nothing();
    for (const auto& bin : bins) move(bin, right, 1);
    int yes = 0;
    for (std::size_t t = 0; t < at.size(); ++t) {
      move(bins[t], left, 1);
      move(bins[t], right, -1);
      yes += counts[t];
      if (yes < enough || static_cast<int>(samples.size()) - yes < enough) continue;
      const double fall = before - error_of(left) - error_of(right);
      if (fall <= best.fall) continue;
      best = {feature, at[t], fall};
      better = true;
    }
    return better;
  }

  static void move(const std::vector<Moments>& from, std::vector<Moments>& to, int sign) {
    for (std::size_t k = 0; k < to.size(); ++k) {
      if (sign > 0)
        to[k] += from[k];
      else
        to[k] -= from[k];
    }
  }

  Tree tree(int index) const {
    const LinearNode& node = nodes_[static_cast<std::size_t>(index)];
    if (node.yes >= 0)
      return make_split_less(node.split->feature, node.split->threshold, tree(node.yes),
                             tree(node.no));
    const std::vector<Moments> moments = sums(node.samples);
    std::vector<Controller> controllers;
    for (int k = 0; k < targets_.outputs(); ++k) {
      const LinearFit fit = fit_exchanged(moments[static_cast<std::size_t>(k)], options_.max_terms);
      controllers.push_back(targets_.unscaled(targets_.refined(fit.controller, node.samples, k)));
    }
    return make_leaf(std::move(controllers));
  }

  Samples samples_;
  ModelTreeOptions options_;
  LeafTargets targets_;
  double whole_error_ = 0;
  std::vector<LinearNode> nodes_;
  std::size_t searched_ = 0;  // of the nodes, for splits
};

}  // namespace

void validate(const ModelTreeOptions& o) {
  require_at_least("max_leaves", o.max_leaves, 1);
  require_at_least("max_terms", o.max_terms, 0);
  require_between("max_depth", o.max_depth, 0, kMaxTreeDepth);
  require_at_least("min_leaf_samples", o.min_leaf_samples, 1);
}

Tree fit_model_tree(const Samples& samples, const ModelTreeOptions& options) {
  validate(options);
  validate(samples);
  return ModelTree(samples, options).fit();
}

}  // namespace icct
