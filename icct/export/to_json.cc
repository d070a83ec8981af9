#include "icct/export/to_json.h"

#include "icct/policy/policy_layout.h"

namespace icct {
namespace {

int link(NodeRef ref) {
  return ref.is_leaf ? -1 - ref.index : ref.index;
}

Json leaf_table(const Tree& tree, int index) {
  Json controllers = Json::array();
  for (const Controller& controller : tree.leaves[static_cast<std::size_t>(index)].controllers) {
    Json terms = Json::array();
    for (const Term& term : controller.terms) terms.push_back({term.feature, term.gain});
    controllers.push_back({{"bias", controller.bias}, {"terms", terms}});
  }
  return {{"name", name_of(tree, {index, true})}, {"controllers", controllers}};
}

}  // namespace

Json function_tables(const Policy& policy) {
  const Tree& tree = tree_of(policy);
  Json nodes = Json::array();
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    const Split& split = tree.splits[i];
    nodes.push_back({{"name", name_of(tree, {static_cast<int>(i), false})},
                     {"feature", split.feature},
                     {"at_most", split.less},
                     {"threshold", split.threshold},
                     {"yes", link(split.yes)},
                     {"no", link(split.no)}});
  }
  Json leaves = Json::array();
  for (std::size_t i = 0; i < tree.leaves.size(); ++i)
    leaves.push_back(leaf_table(tree, static_cast<int>(i)));
  return {{"format", "icct-function"},
          {"version", 1},
          {"name", policy.name},
          {"observations", space_to_json(policy.observations)},
          {"actions", space_to_json(policy.actions)},
          {"squashing", policy.squashing == Squashing::Tanh ? "tanh" : "clip"},
          {"safe_action", policy.safe_action ? Json(*policy.safe_action) : Json(nullptr)},
          {"root", link(tree.root)},
          {"nodes", nodes},
          {"leaves", leaves}};
}

std::string to_json(const Policy& policy) {
  return write_json(function_tables(policy)) + "\n";
}

}  // namespace icct
