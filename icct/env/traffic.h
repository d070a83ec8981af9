#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icct/env/environment.h"
#include "icct/env/isolation/isolated_environment.h"

namespace icct {

// The names of the traffic environments, which run in SUMO.
std::vector<std::string> traffic_names();

// Whether `spec` means traffic: one of the names, or a file that describes a highway (*.json),
// either with options.
bool is_traffic(const std::string& spec);

// The environment in a process of its own; where it warms up for long, the moments after the latest
// resets are kept, unless options.snapshots says otherwise. Throws Error for an unknown option, a
// malformed file, or if SUMO cannot be loaded.
std::unique_ptr<IsolatedEnvironment> make_traffic(const std::string& spec,
                                                  IsolationOptions options = {});

}  // namespace icct
