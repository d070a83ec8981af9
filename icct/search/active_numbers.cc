#include "icct/search/active_numbers.h"

#include <algorithm>
#include <set>

#include "icct/base/check.h"
#include "icct/base/error.h"

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

// Throws Error unless the policy has something of every name.
void require_names(const Policy& policy, std::span<const std::string> names) {
  const Tree& tree = tree_of(policy);
  std::set<std::string> known;
  for (int i = 0; i < std::ssize(tree.splits); ++i) known.insert(name_of(tree, {i, false}));
  for (int i = 0; i < std::ssize(tree.leaves); ++i) known.insert(name_of(tree, {i, true}));
  for (const Dimension& action : policy.actions) known.insert(action.name);
  for (const std::string& name : names) {
    if (known.contains(name)) continue;
    std::string list;
    for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
    throw Error("the tree has no split, leaf or action '" + name + "'; it has: " + list);
  }
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

std::vector<bool> named_numbers(const Policy& policy, std::span<const std::string> names) {
  require_names(policy, names);
  const auto is_named = [&](const std::string& name) {
    return std::ranges::find(names, name) != names.end();
  };
  const Tree& tree = tree_of(policy);
  std::vector<bool> named;
  for (int i = 0; i < std::ssize(tree.splits); ++i)
    named.push_back(is_named(name_of(tree, {i, false})));
  for (int i = 0; i < std::ssize(tree.leaves); ++i) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(i)];
    for (std::size_t a = 0; a < leaf.controllers.size(); ++a) {
      const bool so = is_named(name_of(tree, {i, true})) || is_named(policy.actions[a].name);
      named.insert(named.end(), 1 + leaf.controllers[a].terms.size(), so);
    }
  }
  return named;
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
