#include "icct/policy/parameter_count.h"

#include <array>
#include <cstdlib>

namespace icct {
namespace {

int leaf_parameters(const TreeOptions& o) {
  switch (o.leaf) {
    case LeafKind::Static:
      return 1;
    case LeafKind::Sparse:
      return 2 * o.features + 1;
    case LeafKind::Complete:
      break;
  }
  return o.observations + 1;
}

int controller_parameters(const Controller& controller, std::size_t observations) {
  const std::size_t e = controller.terms.size();
  return static_cast<int>(e == observations ? e + 1 : 2 * e + 1);
}

int learnable_parameters(const TreeOptions& options) {
  const ParameterBlock last = parameter_blocks(options).back();
  int size = 1;
  for (const int length : last.shape) size *= length;
  return static_cast<int>(last.offset) + size;
}

struct PublishedNetwork {
  int observations;
  int actions;
  std::vector<int> lower;
  std::vector<int> upper;
};

// Inverted pendulum, Lunar Lander, lane keeping, single-lane ring, multi-lane ring, figure-8, I-94:
// the layers that give the parameter counts of Table 1 and of the I-94 table.
const std::array<PublishedNetwork, 7>& published_networks() {
  static const std::array<PublishedNetwork, 7> networks = {{{4, 1, {6, 6}, {8, 8}},
                                                            {8, 2, {6, 6}, {10, 10}},
                                                            {12, 1, {6, 6}, {14, 14}},
                                                            {44, 1, {3, 3}, {12, 12}},
                                                            {66, 2, {3, 3}, {32, 32}},
                                                            {28, 1, {3, 3}, {20, 20}},
                                                            {19, 2, {2}, {20, 20}}}};
  return networks;
}

}  // namespace

int count_crisp_parameters(const TreeOptions& o) {
  return 3 * (o.leaves - 1) + leaf_parameters(o) * o.actions * o.leaves;
}

int count_parameters(const TreeOptions& o) {
  if (o.nodes == NodeKind::Crisp) return count_crisp_parameters(o);
  return (o.observations + 2) * (o.leaves - 1) + leaf_parameters(o) * o.actions * o.leaves;
}

int count_cart_parameters(int leaves, int actions) {
  return 2 * (leaves - 1) + actions * leaves;
}

int count_mlp_parameters(const std::vector<int>& sizes) {
  int count = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) count += (sizes[i] + 1) * sizes[i + 1];
  return count;
}

int count_parameters(const Policy& policy) {
  if (const auto* mlp = std::get_if<Mlp<double>>(&policy.controller))
    return count_mlp_parameters(mlp->sizes());
  const Tree& tree = tree_of(policy);
  int count = 3 * static_cast<int>(tree.splits.size());
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers) {
      count += controller_parameters(controller, policy.observations.size());
    }
  }
  return count;
}

std::vector<int> hidden_layers(MlpSize size, const TreeOptions& tree) {
  if (size == MlpSize::Max) return {256, 256};
  for (const PublishedNetwork& network : published_networks()) {
    if (network.observations != tree.observations || network.actions != tree.actions) continue;
    return size == MlpSize::Lower ? network.lower : network.upper;
  }
  const int target = size == MlpSize::Lower ? count_parameters(tree) : learnable_parameters(tree);
  const auto distance = [&](int width) {
    return std::abs(count_mlp_parameters({tree.observations, width, width, tree.actions}) - target);
  };
  int width = 1;
  while (distance(width + 1) < distance(width)) ++width;
  return {width, width};
}

}  // namespace icct
