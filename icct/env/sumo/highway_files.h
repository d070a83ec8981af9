#pragma once

#include <string>

#include "icct/env/sumo/highway_task.h"

namespace icct {

// SUMO's route file of a task: vehicle types and flows, multiplied by `density`.
std::string highway_routes_xml(const HighwayTask& task, double density);

}  // namespace icct
