#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icct/env/environment.h"

namespace icct {

// Throws Error listing the known names.
std::unique_ptr<Environment> make_environment(const std::string& name);

// Every name make_environment knows, in alphabetical order.
std::vector<std::string> environment_names();

}  // namespace icct
