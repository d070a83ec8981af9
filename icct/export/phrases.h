#pragma once

#include <string>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/tree/leaf_regions.h"

// Parts of sentences about a tree, shared by text, pictures and pages.
namespace icct {

struct TextOptions {
  int digits = 3;  // significant digits of the numbers shown, 1 .. 17; 0: exactly
};

std::string number_text(double value, const TextOptions& options);
std::string with_unit(double value, const Dimension& dimension, const TextOptions& options);

// "angle >= 0.03 rad"
std::string condition_text(const Policy& policy, const Split& split, const TextOptions& options);

// "speed is between 2 and 9 m/s", "speed is above 9 m/s"; more digits where the ends would look
// alike.
std::string interval_text(const FeatureInterval& condition, const Space& observations,
                          const TextOptions& options);

// What one action is at one leaf, as it is deployed: "tanh(0.2 + 2.1 angle)", "1.5 + 1.5
// tanh(...)", "0.2 + 2.1 angle, kept within [-3, 3]"; a number where it does not depend on the
// observation.
std::string action_formula(const Policy& policy, const Controller& controller, int action,
                           const TextOptions& options);

// What people call the values that an action takes at a leaf, inside the declared bounds of the
// observations: "hard brake", "hard brake to gentle brake"; empty without names for them.
std::string action_words(const Policy& policy, const LeafRegion& region, std::size_t action);

// The words, then the formula: "hard brake (-4 m/s2)"; the formula alone without words.
std::string action_phrase(const Policy& policy, const LeafRegion& region, std::size_t action,
                          const TextOptions& options);

// With the signs of print: "x ≥ −2" for "x >= -2".
std::string printed(std::string text);

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& parts);

}  // namespace icct
