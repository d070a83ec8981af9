#include "icct/search/active_numbers.h"

#include "icct/base/check.h"

namespace icct {
namespace {

// Calls visit(number, kind, feature) for every active number, in order.
enum class Kind { Threshold, Bias, Gain };

template <class SomeTree, class Visit>
void visit_numbers(SomeTree& tree, const Visit& visit) {
  for (auto& split : tree.splits) visit(split.threshold, Kind::Threshold, split.feature);
  for (auto& leaf : tree.leaves) {
    for (auto& controller : leaf.controllers) {
      visit(controller.bias, Kind::Bias, 0);
      for (auto& term : controller.terms) visit(term.gain, Kind::Gain, term.feature);
    }
  }
}

// Whether a leaf below `ref` is visited; notes the splits that have one on either side.
bool note_deciding(const Tree& tree, NodeRef ref, const std::vector<bool>& visited,
                   std::vector<bool>& deciding) {
  const auto index = static_cast<std::size_t>(ref.index);
  if (ref.is_leaf) return visited[index];
  const bool yes = note_deciding(tree, tree.splits[index].yes, visited, deciding);
  const bool no = note_deciding(tree, tree.splits[index].no, visited, deciding);
  deciding[index] = yes && no;
  return yes || no;
}

}  // namespace

std::vector<double> active_numbers(const Tree& tree) {
  std::vector<double> values;
  visit_numbers(tree, [&](double value, Kind, int) { values.push_back(value); });
  return values;
}

void set_active_numbers(Tree& tree, std::span<const double> values) {
  std::size_t next = 0;
  visit_numbers(tree, [&](double& value, Kind, int) { value = values[next++]; });
  ICCT_CHECK(next == values.size());
}

Policy with_active_numbers(Policy policy, std::span<const double> values) {
  set_active_numbers(std::get<Tree>(policy.controller), values);
  return policy;
}

std::vector<bool> deciding_numbers(const Tree& tree, const std::vector<bool>& visited) {
  std::vector<bool> deciding(tree.splits.size());
  note_deciding(tree, tree.root, visited, deciding);
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    std::size_t numbers = 0;
    for (const Controller& controller : tree.leaves[leaf].controllers)
      numbers += 1 + controller.terms.size();
    deciding.insert(deciding.end(), numbers, visited[leaf]);
  }
  return deciding;
}

std::vector<double> active_scales(const Tree& tree, std::span<const double> feature_spread) {
  std::vector<double> scales;
  visit_numbers(tree, [&](double, Kind kind, int feature) {
    const double spread = feature_spread[static_cast<std::size_t>(feature)];
    scales.push_back(kind == Kind::Threshold ? spread : kind == Kind::Gain ? 1 / spread : 1.0);
  });
  return scales;
}

}  // namespace icct
