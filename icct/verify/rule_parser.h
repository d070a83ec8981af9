#pragma once

#include "icct/policy/policy.h"
#include "icct/verify/normal_form.h"
#include "icct/verify/rule_scanner.h"

namespace icct {

// Takes one condition: comparisons of linear expressions joined by and, or, not and parentheses, as
// property_text.h describes. Stops before the first word or sign that cannot belong to it. Throws
// Error with the place, what was found and what is expected.
Formula parse_condition(RuleScanner& scanner, const Policy& policy);

}  // namespace icct
