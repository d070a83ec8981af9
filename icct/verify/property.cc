#include "icct/verify/property.h"

#include <gmpxx.h>

#include <cmath>

#include "icct/base/error.h"

namespace icct {
namespace {

void validate_terms(const std::vector<Term>& terms, std::size_t size, const std::string& what) {
  int previous = -1;
  for (const Term& term : terms) {
    if (term.feature <= previous || static_cast<std::size_t>(term.feature) >= size) {
      throw Error("a property names " + what + " " + std::to_string(term.feature) +
                  ", which is twice there, out of order or unknown to the policy");
    }
    if (!std::isfinite(term.gain) || term.gain == 0)
      throw Error("a property has a factor that is zero or no finite number");
    previous = term.feature;
  }
}

}  // namespace

void validate(const Property& property, const Policy& policy) {
  for (const Case& violation : property.violations) {
    for (const Constraint& constraint : violation) {
      validate_terms(constraint.observations, policy.observations.size(), "observation");
      validate_terms(constraint.actions, policy.actions.size(), "action");
      if (!std::isfinite(constraint.bound))
        throw Error("a property has a bound that is no finite number");
    }
  }
}

bool holds(const Constraint& constraint, std::span<const double> x,
           std::span<const double> action) {
  mpq_class sum = 0;
  for (const Term& term : constraint.observations)
    sum += mpq_class(term.gain) * mpq_class(x[static_cast<std::size_t>(term.feature)]);
  for (const Term& term : constraint.actions)
    sum += mpq_class(term.gain) * mpq_class(action[static_cast<std::size_t>(term.feature)]);
  const mpq_class bound = constraint.bound;
  return constraint.strict ? sum < bound : sum <= bound;
}

}  // namespace icct
