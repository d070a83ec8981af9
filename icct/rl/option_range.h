#pragma once

#include <string_view>
#include <vector>

namespace icct {

// What validate() functions share. Each throws Error naming the field, its value and its range.

void require_between(std::string_view field, double value, double lowest, double highest);
// For step sizes and the like: 0 is not allowed.
void require_positive(std::string_view field, double value, double highest);
// For weights of the past: 1 is not allowed.
void require_fraction(std::string_view field, double value);
void require_layers(std::string_view field, const std::vector<int>& sizes);  // each 1 .. 65536

}  // namespace icct
