#pragma once

#include <string>
#include <vector>

#include "icct/verify/property.h"

namespace icct {

// Constraints joined by and, or and not. All of no parts is true, Any of no parts is false.
struct Formula {
  enum class Kind { Single, All, Any, Not };

  Kind kind = Kind::All;
  Constraint constraint = {};       // of Single
  std::vector<Formula> parts = {};  // of the others; exactly one of Not
};

Formula single(Constraint constraint);
Formula all_of(std::vector<Formula> parts);
Formula any_of(std::vector<Formula> parts);
Formula negation(Formula part);

// Readers refuse formulas that are nested deeper, so that recursion over one is safe.
constexpr int kMaxNesting = 200;

// The formula as cases of which at least one holds, in the order of its parts; nothing is left out
// or simplified. Throws Error, its text beginning with `where`, if that gives more than 10,000
// cases or more than two million constraints and terms.
std::vector<Case> normal_form(const Formula& formula, const std::string& where);

}  // namespace icct
