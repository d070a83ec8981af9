#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icct/policy/policy.h"

namespace icct {

// Every observation that a policy meets in episodes of an environment.
std::vector<std::vector<double>> met_observations(const Policy& policy,
                                                  const std::string& environment, int episodes,
                                                  std::uint64_t seed);

// The observations of a file, as for `icct act`: CSV with or without names, or JSON lines. Throws
// Error if there is none.
std::vector<std::vector<double>> read_observations(const std::string& path, const Policy& policy);

}  // namespace icct
