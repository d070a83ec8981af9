#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "icct/base/rng.h"
#include "icct/verify/box.h"

// Small random trees, and observations that ask the awkward questions.
namespace icct {

struct RandomTrees {
  int observations = 3;
  int actions = 2;
  int levels = 3;
};

inline Controller random_controller(const RandomTrees& kind, Rng& rng) {
  Controller controller{.bias = rng.normal()};
  for (int i = 0; i < kind.observations; ++i) {
    if (rng.uniform() < 0.7) controller.terms.push_back({i, rng.normal()});
  }
  return controller;
}

// Thresholds are few, so that they tie with each other and with the ends of boxes.
inline Tree random_tree(const RandomTrees& kind, int levels, Rng& rng) {
  if (levels == 0 || rng.uniform() < 0.15) {
    std::vector<Controller> controllers;
    for (int a = 0; a < kind.actions; ++a) controllers.push_back(random_controller(kind, rng));
    return make_leaf(controllers);
  }
  const Tree yes = random_tree(kind, levels - 1, rng);
  const Tree no = random_tree(kind, levels - 1, rng);
  const int feature = rng.below(kind.observations);
  const double threshold = 0.5 * (rng.below(5) - 2);
  return rng.uniform() < 0.5 ? make_split(feature, threshold, yes, no)
                             : make_split_less(feature, threshold, yes, no);
}

inline Policy tree_policy(Tree tree, Squashing squashing, int observations = 3, int actions = 2) {
  Policy policy;
  policy.name = "test";
  policy.observations = numbered_space("x", observations);
  policy.actions = numbered_space("a", actions);
  for (Dimension& action : policy.actions) action.lower = -1;
  for (Dimension& action : policy.actions) action.upper = 2;
  policy.squashing = squashing;
  policy.controller = std::move(tree);
  validate(policy);
  return policy;
}

inline Policy random_policy(const RandomTrees& kind, Rng& rng) {
  const Squashing squashing = rng.below(2) == 0 ? Squashing::Tanh : Squashing::Clip;
  return tree_policy(random_tree(kind, kind.levels, rng), squashing, kind.observations,
                     kind.actions);
}

inline Box random_box(int observations, Rng& rng) {
  Box box;
  for (int i = 0; i < observations; ++i) {
    const double lower = 0.5 * (rng.below(5) - 3);
    box.push_back({lower, lower + 0.5 * rng.below(5)});
  }
  return box;
}

// Ends of the range, thresholds and their neighbours, or anything.
inline double awkward_value(const Range& range, Rng& rng) {
  double value = std::clamp(rng.uniform(range.lower, range.upper), range.lower, range.upper);
  const int kind = rng.below(6);
  if (kind == 0) value = range.lower;
  if (kind == 1) value = range.upper;
  if (kind >= 2 && kind <= 4) value = 0.5 * (rng.below(5) - 2);
  if (kind == 3) value = std::nextafter(value, -10.0);
  if (kind == 4) value = std::nextafter(value, 10.0);
  return std::clamp(value, range.lower, range.upper);
}

inline std::vector<double> awkward_point(const Box& box, Rng& rng) {
  std::vector<double> x;
  for (const Range& range : box) x.push_back(awkward_value(range, rng));
  return x;
}

}  // namespace icct
