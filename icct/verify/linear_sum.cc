#include "icct/verify/linear_sum.h"

#include <cmath>
#include <utility>

#include "icct/base/check.h"

namespace icct {
namespace {

std::optional<std::vector<Term>> exact_terms(const std::map<int, mpq_class>& factors) {
  std::vector<Term> terms;
  for (const auto& [feature, factor] : factors) {
    if (factor == 0) continue;
    const std::optional<double> gain = exact_double(factor);
    if (!gain) return std::nullopt;
    terms.push_back({feature, *gain});
  }
  return terms;
}

// left <= right, or left < right
std::optional<Constraint> below(const LinearSum& left, const LinearSum& right, bool strict) {
  LinearSum difference = left;
  add(difference, right, -1);
  auto observations = exact_terms(difference.observations);
  auto actions = exact_terms(difference.actions);
  const auto bound = exact_double(-difference.constant);
  if (!observations || !actions || !bound) return std::nullopt;
  return Constraint{std::move(*observations), std::move(*actions), *bound, strict};
}

}  // namespace

void add(LinearSum& sum, const LinearSum& other, const mpq_class& factor) {
  for (const auto& [feature, gain] : other.observations) sum.observations[feature] += factor * gain;
  for (const auto& [feature, gain] : other.actions) sum.actions[feature] += factor * gain;
  sum.constant += factor * other.constant;
}

std::optional<LinearSum> product(const LinearSum& a, const LinearSum& b) {
  ICCT_CHECK(a.is_constant() || b.is_constant());
  LinearSum result;
  if (a.is_constant()) {
    add(result, b, a.constant);
  } else {
    add(result, a, b.constant);
  }
  if (!exact_double(result.constant) || !exact_terms(result.observations) ||
      !exact_terms(result.actions))
    return std::nullopt;
  return result;
}

std::optional<double> exact_double(const mpq_class& number) {
  const double value = number.get_d();
  if (!std::isfinite(value) || mpq_class(value) != number) return std::nullopt;
  return value;
}

std::optional<Formula> comparison(const LinearSum& left, std::string_view relation,
                                  const LinearSum& right) {
  ICCT_CHECK(!relation.empty());
  const bool strict = relation.size() == 1;
  if (relation == "=") {
    auto at_most = below(left, right, false);
    auto at_least = below(right, left, false);
    if (!at_most || !at_least) return std::nullopt;
    return all_of({single(std::move(*at_most)), single(std::move(*at_least))});
  }
  auto constraint =
      relation.front() == '<' ? below(left, right, strict) : below(right, left, strict);
  if (!constraint) return std::nullopt;
  return single(std::move(*constraint));
}

}  // namespace icct
