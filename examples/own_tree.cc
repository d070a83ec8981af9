// Build a tree by hand, save, load and run it; then take the gradient of a learnable one.

#include <cstdio>
#include <vector>

#include "icct/policy/policy_file.h"
#include "icct/tree/batched_tree.h"
#include "icct/tree/initialise.h"

using namespace icct;

namespace {

// Slow the cart near the end of the track, else keep the pole upright.
Policy make_policy() {
  Policy policy;
  policy.name = "own tree";
  policy.observations = {{"position", "m", -1, 1}, {"angle", "rad", -0.2, 0.2}};
  policy.actions = {{"force", "N", -3, 3}};
  const Tree brake = make_leaf({{.bias = -0.5, .terms = {{.feature = 1, .gain = 12}}}});
  const Tree balance = make_leaf({{.terms = {{.feature = 0, .gain = 0.4}, {1, 9}}}});
  policy.controller = make_split(0, 0.8, brake, balance);  // position >= 0.8 ? brake : balance
  return policy;
}

// The sum of all means: any function of the outputs would do.
double sum_of_means(const FuzzyTree<double>& tree, MatrixView<const double> x) {
  std::vector<double> mean(4), log_std(4);
  BatchedTree<double>(tree.options(), 4)
      .forward(tree, x, {mean.data(), 4, 1}, {log_std.data(), 4, 1});
  return mean[0] + mean[1] + mean[2] + mean[3];
}

}  // namespace

int main() {
  save_policy(make_policy(), "own_tree.json");
  const Policy policy = load_policy("own_tree.json");
  for (const std::vector<double>& x : {std::vector{0.1, 0.05}, std::vector{0.9, 0.05}})
    std::printf("position %.2f m, angle %.2f rad: force %+.3f N\n", x[0], x[1], act(policy, x)[0]);

  // Soft nodes (CDDT), because a finite difference does not see through a crisp step.
  FuzzyTree<double> tree({.observations = 2, .leaves = 4, .features = 1, .nodes = NodeKind::Soft});
  Rng rng(1);
  initialise_published(tree, rng);
  const std::vector<double> values = {0.1, 0.5, -0.4, 0.2, 0.9, -0.3, -0.7, 0.8}, ones(4, 1.0),
                            zeros(4);
  const MatrixView<const double> x{values.data(), 4, 2};
  std::vector<double> mean(4), log_std(4), gradient(tree.parameters().size());
  BatchedTree<double> batched(tree.options(), 4);
  batched.forward(tree, x, {mean.data(), 4, 1}, {log_std.data(), 4, 1});
  batched.backward(tree, {ones.data(), 4, 1}, {zeros.data(), 4, 1}, gradient);

  const double before = sum_of_means(tree, x), step = 1e-6;
  tree.parameters()[0] += step;  // the first weight of the root
  std::printf("d sum of means / d root weight: %.6f by backward, %.6f by finite difference\n",
              gradient[0], (sum_of_means(tree, x) - before) / step);
}
