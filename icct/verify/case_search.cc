#include "icct/verify/case_search.h"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>

#include "icct/verify/constraint_range.h"
#include "icct/verify/linear_case.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

// The smallest value of an action times `gain` in a part of a leaf.
double cheapest_action(const Policy& policy, const Leaf& leaf, const Term& term, const Box& part) {
  const auto a = static_cast<std::size_t>(term.feature);
  const Controller& controller = leaf.controllers[a];
  const double output = extreme_output(controller, part, term.gain < 0);
  return squash(policy.squashing, output, policy.actions[a]);
}

// A double in the middle of a range, and below its end.
double middle(const Range& range) {
  const double half = range.lower / 2 + range.upper / 2;
  if (std::abs(range.lower) < 1e6 && std::abs(range.upper) < 1e6)
    return half < range.upper ? std::max(half, range.lower) : range.lower;
  // Far out, by magnitude: between -1e308 and 1e308 lie mostly small numbers.
  if (range.lower < -1 && range.upper > 1) return 0;
  const double size = std::sqrt(std::max(std::abs(range.lower), 1e-3)) *
                      std::sqrt(std::max(std::abs(range.upper), 1e-3));
  const double at = std::clamp(range.upper > 1 ? size : -size, range.lower, range.upper);
  return at < range.upper ? at : range.lower;
}

}  // namespace

CaseSearch::CaseSearch(const Policy& policy, const Case& constraints, int effort)
    : policy_(policy), constraints_(constraints), effort_(effort) {
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Constraint& constraint = constraints[k];
    action_values_.emplace_back();
    if (is_action_bound(constraint)) {
      action_values_.back() =
          solutions(constraint.actions[0].gain, constraint.bound, constraint.strict);
    }
    if (!is_bound(constraint)) beyond_bounds_.push_back(k);
  }
  outputs_.resize(constraints.size());
  if (beyond_bounds_.size() < 2) return;
  for (const std::size_t k : beyond_bounds_) {
    if (is_action_bound(constraints[k])) outputs_[k] = output_solutions(constraints[k], policy);
  }
}

std::optional<Reason> CaseSearch::refute(int leaf, const Box& part) {
  leaf_ = &tree_of(policy_).leaves[static_cast<std::size_t>(leaf)];
  found_.clear();
  left_ = effort_;
  return refute_part(part);
}

std::optional<Reason> CaseSearch::refute_part(const Box& part) {
  if (left_ <= 0) return {};
  --left_;
  for (const std::size_t k : beyond_bounds_) {
    if (impossible(k, part)) return Reason{.constraint = static_cast<int>(k)};
  }
  for (const std::size_t k : beyond_bounds_) {
    const Constraint& constraint = constraints_[k];
    // Where this one is easiest to fulfil; if it is the only one, that decides.
    if (!constraint.actions.empty()) {
      const Term& term = constraint.actions[0];
      const auto a = static_cast<std::size_t>(term.feature);
      if (try_candidate(extreme_corner(leaf_->controllers[a], part, term.gain < 0))) return {};
    } else if (try_candidate(extreme_corner({0, constraint.observations}, part, false))) {
      return {};
    }
  }
  if (try_candidate(centre(part))) return {};
  if (std::optional<Reason> reason = ask_linear_program(part)) return reason;
  if (!found_.empty()) return {};
  return refute_halves(part);
}

bool CaseSearch::impossible(std::size_t k, const Box& part) const {
  const Constraint& constraint = constraints_[k];
  if (action_values_[k])
    return !action_values_[k]->contains(
        cheapest_action(policy_, *leaf_, constraint.actions[0], part));
  mpq_class smallest = 0;
  for (const Term& term : constraint.observations) {
    const Range& range = part[static_cast<std::size_t>(term.feature)];
    smallest += mpq_class(term.gain) * mpq_class(term.gain > 0 ? range.lower : range.upper);
  }
  for (const Term& term : constraint.actions)
    smallest += mpq_class(term.gain) * mpq_class(cheapest_action(policy_, *leaf_, term, part));
  const mpq_class bound = constraint.bound;
  return constraint.strict ? smallest >= bound : smallest > bound;
}

bool CaseSearch::try_candidate(const std::vector<double>& x) {
  const std::vector<double> action = act(policy_, x);
  for (const std::size_t k : beyond_bounds_) {
    const bool fulfilled =
        action_values_[k]
            ? action_values_[k]->contains(
                  action[static_cast<std::size_t>(constraints_[k].actions[0].feature)])
            : holds(constraints_[k], x, action);
    if (!fulfilled) return false;
  }
  found_ = x;
  return true;
}

std::optional<Reason> CaseSearch::ask_linear_program(const Box& part) {
  if (beyond_bounds_.size() < 2) return {};
  const std::vector<Halfspace> linear = halfspaces(constraints_, outputs_, *leaf_, part);
  if (linear.empty()) return {};
  const LinearAnswer answer = solve(linear, part);
  if (try_candidate(answer.x)) return {};
  if (!contradict(linear, answer.multipliers, part)) return {};
  Reason reason{.multipliers = std::vector<double>(constraints_.size())};
  for (std::size_t k = 0; k < linear.size(); ++k)
    reason.multipliers[static_cast<std::size_t>(linear[k].constraint)] = answer.multipliers[k];
  return reason;
}

std::optional<Reason> CaseSearch::refute_halves(const Box& part) {
  const std::size_t feature = feature_to_split(part);
  if (feature == part.size()) return {};
  Reason reason{.feature = static_cast<int>(feature), .at = middle(part[feature])};
  for (const bool below : {true, false}) {
    Box half = part;
    half[feature] =
        intersection(half[feature], below ? at_most(reason.at) : at_least(reason.at, true));
    std::optional<Reason> inner = refute_part(half);
    if (!inner) return {};
    reason.halves.push_back(std::move(*inner));
  }
  return reason;
}

// The one that moves the constraints most; none if nothing can be split.
std::size_t CaseSearch::feature_to_split(const Box& part) const {
  std::vector<double> weight(part.size());
  for (const std::size_t k : beyond_bounds_) {
    for (const Term& term : constraints_[k].observations)
      weight[static_cast<std::size_t>(term.feature)] += std::abs(term.gain);
    for (const Term& term : constraints_[k].actions) {
      const auto a = static_cast<std::size_t>(term.feature);
      const double span = policy_.actions[a].upper - policy_.actions[a].lower;
      const double slope = policy_.squashing == Squashing::Tanh ? span / 2 : 1;
      for (const Term& gain : leaf_->controllers[a].terms)
        weight[static_cast<std::size_t>(gain.feature)] += std::abs(term.gain * slope * gain.gain);
    }
  }
  std::size_t best = part.size();
  double most = 0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const double effect = weight[i] * (part[i].upper / 2 - part[i].lower / 2);
    if (effect > most && part[i].lower < part[i].upper) {
      most = effect;
      best = i;
    }
  }
  return best;
}

}  // namespace icct
