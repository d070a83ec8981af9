#pragma once

#include <string_view>
#include <vector>

#include "icct/verify/box.h"

namespace icct {

// What every action may be, from comparisons of one action each with numbers, joined by "and":
// "main_engine <= 0.5 and side_engine between -1 and 1". Exactly those doubles; actions that are
// not named may be anything. Throws Error if the text says something else.
std::vector<Range> allowed_actions(std::string_view text, const Policy& policy);

}  // namespace icct
