#pragma once

#include <string_view>

namespace icct {

// Whether SUMO 1.15 knows such an attribute of a vehicle type. It ignores all others without a
// word.
bool is_vehicle_attribute(std::string_view name);

}  // namespace icct
