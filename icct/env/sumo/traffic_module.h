#pragma once

#include <string>

#include "icct/env/environment.h"

namespace icct {

// The one function of the module that holds SUMO: an environment that runs in the process which
// calls it, and which the caller owns. Throws Error.
using MakeTraffic = Environment* (*)(const std::string& spec);
inline constexpr const char* kMakeTraffic = "icct_make_traffic";

}  // namespace icct
