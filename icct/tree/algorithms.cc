#include "icct/tree/algorithms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "icct/base/check.h"

namespace icct {
namespace {

template <class T>
T sign(T value) {
  return static_cast<T>((value > 0) - (value < 0));
}

// |w| plus Gumbel noise, the logits of every feature choice.
template <class T>
void magnitude_logits(std::span<const T> w, std::span<const T> noise, std::span<T> logits) {
  for (std::size_t j = 0; j < w.size(); ++j)
    logits[j] = std::abs(w[j]) + (noise.empty() ? T(0) : noise[j]);
}

// theta before pick number `pick`: the features picked earlier are zero.
template <class T>
T remaining(std::span<const T> theta, std::span<const int> picks, std::size_t pick, std::size_t j) {
  const auto earlier = picks.first(pick);
  return std::find(earlier.begin(), earlier.end(), static_cast<int>(j)) == earlier.end() ? theta[j]
                                                                                         : T(0);
}

template <class T>
std::span<const T> noise_of_pick(const FuzzyController<T>& controller, std::size_t pick) {
  const std::size_t m = controller.theta.size();
  return controller.noise.empty() ? controller.noise : controller.noise.subspan(pick * m, m);
}

template <class T>
T controller_mean(const FuzzyTree<T>& tree, int leaf, int action, std::span<const T> x) {
  const TreeOptions& options = tree.options();
  const auto view = tree.view();
  if (options.leaf == LeafKind::Static) return view.leaf_bias(leaf)[action];
  const auto beta = view.gains(leaf, action);
  if (options.leaf == LeafKind::Complete) {
    T mean = view.leaf_bias(leaf)[action];
    for (std::size_t j = 0; j < x.size(); ++j) mean += beta[j] * x[j];
    return mean;
  }
  const FuzzyController<T> controller{view.selectors(leaf, action), beta,
                                      view.feature_biases(leaf, action)};
  std::vector<int> picks(options.features);
  std::vector<T> scratch(x.size());
  std::vector<SparseTerm<T>> terms(options.features);
  enforce_sparsity<T>(controller, picks, scratch);
  T mean = selected_controller<T>(controller, picks, options.selector_gradient, terms);
  for (const SparseTerm<T>& term : terms) mean += term.gain * x[term.feature];
  return mean;
}

}  // namespace

template <class T>
void determine_action(const FuzzyTree<T>& tree, std::span<const T> x, Rng* rng,
                      std::span<T> action) {
  ICCT_CHECK(tree.options().nodes == NodeKind::Crisp);
  const auto view = tree.view();
  std::vector<T> scratch(x.size());

  // Steps 1 to 3: crisp nodes, crisp outcomes, down to one leaf.
  int node = 0;
  while (node < tree.nodes()) {
    const FuzzyNode<T> fuzzy{view.node_weights(node), view.threshold(node), view.steepness(node)};
    const CrispNode<T> crisp = node_crisp<T>(fuzzy, scratch);
    node = 2 * node + (outcome_crisp(crisp, x[crisp.feature]) ? 1 : 2);
  }
  const int leaf = node - tree.nodes();

  // Steps 4 to 8: its sparse controller, and a draw around it while training.
  for (int a = 0; a < tree.options().actions; ++a) {
    action[a] = controller_mean(tree, leaf, a, x);
    if (rng == nullptr) continue;
    const T log_std = std::clamp(view.log_std(leaf)[a], T(kMinLogStd), T(kMaxLogStd));
    action[a] += std::exp(log_std) * static_cast<T>(rng->normal());
  }
}

template <class T>
CrispNode<T> node_crisp(const FuzzyNode<T>& node, std::span<T> scratch) {
  const auto logits = scratch.first(node.w.size());
  magnitude_logits(node.w, node.noise, logits);
  const int k = diff_argmax<T>(logits, 1, {});
  const T magnitude = std::abs(node.w[k]);
  const T divisor = magnitude == 0 ? T(1) : magnitude;
  const T side = sign(node.alpha);
  const T bound = side == 0 ? T(0) : side * (node.b / divisor);  // not 0 * inf
  return {k, side * sign(node.w[k]), bound, std::abs(node.alpha)};
}

template <class T>
void node_crisp_backward(const FuzzyNode<T>& node, int k, T tau, T sum, std::span<const T> sum_x,
                         FuzzyNodeGradient<T> gradient, std::span<T> scratch) {
  const std::size_t m = node.w.size();
  const auto soft = scratch.subspan(0, m);
  const auto d_z = scratch.subspan(m, m);
  const auto d_logits = scratch.subspan(2 * m, m);
  const T magnitude = std::abs(node.w[k]);
  const T divisor = magnitude == 0 ? T(1) : magnitude;

  // value = alpha (sum_j w_j z_j x_j - b) / divisor with divisor = sum_j |w_j| z_j, a zero divisor
  // replaced by 1.
  const T d_quotient = node.alpha / divisor;
  const T sum_numerator = node.w[k] * sum_x[k] - node.b * sum;
  const T d_divisor = magnitude == 0 ? T(0) : -d_quotient * sum_numerator / divisor;
  gradient.alpha += sum_numerator / divisor;
  gradient.b -= d_quotient * sum;
  gradient.w[k] += d_quotient * sum_x[k] + d_divisor * sign(node.w[k]);
  for (std::size_t j = 0; j < m; ++j)
    d_z[j] = d_quotient * node.w[j] * sum_x[j] + d_divisor * std::abs(node.w[j]);

  magnitude_logits(node.w, node.noise, soft);
  diff_argmax<T>(soft, tau, soft);
  std::fill(d_logits.begin(), d_logits.end(), T(0));
  diff_argmax_backward<T>(soft, tau, d_z, d_logits);
  for (std::size_t j = 0; j < m; ++j) gradient.w[j] += sign(node.w[j]) * d_logits[j];
}

template <class T>
int diff_argmax(std::span<const T> logits, T tau, std::span<T> soft) {
  const auto largest = std::max_element(logits.begin(), logits.end());
  const auto index = static_cast<int>(largest - logits.begin());
  if (soft.empty()) return index;
  const T maximum = *largest;
  T total = 0;
  for (std::size_t i = 0; i < soft.size(); ++i)
    total += soft[i] = std::exp((logits[i] - maximum) / tau);
  for (T& probability : soft) probability /= total;
  return index;
}

template <class T>
void diff_argmax_backward(std::span<const T> soft, T tau, std::span<const T> d_z,
                          std::span<T> d_logits) {
  T dot = 0;
  for (std::size_t i = 0; i < soft.size(); ++i) dot += soft[i] * d_z[i];
  for (std::size_t i = 0; i < soft.size(); ++i) d_logits[i] += soft[i] * (d_z[i] - dot) / tau;
}

template <class T>
void enforce_sparsity(const FuzzyController<T>& controller, std::span<int> picks,
                      std::span<T> scratch) {
  const std::size_t m = controller.theta.size();
  const auto logits = scratch.first(m);
  for (std::size_t pick = 0; pick < picks.size(); ++pick) {
    const auto noise = noise_of_pick(controller, pick);
    magnitude_logits(controller.theta, noise, logits);
    const auto earlier = picks.first(pick);
    for (const int k : earlier) logits[k] = noise.empty() ? T(0) : noise[k];
    int k = diff_argmax<T>(logits, 1, {});
    // Without noise an earlier pick wins only if all others are zero too: take the first of those
    // instead.
    const auto is_taken = [&earlier](int j) {
      return std::find(earlier.begin(), earlier.end(), j) != earlier.end();
    };
    if (noise.empty() && is_taken(k)) {
      for (k = 0; is_taken(k);) ++k;
    }
    picks[pick] = k;
  }
}

template <class T>
void enforce_sparsity_backward(const FuzzyController<T>& controller, std::span<const int> picks,
                               SelectorGradient form, T tau, T sum, std::span<const T> sum_x,
                               FuzzyControllerGradient<T> gradient, std::span<T> scratch) {
  const std::size_t m = controller.theta.size();
  const auto soft = scratch.subspan(0, m);
  const auto d_z = scratch.subspan(m, m);
  const auto d_logits = scratch.subspan(2 * m, m);
  const auto d_theta = scratch.subspan(3 * m, m);  // of theta as it stands after the pick at hand
  const auto rest = scratch.subspan(4 * m, m);     // theta as it stands before it
  const auto& [theta, beta, phi, noise] = controller;
  const auto count = [&picks](std::size_t j) {
    return static_cast<T>(std::count(picks.begin(), picks.end(), static_cast<int>(j)));
  };

  std::copy(theta.begin(), theta.end(), rest.begin());
  for (const int k : picks) {
    gradient.beta[k] += (form == SelectorGradient::PerPick ? T(1) : count(k)) * sum_x[k];
    gradient.phi[k] += sum;
    rest[k] = 0;
  }

  // Backwards through the picks; z of each one reaches the output and, by zeroing theta, all later
  // picks.
  std::fill(d_theta.begin(), d_theta.end(), T(0));
  for (std::size_t pick = picks.size(); pick-- > 0;) {
    const int k = picks[pick];
    rest[k] = remaining(theta, picks, pick, k);
    for (std::size_t j = 0; j < m; ++j) {
      const T through_output = form == SelectorGradient::PerPick
                                   ? beta[j] * sum_x[k] + beta[k] * sum_x[j]
                                   : 2 * count(j) * beta[j] * sum_x[j];
      d_z[j] = through_output + phi[j] * sum - rest[j] * d_theta[j];
    }
    magnitude_logits<T>(rest, noise_of_pick(controller, pick), soft);
    diff_argmax<T>(soft, tau, soft);
    std::fill(d_logits.begin(), d_logits.end(), T(0));
    diff_argmax_backward<T>(soft, tau, d_z, d_logits);
    d_theta[k] = 0;
    for (std::size_t j = 0; j < m; ++j) d_theta[j] += sign(rest[j]) * d_logits[j];
  }
  for (std::size_t j = 0; j < m; ++j) gradient.theta[j] += d_theta[j];
}

template <class T>
T selected_controller(const FuzzyController<T>& controller, std::span<const int> picks,
                      SelectorGradient form, std::span<SparseTerm<T>> terms) {
  for (std::size_t i = 0; i < picks.size(); ++i) {
    // A feature that Gumbel noise picked n times counts n times, in the combined form n times n.
    const auto n = static_cast<T>(std::count(picks.begin(), picks.end(), picks[i]));
    terms[i] = {picks[i], form == SelectorGradient::PerPick ? controller.beta[picks[i]]
                                                            : n * controller.beta[picks[i]]};
  }
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return a.feature < b.feature; });
  T bias = 0;
  for (const SparseTerm<T>& term : terms) bias += controller.phi[term.feature];
  return bias;
}

template void determine_action(const FuzzyTree<float>&, std::span<const float>, Rng*,
                               std::span<float>);
template CrispNode<float> node_crisp(const FuzzyNode<float>&, std::span<float>);
template void node_crisp_backward(const FuzzyNode<float>&, int, float, float,
                                  std::span<const float>, FuzzyNodeGradient<float>,
                                  std::span<float>);
template int diff_argmax(std::span<const float>, float, std::span<float>);
template void diff_argmax_backward(std::span<const float>, float, std::span<const float>,
                                   std::span<float>);
template void enforce_sparsity(const FuzzyController<float>&, std::span<int>, std::span<float>);
template void enforce_sparsity_backward(const FuzzyController<float>&, std::span<const int>,
                                        SelectorGradient, float, float, std::span<const float>,
                                        FuzzyControllerGradient<float>, std::span<float>);
template float selected_controller(const FuzzyController<float>&, std::span<const int>,
                                   SelectorGradient, std::span<SparseTerm<float>>);

template void determine_action(const FuzzyTree<double>&, std::span<const double>, Rng*,
                               std::span<double>);
template CrispNode<double> node_crisp(const FuzzyNode<double>&, std::span<double>);
template void node_crisp_backward(const FuzzyNode<double>&, int, double, double,
                                  std::span<const double>, FuzzyNodeGradient<double>,
                                  std::span<double>);
template int diff_argmax(std::span<const double>, double, std::span<double>);
template void diff_argmax_backward(std::span<const double>, double, std::span<const double>,
                                   std::span<double>);
template void enforce_sparsity(const FuzzyController<double>&, std::span<int>, std::span<double>);
template void enforce_sparsity_backward(const FuzzyController<double>&, std::span<const int>,
                                        SelectorGradient, double, double, std::span<const double>,
                                        FuzzyControllerGradient<double>, std::span<double>);
template double selected_controller(const FuzzyController<double>&, std::span<const int>,
                                    SelectorGradient, std::span<SparseTerm<double>>);

}  // namespace icct
