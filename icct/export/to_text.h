#pragma once

#include <string>

#include "icct/policy/policy.h"

namespace icct {

struct TextOptions {
  int digits = 3;  // significant digits of the numbers shown, 1 .. 17
};

// What one action is at one leaf, as it is deployed: "tanh(0.2 + 2.1 angle)", "1.5 + 1.5
// tanh(...)", "0.2 + 2.1 angle, kept within [-3, 3]"; a number where it does not depend on the
// observation.
std::string action_formula(const Policy& policy, const Controller& controller, int action,
                           const TextOptions& options);

// The tree drawn with lines of text, one line per decision and per action. Ends with a newline.
std::string to_text(const Policy& policy, const TextOptions& options);

// One paragraph per leaf: its conditions, merged per feature, then the consequence. Ends with a
// newline.
std::string to_paragraphs(const Policy& policy, const TextOptions& options);

}  // namespace icct
