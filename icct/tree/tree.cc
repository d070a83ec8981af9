#include "icct/tree/tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "icct/base/error.h"

namespace icct {
namespace {

void require_finite(double value, const std::string& what) {
  if (!std::isfinite(value)) throw Error(what + " is not a finite number");
}

void require_index(int index, std::size_t size, const std::string& what) {
  if (index < 0 || static_cast<std::size_t>(index) >= size) {
    throw Error(what + " " + std::to_string(index) + " does not exist; there are " +
                std::to_string(size));
  }
}

void validate_controller(const Controller& controller, int observations, const std::string& where) {
  require_finite(controller.bias, where + ": the bias");
  int previous = -1;
  for (const Term& term : controller.terms) {
    require_index(term.feature, static_cast<std::size_t>(observations), where + ": observation");
    if (term.feature <= previous)
      throw Error(where + ": terms must be in ascending order of features, each once");
    require_finite(term.gain, where + ": a gain");
    previous = term.feature;
  }
}

struct Link {
  NodeRef to;
  int from;  // index of the split, -1 for the root
  int level;
};

void validate_link(const Tree& tree, const Link& link, std::size_t targets, bool seen) {
  const std::string from = link.from < 0 ? "the root" : name_of(tree, {link.from, false});
  const int index = link.to.index;
  if (index < 0 || static_cast<std::size_t>(index) >= targets) {
    throw Error(from + " leads to " + (link.to.is_leaf ? "leaf " : "node ") +
                std::to_string(index) + ", but there are " + std::to_string(targets));
  }
  if (seen) {
    throw Error(from + " leads to " + name_of(tree, link.to) +
                ", which is reached twice; a tree has no cycles and no sharing");
  }
  if (link.level > kMaxTreeDepth) {
    throw Error("the tree is deeper than " + std::to_string(kMaxTreeDepth) + " decisions");
  }
}

void report_unreached(const Tree& tree, const std::vector<bool>& seen, bool is_leaf) {
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing == seen.end()) return;
  throw Error(name_of(tree, {static_cast<int>(missing - seen.begin()), is_leaf}) +
              " is not reached from the root; link it or remove it");
}

// Every split and leaf must be entered exactly once, starting at the root.
void validate_links(const Tree& tree) {
  std::vector<bool> split_seen(tree.splits.size());
  std::vector<bool> leaf_seen(tree.leaves.size());
  std::vector<Link> open = {{tree.root, -1, 0}};
  while (!open.empty()) {
    const Link link = open.back();
    open.pop_back();
    auto& seen = link.to.is_leaf ? leaf_seen : split_seen;
    const int index = link.to.index;
    const bool in_range = index >= 0 && static_cast<std::size_t>(index) < seen.size();
    validate_link(tree, link, seen.size(), in_range && seen[index]);
    seen[index] = true;
    if (link.to.is_leaf) continue;
    open.push_back({tree.splits[index].no, index, link.level + 1});
    open.push_back({tree.splits[index].yes, index, link.level + 1});
  }
  report_unreached(tree, split_seen, false);
  report_unreached(tree, leaf_seen, true);
}

void validate_names(const Tree& tree) {
  std::set<std::string> seen;
  const auto add = [&](NodeRef ref) {
    const std::string name = name_of(tree, ref);
    if (!seen.insert(name).second)
      throw Error("the name '" + name + "' stands for two nodes or leaves; names must differ");
  };
  for (std::size_t i = 0; i < tree.splits.size(); ++i) add({static_cast<int>(i), false});
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) add({static_cast<int>(i), true});
}

// Appends `part` to `tree` and returns where its root now is.
NodeRef append(Tree& tree, const Tree& part) {
  const int splits = static_cast<int>(tree.splits.size());
  const int leaves = static_cast<int>(tree.leaves.size());
  const auto moved = [&](NodeRef ref) {
    return NodeRef{ref.index + (ref.is_leaf ? leaves : splits), ref.is_leaf};
  };
  for (Split split : part.splits) {
    split.yes = moved(split.yes);
    split.no = moved(split.no);
    tree.splits.push_back(split);
  }
  tree.leaves.insert(tree.leaves.end(), part.leaves.begin(), part.leaves.end());
  return moved(part.root);
}

Tree join(const Split& split, const Tree& yes, const Tree& no) {
  Tree tree;
  tree.splits.push_back(split);
  tree.root = {0, false};
  const NodeRef left = append(tree, yes);
  const NodeRef right = append(tree, no);
  tree.splits[0].yes = left;
  tree.splits[0].no = right;
  return tree;
}

}  // namespace

std::string name_of(const Tree& tree, NodeRef ref) {
  const std::size_t i = static_cast<std::size_t>(ref.index);
  const std::string& given = ref.is_leaf ? tree.leaves[i].name : tree.splits[i].name;
  return given.empty() ? (ref.is_leaf ? "leaf" : "node") + std::to_string(ref.index) : given;
}

double evaluate(const Controller& controller, std::span<const double> x) {
  return evaluate_with(controller,
                       [x](const Term& term) { return x[static_cast<std::size_t>(term.feature)]; });
}

void validate(const Tree& tree, int observations, int actions) {
  validate_links(tree);
  validate_names(tree);
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    const std::string where = name_of(tree, {static_cast<int>(i), false});
    require_index(tree.splits[i].feature, static_cast<std::size_t>(observations),
                  where + ": observation");
    require_finite(tree.splits[i].threshold, where + ": the threshold");
  }
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    const Leaf& leaf = tree.leaves[i];
    const std::string where = name_of(tree, {static_cast<int>(i), true});
    if (leaf.controllers.size() != static_cast<std::size_t>(actions)) {
      throw Error(where + " has " + std::to_string(leaf.controllers.size()) + " controllers for " +
                  std::to_string(actions) + " actions; it needs one for each");
    }
    if (!leaf.log_std.empty() && leaf.log_std.size() != leaf.controllers.size()) {
      throw Error(where + ": log_std needs one number per action, or none");
    }
    for (std::size_t a = 0; a < leaf.controllers.size(); ++a) {
      validate_controller(leaf.controllers[a], observations,
                          where + ", action " + std::to_string(a));
    }
    for (const double value : leaf.log_std) require_finite(value, where + ": log_std");
  }
}

int find_leaf(const Tree& tree, std::span<const double> x) {
  NodeRef ref = tree.root;
  while (!ref.is_leaf) {
    const Split& split = tree.splits[static_cast<std::size_t>(ref.index)];
    ref = decides_yes(split, x[static_cast<std::size_t>(split.feature)]) ? split.yes : split.no;
  }
  return ref.index;
}

int depth(const Tree& tree) {
  int deepest = 0;
  std::vector<std::pair<NodeRef, int>> open = {{tree.root, 0}};
  while (!open.empty()) {
    const auto [ref, level] = open.back();
    open.pop_back();
    deepest = std::max(deepest, level);
    if (ref.is_leaf) continue;
    open.emplace_back(tree.splits[ref.index].yes, level + 1);
    open.emplace_back(tree.splits[ref.index].no, level + 1);
  }
  return deepest;
}

std::vector<int> features_used(const Tree& tree) {
  std::set<int> used;
  for (const Split& split : tree.splits) used.insert(split.feature);
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers) {
      for (const Term& term : controller.terms) used.insert(term.feature);
    }
  }
  return {used.begin(), used.end()};
}

Tree make_leaf(std::vector<Controller> controllers) {
  Tree tree;
  tree.leaves.push_back({.controllers = std::move(controllers)});
  return tree;
}

Tree make_split(int feature, double at_least, const Tree& yes, const Tree& no) {
  return join({.feature = feature, .less = false, .threshold = at_least}, yes, no);
}

Tree make_split_less(int feature, double at_most, const Tree& yes, const Tree& no) {
  return join({.feature = feature, .less = true, .threshold = at_most}, yes, no);
}

Tree renumbered(const Tree& tree) {
  Tree result;
  std::vector<NodeRef> open = {tree.root};
  std::vector<int> new_split(tree.splits.size());
  std::vector<int> new_leaf(tree.leaves.size());
  while (!open.empty()) {
    const NodeRef ref = open.back();
    open.pop_back();
    if (ref.is_leaf) {
      new_leaf[ref.index] = static_cast<int>(result.leaves.size());
      result.leaves.push_back(tree.leaves[ref.index]);
    } else {
      new_split[ref.index] = static_cast<int>(result.splits.size());
      result.splits.push_back(tree.splits[ref.index]);
      open.push_back(tree.splits[ref.index].no);
      open.push_back(tree.splits[ref.index].yes);
    }
  }
  const auto moved = [&](NodeRef ref) {
    return NodeRef{ref.is_leaf ? new_leaf[ref.index] : new_split[ref.index], ref.is_leaf};
  };
  for (Split& split : result.splits) {
    split.yes = moved(split.yes);
    split.no = moved(split.no);
  }
  result.root = moved(tree.root);
  return result;
}

}  // namespace icct
