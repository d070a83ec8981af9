#include "icct/verify/constraint_range.h"

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();

// Doubles in their order as integers in theirs.
std::int64_t to_rank(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}

double from_rank(std::int64_t rank) {
  return std::bit_cast<double>(rank >= 0 ? rank : std::numeric_limits<std::int64_t>::min() - rank);
}

// The largest double for which a property holds that holds up to somewhere; -infinity if nowhere.
double last_true(const std::function<bool(double)>& holds_at) {
  if (!holds_at(-kLargest)) return -std::numeric_limits<double>::infinity();
  const bool at_zero = holds_at(0);  // first, as the ranks of all doubles span more than 63 bits
  std::int64_t yes = at_zero ? 0 : to_rank(-kLargest);
  std::int64_t no = at_zero ? to_rank(kLargest) + 1 : 0;
  while (no - yes > 1) {
    const std::int64_t middle = yes + (no - yes) / 2;
    (holds_at(from_rank(middle)) ? yes : no) = middle;
  }
  return from_rank(yes);
}

// The range where a property holds that holds up to somewhere, or from somewhere on.
Range where(const std::function<bool(double)>& holds_at, bool upwards) {
  if (!upwards) return {-kLargest, last_true(holds_at)};
  return {-last_true([&](double x) { return holds_at(-x); }), kLargest};
}

}  // namespace

Range solutions(double gain, double bound, bool strict) {
  const mpq_class exact_gain = gain, exact_bound = bound;
  const auto fulfils = [&](double x) {
    const mpq_class product = exact_gain * mpq_class(x);
    return strict ? product < exact_bound : product <= exact_bound;
  };
  if (gain == 1) return at_most(bound, strict);
  if (gain == -1) return at_least(-bound, strict);
  return where(fulfils, gain < 0);
}

bool is_bound(const Constraint& constraint) {
  return constraint.actions.empty() && constraint.observations.size() == 1;
}

bool is_action_bound(const Constraint& constraint) {
  return constraint.observations.empty() && constraint.actions.size() == 1;
}

Box narrowed(Box box, const Case& constraints) {
  for (const Constraint& constraint : constraints) {
    if (!is_bound(constraint)) continue;
    const Term& term = constraint.observations[0];
    Range& range = box[static_cast<std::size_t>(term.feature)];
    range = intersection(range, solutions(term.gain, constraint.bound, constraint.strict));
  }
  return box;
}

Range output_solutions(const Constraint& constraint, const Policy& policy) {
  const Term& term = constraint.actions[0];
  const Dimension& action = policy.actions[static_cast<std::size_t>(term.feature)];
  const Range values = solutions(term.gain, constraint.bound, constraint.strict);
  return where(
      [&](double output) { return values.contains(squash(policy.squashing, output, action)); },
      term.gain < 0);
}

}  // namespace icct
