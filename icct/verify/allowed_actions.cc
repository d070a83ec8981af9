#include "icct/verify/allowed_actions.h"

#include "icct/base/error.h"
#include "icct/verify/constraint_range.h"
#include "icct/verify/property_text.h"

namespace icct {

std::vector<Range> allowed_actions(std::string_view text, const Policy& policy) {
  std::vector<Range> allowed(policy.actions.size());
  // A conjunction is broken in as many ways as it has parts, each of them a single constraint.
  for (const Case& broken : parse_rule("", text, policy).violations) {
    if (broken.size() != 1 || broken[0].actions.size() != 1 || !broken[0].observations.empty()) {
      throw Error("'" + std::string(text) +
                  "': expected comparisons of one action each with a number, joined by \"and\"");
    }
    const Term& term = broken[0].actions[0];
    Range& range = allowed[static_cast<std::size_t>(term.feature)];
    range = intersection(range, solutions(-term.gain, -broken[0].bound, !broken[0].strict));
  }
  return allowed;
}

}  // namespace icct
