#pragma once

#include <memory>
#include <string>

#include "icct/env/environment.h"

namespace icct {

// The one function of the module that holds SUMO: an environment that runs in the process which
// calls it. Throws Error.
using MakeTraffic = std::unique_ptr<Environment> (*)(const std::string& spec);
inline constexpr const char* kMakeTraffic = "icct_make_traffic";

}  // namespace icct
