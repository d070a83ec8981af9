#pragma once

#include <string>

#include "icct/env/sumo/highway_task.h"

namespace icct {

// Where a flow stands in the file, which is also the beginning of its name in SUMO.
std::string flow_place(std::size_t index);

// SUMO's route file of a task: vehicle types and flows, multiplied by `density`.
std::string highway_routes_xml(const HighwayTask& task, double density);

}  // namespace icct
