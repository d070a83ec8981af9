#include "cli/episode_options.h"

#include <algorithm>
#include <thread>

#include "icct/base/error.h"

namespace icct {

int all_cores() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::string environment_name(const std::string& asked, const std::string& of_policy,
                             const std::string& file) {
  if (!asked.empty()) return asked;
  if (of_policy.empty())
    throw Error(file + ": does not say which environment it is for; name one with --env");
  return of_policy;
}

}  // namespace icct
