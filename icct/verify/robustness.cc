#include "icct/verify/robustness.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

void check_sizes(const Policy& policy, const RobustnessQuery& query) {
  const auto check = [](std::size_t size, std::size_t wanted, const std::string& what) {
    if (size == wanted) return;
    throw Error("the robustness query has " + std::to_string(size) + " " + what + ", but needs " +
                std::to_string(wanted));
  };
  check(query.x.size(), policy.observations.size(), "observations");
  check(query.weights.size(), policy.observations.size(), "weights");
  check(query.allowed.size(), policy.actions.size(), "allowed ranges");
}

void check_query(const Policy& policy, const RobustnessQuery& query) {
  require_box(policy, query.box);
  check_sizes(policy, query);
  for (std::size_t i = 0; i < query.x.size(); ++i) {
    const std::string& name = policy.observations[i].name;
    if (!query.box[i].contains(query.x[i])) {
      throw Error("observation '" + name + "' is " + exact_text(query.x[i]) +
                  ", outside the box of the robustness query");
    }
    if (!(query.weights[i] >= 0 && query.weights[i] <= kLargest))
      throw Error("the weight of '" + name + "' must be a finite number, zero or more");
  }
  for (std::size_t a = 0; a < query.allowed.size(); ++a) {
    if (query.allowed[a].empty())
      throw Error("no value of action '" + policy.actions[a].name + "' is allowed");
  }
}

// The part of a box that a perturbation of size e can reach. Grows with e, rounding included.
Box reach(const RobustnessQuery& query, const Box& box, double e) {
  Box result = box;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double move = e * query.weights[i];
    result[i] = intersection(box[i], {query.x[i] - move, query.x[i] + move});
  }
  return result;
}

// One way to violate: an action above or below its range in one leaf.
struct Violation {
  int leaf;
  std::size_t action;
  bool above;
};

// An observation in the box that violates in this way, if there is one. All observations in the box
// must reach the leaf. The action's extreme is at a corner, so looking there is enough.
std::optional<std::vector<double>> find_violation(const Policy& policy,
                                                  const RobustnessQuery& query, Violation way,
                                                  const Box& box) {
  if (is_empty(box)) return std::nullopt;
  const Leaf& leaf = tree_of(policy).leaves[static_cast<std::size_t>(way.leaf)];
  const Controller& controller = leaf.controllers[way.action];
  const double action = squash(policy.squashing, extreme_output(controller, box, way.above),
                               policy.actions[way.action]);
  const Range& allowed = query.allowed[way.action];
  if (!(way.above ? action > allowed.upper : action < allowed.lower)) return std::nullopt;
  std::vector<double> x = query.x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], box[i].lower, box[i].upper);
  for (const Term& term : controller.terms) {
    const auto i = static_cast<std::size_t>(term.feature);
    if (term.gain != 0) x[i] = (term.gain > 0) == way.above ? box[i].upper : box[i].lower;
  }
  return x;
}

// The smallest double from 0 to `upper` where the test is true: it is at `upper`, and stays true
// once it is. Doubles that are not negative have the order of their bits.
template <class Test>
double smallest_true(double upper, const Test& test) {
  std::uint64_t low = 0;
  auto high = std::bit_cast<std::uint64_t>(upper);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (test(std::bit_cast<double>(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::bit_cast<double>(high);
}

// Replaces `best` if violating in this way takes a smaller perturbation.
void improve(const Policy& policy, const RobustnessQuery& query, Violation way, const Box& part,
             Robustness& best) {
  if (best.radius == 0) return;
  const auto find = [&](double e) {
    return find_violation(policy, query, way, reach(query, part, e));
  };
  const double limit = best.radius ? std::nextafter(*best.radius, 0) : kLargest;
  if (!find(limit)) return;
  const double radius = smallest_true(limit, [&](double e) { return find(e).has_value(); });
  best = {radius, *find(radius), way.leaf, way.action};
}

}  // namespace

Robustness robustness(const Policy& policy, const RobustnessQuery& query) {
  check_query(policy, query);
  Robustness best;
  Box box = reach(query, query.box, kLargest);
  for_each_leaf(tree_of(policy), box, [&](int leaf, const Box& part) {
    for (std::size_t a = 0; a < policy.actions.size(); ++a) {
      for (const bool above : {false, true}) improve(policy, query, {leaf, a, above}, part, best);
    }
  });
  return best;
}

std::vector<double> robustness_radii(const Policy& policy, RobustnessQuery query,
                                     std::span<const std::vector<double>> observations) {
  std::vector<double> radii;
  for (const std::vector<double>& x : observations) {
    query.x = x;
    const Robustness result = robustness(policy, query);
    radii.push_back(result.radius.value_or(std::numeric_limits<double>::infinity()));
  }
  return radii;
}

}  // namespace icct
