#include "icct/env/traffic.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "icct/base/error.h"
#include "icct/env/environment_spec.h"
#include "icct/env/sumo/traffic_module.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr int kSnapshots = 64;  // of warmed-up traffic

// Beside the installed program, or where it was built.
fs::path find_module() {
  constexpr const char* name = "libicct_traffic.so";
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  const fs::path folders[] = {program.parent_path().parent_path() / ICCT_INSTALLED_MODULES,
                              ICCT_BUILT_MODULES, fs::path("/usr/local") / ICCT_INSTALLED_MODULES};
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name)) return folder / name;
  }
  throw Error(std::string("the module for traffic, ") + name + ", is not in " +
              folders[0].string() + "; install icct again");
}

// In the worker: loads SUMO and makes the environment there.
std::unique_ptr<Environment> load_traffic(const fs::path& module, const std::string& spec) {
  void* library = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw Error(std::string(dlerror()) + "; is the package 'sumo' installed?");
  const auto make = reinterpret_cast<MakeTraffic>(dlsym(library, kMakeTraffic));
  if (make == nullptr) throw Error(module.string() + " is not a traffic module of this version");
  return std::unique_ptr<Environment>(make(spec));
}

}  // namespace

std::vector<std::string> traffic_names() {
  return {"figure8", "i280", "i94", "ring", "ring_two_lane"};
}

bool is_traffic(const std::string& spec) {
  const std::string name = parse_environment_spec(spec).name;
  return name.ends_with(".json") || std::ranges::count(traffic_names(), name) > 0;
}

std::unique_ptr<IsolatedEnvironment> make_traffic(const std::string& spec,
                                                  IsolationOptions options) {
  const fs::path module = find_module();
  const std::string name = parse_environment_spec(spec).name;
  const bool warms_up = name != "ring" && name != "figure8";
  if (options.snapshots < 0 && warms_up) options.snapshots = kSnapshots;
  return std::make_unique<IsolatedEnvironment>(
      [module, spec] { return load_traffic(module, spec); }, options);
}

}  // namespace icct
