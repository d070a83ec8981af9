#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "icct/tree/algorithms.h"
#include "icct/tree/batched_tree.h"

namespace icct {
namespace {

using Numbers = std::vector<double>;

constexpr double kStep = 1e-6;
constexpr double kTolerance = 1e-6;

// Everything one pass needs. The loss is the sum of mean * d_mean and log_std * d_log_std.
struct Problem {
  TreeOptions options;
  int batch = 2;
  bool noisy = false;
  GumbelNoise<double> noise = {};
  Numbers parameters = {}, x = {}, d_mean = {}, d_log_std = {};
};

// The oracle: the published forward pass written out densely. Every one-hot vector is hard(theta0)
// + soft(theta) - soft(theta0) and every |v| is sign(v0) v (selectors that were picked are zero,
// where the published code takes the slope 0), so that the plain derivative at theta0 is the
// published gradient.
class Surrogate {
 public:
  explicit Surrogate(const Problem& problem) : problem_(problem), o_(problem.options) {}

  // The first call decides where theta0 is.
  double loss(const Numbers& parameters, const Numbers& x) {
    const TreeView<const double> view(o_, parameters);
    next_choice_ = next_sign_ = next_divisor_ = 0;
    choose_features(view);
    double sum = 0;
    for (int i = 0; i < problem_.batch; ++i) sum += loss_of_sample(view, i, x.data() + i * m());
    first_ = false;
    return sum;
  }

 private:
  int m() const { return o_.observations; }
  int nodes() const { return o_.leaves - 1; }

  Numbers one_hot(const Numbers& logits, double tau) {
    const auto largest = std::max_element(logits.begin(), logits.end());
    Numbers soft(logits.size());
    for (std::size_t j = 0; j < logits.size(); ++j)
      soft[j] = std::exp((logits[j] - *largest) / tau);
    const double total = std::accumulate(soft.begin(), soft.end(), 0.0);
    for (double& p : soft) p /= total;
    if (first_) {
      Numbers hard(logits.size());
      hard[largest - logits.begin()] = 1;
      hard_.push_back(hard);
      soft_.push_back(soft);
    }
    const std::size_t i = next_choice_++;
    for (std::size_t j = 0; j < soft.size(); ++j) soft[j] = hard_[i][j] + (soft[j] - soft_[i][j]);
    return soft;
  }

  double magnitude(double value) {
    if (first_) signs_.push_back((value > 0) - (value < 0));
    return signs_[next_sign_++] * value;
  }

  void choose_features(const TreeView<const double>& view) {
    node_z_.clear();
    leaf_z_.clear();
    for (int node = 0; o_.nodes == NodeKind::Crisp && node < nodes(); ++node) {
      Numbers logits(m());
      for (int j = 0; j < m(); ++j) {
        logits[j] = magnitude(view.node_weights(node)[j]);
        if (problem_.noisy) logits[j] += problem_.noise.nodes[node * m() + j];
      }
      node_z_.push_back(one_hot(logits, o_.temperature));
    }
    const int rows = o_.leaf == LeafKind::Sparse ? o_.leaves * o_.actions : 0;
    for (int row = 0; row < rows; ++row) {
      const auto selectors = view.selectors(row / o_.actions, row % o_.actions);
      Numbers theta(selectors.begin(), selectors.end());
      for (int pick = 0; pick < o_.features; ++pick) {
        Numbers logits(m());
        for (int j = 0; j < m(); ++j) {
          logits[j] = magnitude(theta[j]);
          if (problem_.noisy)
            logits[j] += problem_.noise.selectors[(row * o_.features + pick) * m() + j];
        }
        leaf_z_.push_back(one_hot(logits, o_.temperature));
        for (int j = 0; j < m(); ++j) theta[j] -= theta[j] * leaf_z_.back()[j];
      }
    }
  }

  // The probability of the left branch.
  double outcome(const TreeView<const double>& view, int node, int sample, const double* x) {
    const auto w = view.node_weights(node);
    double product = 0, divisor = 0;
    if (o_.nodes == NodeKind::Soft) {
      for (int j = 0; j < m(); ++j) product += w[j] * x[j];
      return 1 / (1 + std::exp(-view.steepness(node) * (product - view.threshold(node))));
    }
    for (int j = 0; j < m(); ++j) {
      product += w[j] * node_z_[node][j] * x[j];
      divisor += magnitude(w[j]) * node_z_[node][j];
    }
    if (first_) divisor_is_zero_.push_back(divisor == 0);
    if (divisor_is_zero_[next_divisor_++]) divisor = 1;
    double value = view.steepness(node) * (product - view.threshold(node)) / divisor;
    if (problem_.noisy) value += problem_.noise.outcomes[sample * nodes() + node];
    return one_hot({value, 0}, o_.temperature)[0];
  }

  double mean(const TreeView<const double>& view, int leaf, int action, const double* x) const {
    if (o_.leaf == LeafKind::Static) return view.leaf_bias(leaf)[action];
    const auto s = view.gains(leaf, action);
    double result = 0;
    if (o_.leaf == LeafKind::Complete) {
      for (int j = 0; j < m(); ++j) result += s[j] * x[j];
      return result + view.leaf_bias(leaf)[action];
    }
    const auto b = view.feature_biases(leaf, action);
    Numbers u(m());
    for (int pick = 0; pick < o_.features; ++pick) {
      const Numbers& z = leaf_z_[(leaf * o_.actions + action) * o_.features + pick];
      double z_s = 0, z_x = 0, z_b = 0;
      for (int j = 0; j < m(); ++j) {
        u[j] += z[j];
        z_s += z[j] * s[j];
        z_x += z[j] * x[j];
        z_b += z[j] * b[j];
      }
      if (o_.selector_gradient == SelectorGradient::PerPick) result += z_s * z_x + z_b;
    }
    for (int j = 0; o_.selector_gradient == SelectorGradient::Combined && j < m(); ++j)
      result += (u[j] * s[j]) * (u[j] * x[j]) + u[j] * b[j];
    return result;
  }

  double loss_of_sample(const TreeView<const double>& view, int sample, const double* x) {
    Numbers y(nodes());
    for (int node = 0; node < nodes(); ++node) y[node] = outcome(view, node, sample, x);
    Numbers mixed_mean(o_.actions), mixed_log_std(o_.actions);
    for (int leaf = 0; leaf < o_.leaves; ++leaf) {
      double probability = 1;
      for (int below = leaf + nodes(); below > 0; below = (below - 1) / 2) {
        const double left = y[(below - 1) / 2];
        probability *= below % 2 == 1 ? left : 1 - left;
      }
      for (int a = 0; a < o_.actions; ++a) {
        mixed_mean[a] += probability * mean(view, leaf, a, x);
        mixed_log_std[a] += probability * view.log_std(leaf)[a];
      }
    }
    double sum = 0;
    for (int a = 0; a < o_.actions; ++a) {
      sum += problem_.d_mean[sample * o_.actions + a] * mixed_mean[a];
      sum += problem_.d_log_std[sample * o_.actions + a] * std::clamp(mixed_log_std[a], -20.0, 2.0);
    }
    return sum;
  }

  const Problem& problem_;
  const TreeOptions& o_;
  bool first_ = true;
  std::vector<Numbers> hard_, soft_;  // at theta0, as are the next two
  std::vector<int> signs_;
  std::vector<bool> divisor_is_zero_;
  std::size_t next_choice_ = 0, next_sign_ = 0, next_divisor_ = 0;
  std::vector<Numbers> node_z_;  // per node
  std::vector<Numbers> leaf_z_;  // per leaf, action and pick
};

double signed_number(double low, double high, Rng& rng) {
  return (rng.below(2) == 0 ? 1 : -1) * rng.uniform(low, high);
}

Problem random_problem(const TreeOptions& o, bool noisy, Rng& rng) {
  FuzzyTree<double> tree(o);
  // Away from zero, because node_crisp divides by weights. Both signs of everything.
  for (double& value : tree.parameters()) value = signed_number(0.3, 1.5, rng);
  // Some log standard deviations beyond both bounds.
  for (int leaf = 0; leaf < o.leaves; ++leaf) {
    for (double& value : tree.view().log_std(leaf)) {
      if (rng.below(6) == 0) value = rng.below(2) == 0 ? 3 : -25;
    }
  }
  Problem p{.options = o, .noisy = noisy};
  p.parameters.assign(tree.parameters().begin(), tree.parameters().end());
  p.x.resize(p.batch * o.observations);
  p.d_mean.resize(p.batch * o.actions);
  p.d_log_std.resize(p.batch * o.actions);
  for (Numbers* numbers : {&p.x, &p.d_mean, &p.d_log_std}) {
    for (double& value : *numbers) value = rng.normal();
  }
  if (noisy) draw_gumbel_noise(o, p.batch, rng, p.noise);
  return p;
}

struct Gradient {
  double loss = 0;
  Numbers parameters, x;
};

Gradient library_gradient(const Problem& p, int repetitions = 1) {
  const int batch = p.batch, m = p.options.observations, actions = p.options.actions;
  FuzzyTree<double> tree(p.options);
  std::copy(p.parameters.begin(), p.parameters.end(), tree.parameters().begin());
  BatchedTree<double> pass(p.options, batch);
  Numbers mean(batch * actions), log_std(batch * actions);
  pass.forward(tree, {p.x.data(), batch, m}, {mean.data(), batch, actions},
               {log_std.data(), batch, actions}, p.noisy ? &p.noise : nullptr);
  Gradient g{0, Numbers(p.parameters.size()), Numbers(p.x.size())};
  for (std::size_t i = 0; i < mean.size(); ++i)
    g.loss += mean[i] * p.d_mean[i] + log_std[i] * p.d_log_std[i];
  for (int i = 0; i < repetitions; ++i) {
    pass.backward(tree, {p.d_mean.data(), batch, actions}, {p.d_log_std.data(), batch, actions},
                  g.parameters, {g.x.data(), batch, m});
  }
  return g;
}

std::string describe(const Problem& p) {
  const TreeOptions& o = p.options;
  return "nodes " + std::to_string(int(o.nodes)) + " leaf " + std::to_string(int(o.leaf)) +
         " form " + std::to_string(int(o.selector_gradient)) + " shared " +
         std::to_string(o.shared_steepness) + " tau " + std::to_string(o.temperature) + " noisy " +
         std::to_string(p.noisy) + " leaves " + std::to_string(o.leaves) + " actions " +
         std::to_string(o.actions) + " m " + std::to_string(o.observations) + " e " +
         std::to_string(o.features);
}

void expect_close(double actual, double expected, double tolerance, std::size_t index = 0) {
  EXPECT_LE(std::abs(actual - expected), tolerance * std::max(1.0, std::abs(expected)))
      << "element " << index << ": " << actual << " != " << expected;
}

// The slope of the surrogate along a direction in parameters and inputs.
double slope(Surrogate& surrogate, const Problem& p, const Numbers& direction) {
  const auto loss_at = [&](double step) {
    Numbers theta = p.parameters, x = p.x;
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += step * direction[i];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += step * direction[theta.size() + i];
    return surrogate.loss(theta, x);
  };
  return (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
}

// Every element of the gradient on its own.
void check_elements(const Problem& p) {
  SCOPED_TRACE(describe(p));
  Surrogate surrogate(p);
  const Gradient g = library_gradient(p);
  EXPECT_NEAR(g.loss, surrogate.loss(p.parameters, p.x), 1e-12 * (1 + std::abs(g.loss)));
  Numbers all = g.parameters;
  all.insert(all.end(), g.x.begin(), g.x.end());
  Numbers direction(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    direction[i] = 1;
    expect_close(all[i], slope(surrogate, p, direction), kTolerance, i);
    direction[i] = 0;
  }
}

// The whole gradient at once: cheap enough for all sizes.
void check_direction(const Problem& p, Rng& rng) {
  SCOPED_TRACE(describe(p));
  Surrogate surrogate(p);
  const Gradient g = library_gradient(p);
  EXPECT_NEAR(g.loss, surrogate.loss(p.parameters, p.x), 1e-12 * (1 + std::abs(g.loss)));
  Numbers direction(g.parameters.size() + g.x.size());
  for (double& value : direction) value = rng.uniform(-1, 1);
  const auto middle = direction.begin() + static_cast<std::ptrdiff_t>(g.parameters.size());
  const double expected = std::inner_product(direction.begin(), middle, g.parameters.begin(), 0.0) +
                          std::inner_product(middle, direction.end(), g.x.begin(), 0.0);
  expect_close(slope(surrogate, p, direction), expected, kTolerance);
}

// All modes; sizes are left to the caller.
template <class Visit>
void for_each_mode(const Visit& visit) {
  for (const auto nodes : {NodeKind::Crisp, NodeKind::Soft})
    for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete})
      for (const auto form : {SelectorGradient::PerPick, SelectorGradient::Combined})
        for (const bool shared : {false, true})
          for (const double tau : {1.0, 0.5, 2.0})
            for (const bool noisy : {false, true}) {
              TreeOptions o;
              o.nodes = nodes;
              o.leaf = leaf;
              o.selector_gradient = form;
              o.shared_steepness = shared;
              o.temperature = tau;
              visit(o, noisy);
            }
}

TEST(Gradient, MatchesTheDensePublishedFormElementByElementInEveryMode) {
  Rng rng(1);
  for_each_mode([&rng](TreeOptions o, bool noisy) {
    for (const int leaves : {1, 2, 4, 8}) {
      o.leaves = leaves;
      o.actions = 1 + rng.below(3);
      o.observations = 1 + rng.below(6);
      o.features = 1 + rng.below(o.observations);
      check_elements(random_problem(o, noisy, rng));
    }
  });
}

TEST(Gradient, MatchesTheDensePublishedFormForAllSizes) {
  Rng rng(2);
  for_each_mode([&rng](TreeOptions o, bool noisy) {
    for (const int leaves : {1, 2, 4, 8, 16})
      for (const int actions : {1, 2, 3})
        for (const int m : {1, 2, 3, 4, 5, 6})
          for (int e = o.leaf == LeafKind::Sparse ? 1 : m; e <= m; ++e) {
            o.leaves = leaves;
            o.actions = actions;
            o.observations = m;
            o.features = e;
            check_direction(random_problem(o, noisy, rng), rng);
          }
  });
}

TEST(Gradient, IsThatOfADivisorOfOneWhereTheChosenWeightIsZero) {
  Rng rng(3);
  TreeOptions o;
  o.leaves = 4;
  o.observations = 3;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const bool noisy = repetition % 2 == 1;
    const int node = repetition % 3;
    Problem p = random_problem(o, noisy, rng);
    const TreeView<double> view(o, p.parameters);
    // Without noise all weights must be zero for that; with noise one will do.
    for (int j = 0; j < (noisy ? 1 : 3); ++j) view.node_weights(node)[j] = 0;
    double* noise = noisy ? p.noise.nodes.data() + node * 3 : nullptr;
    if (noisy) noise[0] = std::max(noise[1], noise[2]) + 2;
    check_elements(p);
  }
}

TEST(Gradient, CountsAFeatureThatNoisePicksTwice) {
  Rng rng(4);
  TreeOptions o;
  o.leaves = 2;
  o.observations = 3;
  for (const auto form : {SelectorGradient::PerPick, SelectorGradient::Combined}) {
    o.selector_gradient = form;
    Problem p = random_problem(o, true, rng);
    for (std::size_t i = 0; i < p.noise.selectors.size(); ++i)
      p.noise.selectors[i] = i % 3 == 1 ? 4 : 0;  // beats every |theta|, without saturating
    std::vector<int> picks(2);
    Numbers scratch(3);
    const TreeView<const double> view(o, p.parameters);
    enforce_sparsity<double>({view.selectors(0, 0), view.gains(0, 0), view.feature_biases(0, 0),
                              std::span<const double>(p.noise.selectors).first(6)},
                             picks, scratch);
    ASSERT_EQ(picks, (std::vector<int>{1, 1}));
    check_elements(p);
  }
}

TEST(Gradient, OfSoftTreesMatchesFiniteDifferencesOfForwardItself) {
  Rng rng(5);
  TreeOptions o;
  o.nodes = NodeKind::Soft;
  o.leaves = 8;
  o.actions = 2;
  o.observations = 4;
  for (const auto leaf : {LeafKind::Static, LeafKind::Complete}) {
    o.leaf = leaf;
    const Problem p = random_problem(o, false, rng);
    SCOPED_TRACE(describe(p));
    const Gradient g = library_gradient(p);
    const auto check = [&](Numbers Problem::*values, const Numbers& gradient) {
      for (std::size_t i = 0; i < gradient.size(); ++i) {
        Problem above = p, below = p;
        (above.*values)[i] += kStep;
        (below.*values)[i] -= kStep;
        const double expected =
            (library_gradient(above).loss - library_gradient(below).loss) / (2 * kStep);
        expect_close(gradient[i], expected, kTolerance, i);
      }
    };
    check(&Problem::parameters, g.parameters);
    check(&Problem::x, g.x);
  }
}

TEST(Gradient, AddsToWhatIsThere) {
  Rng rng(6);
  for_each_mode([&rng](TreeOptions o, bool noisy) {
    o.observations = 5;
    o.actions = 2;
    const Problem p = random_problem(o, noisy, rng);
    SCOPED_TRACE(describe(p));
    const Gradient once = library_gradient(p), twice = library_gradient(p, 2);
    for (std::size_t i = 0; i < once.parameters.size(); ++i)
      expect_close(twice.parameters[i], 2 * once.parameters[i], 1e-12, i);
    for (std::size_t i = 0; i < once.x.size(); ++i)
      expect_close(twice.x[i], 2 * once.x[i], 1e-12, i);
  });
}

TEST(BatchedTree, AgreesWithDetermineActionOnALargeTree) {
  TreeOptions o;
  o.leaves = 1024;
  o.observations = 46;
  o.actions = 2;
  Rng rng(7);
  for (const auto leaf : {LeafKind::Static, LeafKind::Sparse, LeafKind::Complete}) {
    o.leaf = leaf;
    const int batch = 200;
    FuzzyTree<double> tree(o);
    for (double& value : tree.parameters()) value = rng.normal();
    Numbers x(batch * o.observations), mean(batch * 2), log_std(batch * 2), action(2);
    for (double& value : x) value = rng.normal();
    BatchedTree<double> pass(o, batch);
    pass.forward(tree, {x.data(), batch, 46}, {mean.data(), batch, 2}, {log_std.data(), batch, 2});
    for (int i = 0; i < batch; ++i) {
      determine_action<double>(tree, std::span(x).subspan(i * 46, 46), nullptr, action);
      for (int a = 0; a < 2; ++a) expect_close(mean[i * 2 + a], action[a], 1e-12, i * 2 + a);
    }
  }
}

}  // namespace
}  // namespace icct
