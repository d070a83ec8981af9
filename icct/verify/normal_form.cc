#include "icct/verify/normal_form.h"

#include <utility>

#include "icct/base/error.h"

namespace icct {
namespace {

constexpr std::size_t kMaxCases = 10'000;
constexpr std::size_t kMaxSize = 2'000'000;

struct Literal {
  const Constraint* constraint;
  bool negated;
};

// Cases that only refer to the constraints of the formula; `size` counts constraints and terms.
struct Cases {
  std::vector<std::vector<Literal>> list;
  std::size_t size = 0;
};

std::size_t size_of(const Constraint& constraint) {
  return 1 + constraint.observations.size() + constraint.actions.size();
}

void require_limits(std::size_t cases, std::size_t size, const std::string& where) {
  if (cases > kMaxCases) {
    throw Error(where + ": with 'and' and 'or' multiplied out there are more than " +
                std::to_string(kMaxCases) + " cases; split it into smaller properties");
  }
  if (size > kMaxSize) {
    throw Error(where + ": with 'and' and 'or' multiplied out there are more than " +
                std::to_string(kMaxSize) + " constraints and terms; split it into smaller ones");
  }
}

void unite(Cases& a, Cases b, const std::string& where) {
  require_limits(a.list.size() + b.list.size(), a.size + b.size, where);
  for (auto& literals : b.list) a.list.push_back(std::move(literals));
  a.size += b.size;
}

void multiply(Cases& a, const Cases& b, const std::string& where) {
  const std::size_t size = a.size * b.list.size() + b.size * a.list.size();
  require_limits(a.list.size() * b.list.size(), size, where);
  a.size = size;
  // The usual long row of single constraints must not copy what is already there.
  if (b.list.size() == 1) {
    for (auto& literals : a.list)
      literals.insert(literals.end(), b.list[0].begin(), b.list[0].end());
    return;
  }
  std::vector<std::vector<Literal>> product;
  product.reserve(a.list.size() * b.list.size());
  for (const auto& first : a.list) {
    for (const auto& second : b.list) {
      product.push_back(first);
      product.back().insert(product.back().end(), second.begin(), second.end());
    }
  }
  a.list = std::move(product);
}

Cases expand(const Formula& formula, bool negated, const std::string& where) {
  if (formula.kind == Formula::Kind::Single)
    return {{{{&formula.constraint, negated}}}, size_of(formula.constraint)};
  if (formula.kind == Formula::Kind::Not) return expand(formula.parts.front(), !negated, where);
  // De Morgan: the negation of "all" is "any" of the negations.
  const bool conjunction = (formula.kind == Formula::Kind::All) != negated;
  Cases result;
  if (conjunction) result.list.emplace_back();
  for (const Formula& part : formula.parts) {
    if (conjunction) {
      multiply(result, expand(part, negated, where), where);
    } else {
      unite(result, expand(part, negated, where), where);
    }
  }
  return result;
}

// Not (sum <= bound) is -sum < -bound.
Constraint opposite(const Constraint& constraint) {
  Constraint result = constraint;
  for (Term& term : result.observations) term.gain = -term.gain;
  for (Term& term : result.actions) term.gain = -term.gain;
  result.bound = 0 - constraint.bound;  // zero stays positive
  result.strict = !constraint.strict;
  return result;
}

}  // namespace

Formula single(Constraint constraint) {
  return {Formula::Kind::Single, std::move(constraint), {}};
}

Formula all_of(std::vector<Formula> parts) {
  return {Formula::Kind::All, {}, std::move(parts)};
}

Formula any_of(std::vector<Formula> parts) {
  return {Formula::Kind::Any, {}, std::move(parts)};
}

Formula negation(Formula part) {
  Formula result{Formula::Kind::Not, {}, {}};
  result.parts.push_back(std::move(part));
  return result;
}

std::vector<Case> normal_form(const Formula& formula, const std::string& where) {
  std::vector<Case> cases;
  for (const auto& literals : expand(formula, false, where).list) {
    Case& last = cases.emplace_back();
    last.reserve(literals.size());
    for (const auto& [constraint, negated] : literals)
      last.push_back(negated ? opposite(*constraint) : *constraint);
  }
  return cases;
}

}  // namespace icct
