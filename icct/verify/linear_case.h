#pragma once

#include <optional>

#include "icct/verify/box.h"
#include "icct/verify/property.h"

namespace icct {

// A constraint of a case inside one leaf as an inequality of observations: for every x in the box
// that fulfils the constraint, the sum of gains times x is at most `bound`, in exact arithmetic.
// Rounding inside the controller is accounted for in the bound.
struct Halfspace {
  int constraint;  // index in the case
  std::vector<Term> terms;
  double bound;
  bool strict;
};

// The halfspaces of those constraints that are linear in a leaf: about observations alone, or about
// a single action. `outputs`, one per constraint: for the latter, output_solutions().
std::vector<Halfspace> halfspaces(const Case& constraints,
                                  const std::vector<std::optional<Range>>& outputs,
                                  const Leaf& leaf, const Box& box);

// What a linear program says about halfspaces inside a box: a point that fulfils them best, and
// numbers that show a contradiction if there is one. Neither is to be trusted before it is checked.
struct LinearAnswer {
  std::vector<double> x;            // inside the box
  std::vector<double> multipliers;  // per halfspace, not negative
};
LinearAnswer solve(const std::vector<Halfspace>& halfspaces, const Box& box);

// Whether the halfspaces times the multipliers add up to something false for every x in the box;
// exact.
bool contradict(const std::vector<Halfspace>& halfspaces, const std::vector<double>& multipliers,
                const Box& box);

}  // namespace icct
