#pragma once

#include <string>
#include <vector>

#include "icct/env/sumo/flow_task.h"

namespace icct {

inline constexpr const char* kHumanType = "human";
inline constexpr const char* kControlledType = "rl";

// The whole loop, beginning with `edge`.
std::vector<std::string> loop_from(const FlowTask& task, const std::string& edge);

// The name of that route in the file.
std::string loop_name(const std::string& edge);

// SUMO's route file of a task: the two vehicle types and a loop from every edge.
std::string flow_routes_xml(const FlowTask& task);

}  // namespace icct
