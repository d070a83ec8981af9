#include "icct/search/changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr std::size_t kMinVisits = 20;                      // leaves met less often are left alone
constexpr double kQuantiles[] = {0.1, 0.3, 0.5, 0.7, 0.9};  // where a leaf may be split
constexpr double kConstants[] = {-2, 0, 2};                 // outputs before squashing
constexpr double kShifts[] = {-1.5, 1.5};                   // of a bias
constexpr double kNewGains[] = {-1, 1};                     // over the spread of the feature

// Kinds of changes, for every action.
enum KindNumber { kTerm, kTermOfMoved, kSplit, kKinds };

int kind_of(KindNumber number, std::size_t action) {
  return kKinds * static_cast<int>(action) + number;
}

// Distinct thresholds that leave visits on both sides.
std::vector<double> thresholds(const std::vector<std::vector<double>>& visits,
                               std::size_t feature) {
  std::vector<double> values;
  for (const auto& x : visits) values.push_back(x[feature]);
  std::sort(values.begin(), values.end());
  std::vector<double> result;
  for (const double q : kQuantiles) {
    double at = values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
    // A feature with few values, e.g. a contact, is split between its extremes.
    if (at == values.front() || at == values.back()) at = (values.front() + values.back()) / 2;
    if (at > values.front() && at <= values.back()) result.push_back(at);
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

// The tree with one leaf replaced by a split into two.
Tree split_leaf(const Tree& tree, int leaf, int feature, double threshold, Leaf yes, Leaf no) {
  Tree result = tree;
  const NodeRef old = {leaf, true};
  const NodeRef split = {static_cast<int>(result.splits.size()), false};
  const NodeRef added = {static_cast<int>(result.leaves.size()), true};
  if (result.root == old) result.root = split;
  for (Split& parent : result.splits) {
    if (parent.yes == old) parent.yes = split;
    if (parent.no == old) parent.no = split;
  }
  result.leaves[static_cast<std::size_t>(leaf)] = std::move(yes);
  result.leaves.push_back(std::move(no));
  result.splits.push_back({.feature = feature, .threshold = threshold, .yes = old, .no = added});
  return result;
}

// A term of a tree.
struct Place {
  std::size_t leaf, action, term;
  double influence;  // standard deviation of what the term adds, where the leaf is met
};

// The terms of controllers with more than `min_terms`, the least influential first.
std::vector<Place> terms_by_influence(const Policy& policy, const Visits& visits, int min_terms) {
  const Tree& tree = tree_of(policy);
  std::vector<Place> places;
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    for (std::size_t action = 0; action < policy.actions.size(); ++action) {
      const std::vector<Term>& terms = tree.leaves[leaf].controllers[action].terms;
      if (static_cast<int>(terms.size()) <= min_terms) continue;
      for (std::size_t i = 0; i < terms.size(); ++i) {
        const auto feature = static_cast<std::size_t>(terms[i].feature);
        const double spread = mean_and_spread(visits.by_leaf[leaf], feature).spread;
        places.push_back({leaf, action, i, std::abs(terms[i].gain) * spread});
      }
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.influence < b.influence; });
  return places;
}

// "leaf0: main_engine: height"
std::string text_of(const Place& place, const Policy& policy) {
  const Tree& tree = tree_of(policy);
  const int feature = tree.leaves[place.leaf].controllers[place.action].terms[place.term].feature;
  return name_of(tree, {static_cast<int>(place.leaf), true}) + ": " +
         policy.actions[place.action].name + ": " +
         policy.observations[static_cast<std::size_t>(feature)].name;
}

// The controller as a constant, or shifted.
std::vector<std::pair<Controller, std::string>> variants(const Controller& controller) {
  std::vector<std::pair<Controller, std::string>> result;
  for (const double constant : kConstants)
    result.push_back({{.bias = constant}, "constant " + rounded_text(constant, 2)});
  for (const double shift : kShifts) {
    Controller shifted = controller;
    shifted.bias += shift;
    result.emplace_back(std::move(shifted), "shifted by " + rounded_text(shift, 2));
  }
  return result;
}

void add_splits(const Policy& policy, int leaf, int feature, double threshold,
                std::vector<Change>& changes) {
  const Tree& tree = tree_of(policy);
  const Leaf& old = tree.leaves[static_cast<std::size_t>(leaf)];
  const std::string& name = policy.observations[static_cast<std::size_t>(feature)].name;
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    for (auto& [controller, what] : variants(old.controllers[a])) {
      Leaf changed = old;
      changed.controllers[a] = std::move(controller);
      changed.name.clear();
      for (const bool above : {true, false}) {
        Change change{.policy = policy,
                      .what = name_of(tree, {leaf, true}) + ": where " + name +
                              (above ? " >= " : " < ") + rounded_text(threshold, 3) + ", " +
                              policy.actions[a].name + " " + what,
                      .kind = kind_of(kSplit, a)};
        change.policy.controller = split_leaf(tree, leaf, feature, threshold, above ? changed : old,
                                              above ? old : changed);
        changes.push_back(std::move(change));
      }
    }
  }
}

}  // namespace

std::vector<Change> split_changes(const Policy& policy, const Visits& visits) {
  std::vector<Change> changes;
  for (std::size_t leaf = 0; leaf < visits.by_leaf.size(); ++leaf) {
    if (visits.by_leaf[leaf].size() < kMinVisits) continue;
    for (std::size_t feature = 0; feature < policy.observations.size(); ++feature) {
      for (const double threshold : thresholds(visits.by_leaf[leaf], feature))
        add_splits(policy, static_cast<int>(leaf), static_cast<int>(feature), threshold, changes);
    }
  }
  return changes;
}

std::vector<Change> term_additions(const Policy& policy, const Visits& visits, int max_terms) {
  const Tree& tree = tree_of(policy);
  std::vector<Change> changes;
  const auto add = [&](std::size_t leaf, std::size_t action, int feature) {
    const Controller& old = tree.leaves[leaf].controllers[action];
    const auto place = std::find_if(old.terms.begin(), old.terms.end(),
                                    [&](const Term& term) { return term.feature >= feature; });
    if (place != old.terms.end() && place->feature == feature) return;
    const MeanAndSpread m =
        mean_and_spread(visits.by_leaf[leaf], static_cast<std::size_t>(feature));
    if (!(m.spread > 1e-9 * std::abs(m.mean))) return;  // constant, but for rounding
    const bool moved = !visits.moved.empty() && visits.moved[action] == feature;
    for (const double gain : kNewGains) {
      Change change{.policy = policy,
                    .what = name_of(tree, {static_cast<int>(leaf), true}) + ": " +
                            policy.actions[action].name + " also by " +
                            policy.observations[static_cast<std::size_t>(feature)].name,
                    .kind = kind_of(moved ? kTermOfMoved : kTerm, action)};
      Controller& controller =
          std::get<Tree>(change.policy.controller).leaves[leaf].controllers[action];
      controller.terms.insert(controller.terms.begin() + (place - old.terms.begin()),
                              {feature, gain / m.spread});
      controller.bias -= gain / m.spread * m.mean;
      changes.push_back(std::move(change));
    }
  };
  for (std::size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    if (visits.by_leaf[leaf].size() < kMinVisits) continue;
    for (std::size_t action = 0; action < policy.actions.size(); ++action) {
      if (static_cast<int>(tree.leaves[leaf].controllers[action].terms.size()) >= max_terms)
        continue;
      for (int f = 0; f < static_cast<int>(policy.observations.size()); ++f) add(leaf, action, f);
    }
  }
  return changes;
}

std::vector<Change> term_removals(const Policy& policy, const Visits& visits, int min_terms) {
  const Tree& tree = tree_of(policy);
  std::vector<Change> changes;
  for (const Place& place : terms_by_influence(policy, visits, min_terms)) {
    Change change{policy, text_of(place, policy) + " is ignored"};
    Controller& controller =
        std::get<Tree>(change.policy.controller).leaves[place.leaf].controllers[place.action];
    const Term term = tree.leaves[place.leaf].controllers[place.action].terms[place.term];
    controller.bias +=
        term.gain *
        mean_and_spread(visits.by_leaf[place.leaf], static_cast<std::size_t>(term.feature)).mean;
    controller.terms.erase(controller.terms.begin() + static_cast<std::ptrdiff_t>(place.term));
    changes.push_back(std::move(change));
  }
  return changes;
}

std::vector<Change> split_removals(const Policy& policy) {
  const Tree& tree = tree_of(policy);
  std::vector<Change> changes;
  for (int i = 0; i < static_cast<int>(tree.splits.size()); ++i) {
    const NodeRef removed = {i, false};
    for (const bool yes : {true, false}) {
      const Split& split = tree.splits[static_cast<std::size_t>(i)];
      const NodeRef branch = yes ? split.yes : split.no;
      Tree smaller = tree;
      if (smaller.root == removed) smaller.root = branch;
      for (Split& parent : smaller.splits) {
        if (parent.yes == removed) parent.yes = branch;
        if (parent.no == removed) parent.no = branch;
      }
      Change change{policy, name_of(tree, removed) + ": always " + (yes ? "yes" : "no")};
      change.policy.controller = renumbered(smaller);
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

}  // namespace icct
