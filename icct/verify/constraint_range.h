#pragma once

#include "icct/verify/box.h"
#include "icct/verify/property.h"

namespace icct {

// The doubles x with gain * x <= bound, or < if strict, in exact arithmetic; may be empty. `gain`
// must be finite and not zero.
Range solutions(double gain, double bound, bool strict);

// Whether the constraint is about one observation alone.
bool is_bound(const Constraint& constraint);

// Whether it is about one action alone.
bool is_action_bound(const Constraint& constraint);

// The part of a box where all constraints about one observation alone hold. May be empty.
Box narrowed(Box box, const Case& constraints);

// The outputs of a controller, before squashing, that fulfil a constraint about this one action
// alone. May be empty; all outputs of one sign may lead to the same action.
Range output_solutions(const Constraint& constraint, const Policy& policy);

}  // namespace icct
