#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/verify/box.h"
#include "icct/verify/property.h"

namespace icct {

// Rules as people write them:
//
//   when distance_to_human < 5 m and speed > 0 then acceleration <= 5
//   careful landing: when height < 0.1 then main_engine >= 0 or side_engine between -0.5 and 0.5
//   always steering <= 30   # a comment
//
// A rule begins on a line that starts with "when", "always" or "its name:" and may go on over
// several lines. Conditions: comparisons with < <= > >= =, chains such as 0 < speed <= 5, and
// "x between a and b" (ends included), joined by and, or, not and parentheses. Compared are linear
// expressions of observations and actions: 2 * speed - gap, 2 speed, -speed + 3. A number may be
// followed by the unit of what it is compared with. Names that are keywords or have other
// characters than letters, digits and _ stand in single quotes, '' for a quote inside.
//
// Every number is the double nearest to it; from there on nothing is rounded: what would be is
// refused. The violations are the cases of "when-condition and not then-condition".
//
// All functions throw Error with line, column, what was found and what is expected.

// All rules of a text, at least one. `text` of a property begins at "when" or "always".
std::vector<Property> parse_properties(std::string_view text, const Policy& policy);

// One rule from its two conditions; nothing but blanks as `when` is "always".
Property parse_rule(std::string_view when, std::string_view then, const Policy& policy);

// The part of declared_box(policy) where comparisons of one observation each with numbers, joined
// by "and", hold: exactly those doubles. Nothing but blanks as `where` is all of it; the box may
// turn out empty.
Box parse_box(std::string_view where, const Policy& policy);

// What must never be, for people: "never: height < 0.1 m and main_engine < 0; or speed > 3 m/s".
std::string to_text(const Property& property, const Policy& policy);

}  // namespace icct
