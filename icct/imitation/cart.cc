#include "icct/imitation/cart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "icct/base/option_range.h"
#include "icct/imitation/sorted_columns.h"

namespace icct {
namespace {

struct GrowingNode {
  NodeRange range;
  int depth = 0;
  NodeSums sums;
  std::optional<ColumnSplit> split = {};  // the best there is, if it may be split at all
  int yes = -1, no = -1;                  // children, later ones than this; -1: a leaf
};

class Cart {
 public:
  Cart(const Samples& samples, const CartOptions& options) : columns_(samples), options_(options) {}

  Tree fit() {
    add_node({0, columns_.size()}, 0);
    grow();
    prune();
    return tree();
  }

 private:
  // A node that may be split; of equal priority, the older goes first.
  struct Candidate {
    double priority;
    int node;
    bool operator<(const Candidate& other) const {
      return priority != other.priority ? priority < other.priority : node > other.node;
    }
  };

  void add_node(NodeRange range, int depth) {
    GrowingNode node{.range = range, .depth = depth, .sums = columns_.sums(range)};
    const bool may_split = !node.sums.pure && depth < options_.max_depth &&
                           range.size() / 2 >= options_.min_leaf_samples;
    if (may_split) node.split = columns_.best_split(range, node.sums, options_.min_leaf_samples);
    const auto index = static_cast<int>(nodes_.size());
    // With a limit the largest fall of the error goes first; without one the order does not matter
    // and the youngest, whose samples are in the cache.
    if (node.split) frontier_.push({options_.max_leaves > 0 ? fall(node) : index, index});
    nodes_.push_back(std::move(node));
  }

  static double fall(const GrowingNode& node) {
    double before = 0;
    for (const double sum : node.sums.output) before += sum * sum / node.sums.weight;
    return node.split->score - before;
  }

  void grow() {
    for (int leaves = 1; !frontier_.empty() && leaves != options_.max_leaves; ++leaves) {
      const int index = frontier_.top().node;
      frontier_.pop();
      const GrowingNode node = nodes_[index];
      columns_.divide(node.range, *node.split);
      const int middle = node.range.begin + node.split->left;
      nodes_[index].yes = static_cast<int>(nodes_.size());
      add_node({node.range.begin, middle}, node.depth + 1);
      nodes_[index].no = static_cast<int>(nodes_.size());
      add_node({middle, node.range.end}, node.depth + 1);
    }
  }

  // Minimal cost-complexity pruning: the smallest subtree with the least error + pruning * leaves.
  void prune() {
    if (options_.pruning == 0) return;
    const double leaf_cost =
        options_.pruning * nodes_[0].sums.weight * static_cast<double>(columns_.mean().size());
    std::vector<double> cost(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      GrowingNode& node = nodes_[i];
      const double as_leaf = node.sums.squared_error + leaf_cost;
      cost[i] = as_leaf;
      if (node.yes < 0) continue;
      cost[i] = cost[node.yes] + cost[node.no];
      if (as_leaf > cost[i]) continue;
      cost[i] = as_leaf;
      node.yes = node.no = -1;
    }
  }

  // Children are younger than their parents, so going backwards each finds its own made.
  Tree tree() const {
    Tree result;
    std::vector<NodeRef> made(nodes_.size());
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const GrowingNode& node = nodes_[i];
      if (node.yes < 0) {
        made[i] = {static_cast<int>(result.leaves.size()), true};
        result.leaves.push_back(leaf(node.sums));
      } else {
        made[i] = {static_cast<int>(result.splits.size()), false};
        result.splits.push_back({.feature = node.split->feature,
                                 .less = true,
                                 .threshold = node.split->threshold,
                                 .yes = made[node.yes],
                                 .no = made[node.no]});
      }
    }
    result.root = made[0];
    return result;
  }

  Leaf leaf(const NodeSums& sums) const {
    Leaf result;
    for (std::size_t k = 0; k < sums.output.size(); ++k)
      result.controllers.push_back({columns_.mean()[k] + sums.output[k] / sums.weight});
    return result;
  }

  SortedColumns columns_;
  CartOptions options_;
  std::vector<GrowingNode> nodes_;
  std::priority_queue<Candidate> frontier_;
};

}  // namespace

void validate(const CartOptions& o) {
  require_at_least("max_leaves", o.max_leaves, 0);
  require_between("max_depth", o.max_depth, 0, kMaxTreeDepth);
  require_at_least("min_leaf_samples", o.min_leaf_samples, 1);
  require_at_least("pruning", o.pruning, 0);
}

Tree fit_cart(const Samples& samples, const CartOptions& options) {
  validate(options);
  validate(samples);
  return renumbered(Cart(samples, options).fit());  // without what was pruned
}

}  // namespace icct
