#include "icct/export/tree_layout.h"

#include <algorithm>
#include <queue>
#include <set>
#include <tuple>

namespace icct {
namespace {

// Leaves below each split.
std::vector<int> leaves_below(const Tree& tree) {
  std::vector<int> below(tree.splits.size());
  std::vector<int> order;
  std::vector<NodeRef> open = {tree.root};
  while (!open.empty()) {
    const NodeRef ref = open.back();
    open.pop_back();
    if (ref.is_leaf) continue;
    order.push_back(ref.index);
    open.push_back(tree.splits[static_cast<std::size_t>(ref.index)].yes);
    open.push_back(tree.splits[static_cast<std::size_t>(ref.index)].no);
  }
  const auto count = [&](NodeRef ref) {
    return ref.is_leaf ? 1 : below[static_cast<std::size_t>(ref.index)];
  };
  for (auto split = order.rbegin(); split != order.rend(); ++split) {
    const Split& at = tree.splits[static_cast<std::size_t>(*split)];
    below[static_cast<std::size_t>(*split)] = count(at.yes) + count(at.no);
  }
  return below;
}

// The splits to open: from the root, always the most used one next, while ends are left.
std::set<int> opened_splits(const Tree& tree, int most_ends, const VisitCounts* visits,
                            const std::vector<int>& below) {
  std::set<int> opened;
  // Ordered by use, then size, then the order of the file.
  std::priority_queue<std::tuple<std::int64_t, int, int>> closed;
  const auto close = [&](NodeRef ref) {
    if (ref.is_leaf) return;
    const auto i = static_cast<std::size_t>(ref.index);
    closed.emplace(visits == nullptr ? 0 : visits->splits[i], below[i], -ref.index);
  };
  close(tree.root);
  for (int ends = 1; ends < most_ends && !closed.empty(); ++ends) {
    const int split = -std::get<2>(closed.top());
    closed.pop();
    opened.insert(split);
    close(tree.splits[static_cast<std::size_t>(split)].yes);
    close(tree.splits[static_cast<std::size_t>(split)].no);
  }
  return opened;
}

}  // namespace

std::vector<DrawnNode> drawn_nodes(const Tree& tree, int most_ends, const VisitCounts* visits) {
  const std::vector<int> below = leaves_below(tree);
  const std::set<int> opened = opened_splits(tree, most_ends, visits, below);
  std::vector<DrawnNode> nodes;
  std::vector<DrawnNode> open = {{.ref = tree.root}};
  while (!open.empty()) {
    DrawnNode node = open.back();
    open.pop_back();
    node.leaves = node.ref.is_leaf ? 1 : below[static_cast<std::size_t>(node.ref.index)];
    node.is_end = node.ref.is_leaf || !opened.contains(node.ref.index);
    const int self = static_cast<int>(nodes.size());
    nodes.push_back(node);
    if (node.is_end) continue;
    const Split& split = tree.splits[static_cast<std::size_t>(node.ref.index)];
    open.push_back({.ref = split.no, .parent = self, .yes = false, .level = node.level + 1});
    open.push_back({.ref = split.yes, .parent = self, .yes = true, .level = node.level + 1});
  }
  return nodes;
}

double place_rows(std::vector<DrawnNode>& nodes, const std::vector<double>& height) {
  double bottom = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_end) continue;
    nodes[i].row = bottom + 0.5 * height[i];
    bottom += height[i];
  }
  // Children stand after their parents: from the end, each adds half of its place to its parent's.
  for (std::size_t i = nodes.size(); i-- > 1;)
    nodes[static_cast<std::size_t>(nodes[i].parent)].row += 0.5 * nodes[i].row;
  return bottom;
}

}  // namespace icct
