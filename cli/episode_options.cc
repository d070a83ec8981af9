#include "cli/episode_options.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "icct/base/error.h"
#include "icct/env/environment_spec.h"

namespace icct {

int all_cores() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string environment_name(const std::string& asked, const std::string& of_policy,
                             const std::string& file) {
  if (!asked.empty()) return asked;
  if (of_policy.empty())
    throw Error(file + ": does not say which environment it is for; name one with --env");
  const std::string road = parse_environment_spec(of_policy).name;
  if (road.ends_with(".json") && !std::filesystem::exists(road))
    throw Error(file + ": is for '" + of_policy +
                "', and there is no such file here; say where it is with --env");
  return of_policy;
}

}  // namespace icct
