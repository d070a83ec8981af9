#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "icct/base/rng.h"
#include "icct/verify/box.h"
#include "icct/verify/property.h"

namespace icct {

// Random policies, boxes and properties for tests of proofs. Values come from a small grid where
// ties are common.

inline double grid_value(Rng& rng) {
  return (rng.below(17) - 8) / 4.0;
}

inline Controller random_controller(Rng& rng, int observations, int terms) {
  std::set<int> features;
  while (static_cast<int>(features.size()) < std::min(terms, observations))
    features.insert(rng.below(observations));
  Controller controller{.bias = rng.below(4) == 0 ? grid_value(rng) : rng.normal(), .terms = {}};
  for (const int feature : features)
    controller.terms.push_back({feature, rng.below(4) == 0 ? grid_value(rng) : rng.normal()});
  return controller;
}

inline Tree random_tree(Rng& rng, int leaves, int observations, int actions, int terms) {
  if (leaves == 1) {
    std::vector<Controller> controllers;
    for (int a = 0; a < actions; ++a)
      controllers.push_back(random_controller(rng, observations, terms));
    return make_leaf(std::move(controllers));
  }
  const int left = 1 + rng.below(leaves - 1);
  const Tree yes = random_tree(rng, left, observations, actions, terms);
  const Tree no = random_tree(rng, leaves - left, observations, actions, terms);
  const int feature = rng.below(observations);
  return rng.below(2) == 0 ? make_split(feature, grid_value(rng), yes, no)
                           : make_split_less(feature, grid_value(rng), yes, no);
}

// Static, sparse or complete leaves; either squashing.
inline Policy random_policy(Rng& rng, int leaves, int observations, int actions) {
  Policy policy;
  policy.name = "random";
  for (int i = 0; i < observations; ++i)
    policy.observations.push_back({"x" + std::to_string(i), "", -HUGE_VAL, HUGE_VAL});
  for (int i = 0; i < actions; ++i)
    policy.actions.push_back({"y" + std::to_string(i), "", -1.0 - i, 2.0});
  policy.squashing = rng.below(2) == 0 ? Squashing::Tanh : Squashing::Clip;
  const int kinds[] = {0, 2, observations};
  policy.controller = random_tree(rng, leaves, observations, actions, kinds[rng.below(3)]);
  return policy;
}

inline Box random_box(Rng& rng, int observations) {
  Box box;
  for (int i = 0; i < observations; ++i) {
    double a = rng.below(2) == 0 ? grid_value(rng) : 2 * rng.normal();
    double b = rng.below(2) == 0 ? grid_value(rng) : 2 * rng.normal();
    if (a > b) std::swap(a, b);
    box.push_back({a, b});
  }
  return box;
}

inline std::vector<double> random_point(Rng& rng, const Box& box) {
  std::vector<double> x;
  for (const Range& range : box) {
    double value = rng.uniform(range.lower, range.upper);
    const int kind = rng.below(6);
    if (kind == 0) value = range.lower;
    if (kind == 1) value = range.upper;
    if (kind == 2) value = grid_value(rng);
    if (kind == 3) value = std::nextafter(grid_value(rng), 10 * rng.normal());
    x.push_back(std::clamp(value, range.lower, range.upper));
  }
  return x;
}

inline std::vector<Term> random_terms(Rng& rng, int size, int count) {
  std::vector<Term> terms;
  for (const Term& term : random_controller(rng, size, count).terms)
    terms.push_back({term.feature, term.gain == 0 ? 1 : term.gain});
  return terms;
}

// A bound on one action, one observation or a sum.
inline Constraint random_constraint(Rng& rng, int observations, int actions) {
  Constraint constraint{.bound = rng.below(2) == 0 ? grid_value(rng) : rng.normal(),
                        .strict = rng.below(2) == 0};
  const int kind = rng.below(8);
  if (kind < 4) {
    constraint.actions = {{rng.below(actions), rng.below(2) == 0 ? 1.0 : -1.0}};
  } else if (kind < 6) {
    constraint.observations = random_terms(rng, observations, 1);
  } else if (kind == 6) {
    constraint.observations = random_terms(rng, observations, 1 + rng.below(3));
  } else {
    constraint.actions = random_terms(rng, actions, 2);
    if (rng.below(2) == 0) constraint.observations = random_terms(rng, observations, 1);
  }
  return constraint;
}

inline Property random_property(Rng& rng, int observations, int actions) {
  Property property;
  for (int i = 1 + rng.below(2); i > 0; --i) {
    Case constraints;
    for (int k = 1 + rng.below(3); k > 0; --k)
      constraints.push_back(random_constraint(rng, observations, actions));
    property.violations.push_back(std::move(constraints));
  }
  return property;
}

// Whether the observation, with the policy's answer, fulfils one of the property's cases.
inline bool violates(const Policy& policy, const Property& property, std::span<const double> x) {
  const std::vector<double> action = act(policy, x);
  return std::ranges::any_of(property.violations, [&](const Case& constraints) {
    return std::ranges::all_of(
        constraints, [&](const Constraint& constraint) { return holds(constraint, x, action); });
  });
}

}  // namespace icct
