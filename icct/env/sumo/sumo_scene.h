#pragma once

#include <string>

#include "icct/env/scene.h"

namespace icct {

// The network and all vehicles of the SUMO of this process; `controlled` is the id of the
// controlled one. It has no range.
Scene sumo_scene(const std::string& controlled);

}  // namespace icct
