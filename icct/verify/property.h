#pragma once

#include <span>
#include <string>
#include <vector>

#include "icct/policy/policy.h"

namespace icct {

// A linear relation of observations and actions: the sum of gain * x[feature] over `observations`
// and of gain * action[feature] over `actions` is at most `bound`, or below it if `strict`. Meant
// in exact arithmetic, for the doubles that go into and come out of act(). Terms ascend, each
// feature at most once, gains are finite and not zero.
struct Constraint {
  std::vector<Term> observations = {};
  std::vector<Term> actions = {};
  double bound = 0;
  bool strict = false;

  bool operator==(const Constraint&) const = default;
};

// All of these at once.
using Case = std::vector<Constraint>;

// What a policy must never do: there is no observation that fulfils every constraint of one of the
// cases together with the action that the policy answers.
struct Property {
  std::string name = {};  // for people; may be empty
  std::string text = {};  // as it was written
  std::vector<Case> violations = {};
};

// Throws Error unless the indices exist in the policy, terms ascend and numbers are finite.
void validate(const Property& property, const Policy& policy);

// Whether the constraint holds, decided in exact arithmetic. All numbers must be finite.
bool holds(const Constraint& constraint, std::span<const double> x, std::span<const double> action);

}  // namespace icct
