#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icct/env/environment.h"

namespace icct {

// `name` may carry options, "figure8:junction_check=on", or be a file that describes a highway.
// Throws Error listing the known names, or saying what is wrong with an option or the file.
std::unique_ptr<Environment> make_environment(const std::string& name);

// Every name make_environment knows, in alphabetical order.
std::vector<std::string> environment_names();

// The same for people: "figure8, i280, ..., or FILE.json, a highway of your own".
std::string known_environments();

}  // namespace icct
