#include "icct/export/to_text.h"

#include <algorithm>

#include "icct/base/error.h"

namespace icct {
namespace {

// Everything that the lines of a drawing need.
struct TextDrawing {
  const Policy& policy;
  const Tree& tree;
  const TextOptions& options;
  const VisitCounts* visits;
  std::vector<LeafRegion> regions;  // by index of the leaf
  std::string text;
};

std::vector<LeafRegion> regions_by_leaf(const Tree& tree) {
  std::vector<LeafRegion> regions = leaf_regions(tree);
  std::ranges::sort(regions, {}, &LeafRegion::leaf);
  return regions;
}

void draw_leaf(TextDrawing& drawing, int index, const std::string& margin) {
  const Space& actions = drawing.policy.actions;
  std::size_t width = 0;
  for (const Dimension& action : actions) width = std::max(width, action.name.size());
  for (std::size_t a = 0; a < actions.size(); ++a) {
    const std::string& name = actions[a].name;
    drawing.text += margin + name + std::string(width - name.size(), ' ') + " = " +
                    action_phrase(drawing.policy, drawing.regions[static_cast<std::size_t>(index)],
                                  a, drawing.options) +
                    "\n";
  }
}

// The lines below a branch; `lead` stands before its first line, `margin` before the others.
void draw(TextDrawing& drawing, NodeRef ref, const std::string& lead, const std::string& margin) {
  drawing.text += lead + name_of(drawing.tree, ref);
  const std::string use =
      drawing.visits == nullptr ? "" : "  [" + share_text(*drawing.visits, ref) + "]";
  if (ref.is_leaf) {
    drawing.text += use + "\n";
    draw_leaf(drawing, ref.index, margin + "  ");
    return;
  }
  const Split& split = drawing.tree.splits[static_cast<std::size_t>(ref.index)];
  drawing.text += ": " + condition_text(drawing.policy, split, drawing.options) + "?" + use + "\n";
  draw(drawing, split.yes, margin + "├─ yes ─ ", margin + "│        ");
  draw(drawing, split.no, margin + "└─ no ── ", margin + "         ");
}

std::string headline(const Policy& policy) {
  return (policy.name.empty() ? "Policy" : policy.name) + "\n\n";
}

std::string network_text(const Policy& policy) {
  const auto& sizes = std::get<Mlp<double>>(policy.controller).sizes();
  std::string text = headline(policy) + "A network, not a tree: layers of";
  for (const int size : sizes) text += " " + std::to_string(size);
  return text + " numbers, ReLU in between.\n";
}

}  // namespace

std::string to_paragraph(const Policy& policy, const LeafRegion& region,
                         const TextOptions& options) {
  std::vector<std::string> conditions;
  for (const FeatureInterval& condition : region.conditions)
    conditions.push_back(interval_text(condition, policy.observations, options));
  std::vector<std::string> consequences;
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    consequences.push_back(policy.actions[a].name + " is " +
                           action_phrase(policy, region, a, options));
  }
  std::string text = name_of(tree_of(policy), {region.leaf, true}) + ". ";
  text += conditions.empty() ? "In every case, " : "If " + listed(conditions) + ", then ";
  text += listed(consequences) + ".";
  if (region.empty()) text += " (These conditions contradict each other: this case never occurs.)";
  return text;
}

std::string to_text(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  if (!std::holds_alternative<Tree>(policy.controller)) return network_text(policy);
  const Tree& tree = tree_of(policy);
  TextDrawing drawing{policy, tree, options, visits, regions_by_leaf(tree), headline(policy)};
  draw(drawing, tree.root, "", "");
  if (visits != nullptr) drawing.text += "\n" + visits_summary(*visits, tree) + "\n";
  return drawing.text;
}

std::string to_paragraphs(const Policy& policy, const TextOptions& options,
                          const VisitCounts* visits) {
  if (!std::holds_alternative<Tree>(policy.controller)) return network_text(policy);
  std::string text = headline(policy);
  bool first = true;
  for (const LeafRegion& region : leaf_regions(tree_of(policy))) {
    text += (first ? "" : "\n") + to_paragraph(policy, region, options);
    if (visits != nullptr) text += " [" + share_text(*visits, {region.leaf, true}) + "]";
    text += "\n";
    first = false;
  }
  if (visits != nullptr) text += "\n" + visits_summary(*visits, tree_of(policy)) + "\n";
  return text;
}

}  // namespace icct
