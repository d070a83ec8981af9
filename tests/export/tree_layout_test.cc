#include "icct/export/tree_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace icct {
namespace {

Tree balanced(int levels) {
  if (levels == 0) return make_leaf({{.bias = 0}});
  return make_split(0, levels, balanced(levels - 1), balanced(levels - 1));
}

auto ends(const std::vector<DrawnNode>& nodes) {
  return std::ranges::count(nodes, true, &DrawnNode::is_end);
}

TEST(DrawnNodes, AreAllOfASmallTree) {
  const std::vector<DrawnNode> nodes = drawn_nodes(balanced(3), 8, nullptr);
  EXPECT_EQ(nodes.size(), 15U);
  EXPECT_EQ(ends(nodes), 8);
  EXPECT_EQ(nodes[0].leaves, 8);
  for (std::size_t i = 1; i < nodes.size(); ++i) EXPECT_LT(nodes[i].parent, static_cast<int>(i));
}

TEST(DrawnNodes, FoldTheRestOfALargeTree) {
  const std::vector<DrawnNode> nodes = drawn_nodes(balanced(8), 10, nullptr);
  EXPECT_EQ(ends(nodes), 10);
  int leaves = 0;
  for (const DrawnNode& node : nodes) leaves += node.is_end ? node.leaves : 0;
  EXPECT_EQ(leaves, 256) << "nothing is lost";
}

TEST(DrawnNodes, KeepOpenWhatIsUsed) {
  const Tree tree = balanced(8);
  VisitCounts visits = no_visits(tree);
  count_visit(tree, std::vector{100.0}, visits);  // always yes
  const std::vector<DrawnNode> nodes = drawn_nodes(tree, 9, &visits);
  EXPECT_TRUE(std::ranges::any_of(nodes, [&](const DrawnNode& node) {
    return node.ref.is_leaf && visits.leaves[static_cast<std::size_t>(node.ref.index)] == 1;
  }));
}

TEST(PlaceRows, PutsEverySplitBetweenItsBranches) {
  std::vector<DrawnNode> nodes = drawn_nodes(balanced(2), 64, nullptr);
  const double height = place_rows(nodes, std::vector<double>(nodes.size(), 10));
  EXPECT_EQ(height, 40);
  EXPECT_EQ(nodes[0].row, 20);
  EXPECT_EQ(nodes[1].row, 10);
  EXPECT_EQ(nodes[2].row, 5);
}

}  // namespace
}  // namespace icct
