#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace icct {

// What validate() functions share. Each throws Error naming the option, its value and what it must
// be: "option 'steps' is 10; it must be at least 1000".

[[noreturn]] void refuse_option(std::string_view field, const std::string& value,
                                const std::string& range);

void require_at_least(std::string_view field, double value, double lowest);
void require_between(std::string_view field, double value, double lowest, double highest);
// For step sizes and the like: 0 is not allowed.
void require_positive(std::string_view field, double value, double highest);
// For weights of the past: 1 is not allowed.
void require_fraction(std::string_view field, double value);
void require_layers(std::string_view field, const std::vector<int>& sizes);  // each 1 .. 65536
void require_one_of(std::string_view field, const std::string& value,
                    std::initializer_list<const char*> allowed);

}  // namespace icct
