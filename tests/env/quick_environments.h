#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "icct/env/make_environment.h"

namespace icct {

// All environments but the highways, which warm up for long; their tests use a small road.
inline std::vector<std::string> quick_environments() {
  std::vector<std::string> names = environment_names();
  std::erase_if(names, [](const std::string& name) { return name == "i94" || name == "i280"; });
  return names;
}

}  // namespace icct
