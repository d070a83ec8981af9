#pragma once

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "icct/base/json.h"
#include "icct/base/rng.h"
#include "icct/policy/policy_file.h"
#include "tests/temporary_folder.h"

// What tests of exported code share: policies, awkward observations, and other programs.
namespace icct {

inline bool is_installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null 2>&1").c_str()) == 0;
}

// What a shell command writes, complaints included.
inline std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  ::pclose(pipe);
  return text;
}

inline Policy example_policy(const std::string& name) {
  return load_policy(std::string(ICCT_SOURCE_DIR "/examples/policies/") + name + ".json");
}

// Everything is called as no language likes it.
inline Policy oddly_named() {
  Policy policy = example_policy("near_human");
  policy.name = "*/ </script> int main; // @N @TITLE@ \\ *)";
  policy.observations[0].name = "while";
  policy.observations[1].name = "speed (m/s) */ *) </script>";
  policy.observations[2].name = "Größe \"@R\"";
  policy.actions[0].name = "limit";
  std::get<Tree>(policy.controller).leaves[0].name = "*/ x @P /* *) <b>";
  return policy;
}

// Of moderate size; every second one has a threshold or its neighbour.
inline std::vector<double> moderate(const Policy& policy, Rng& rng) {
  std::vector<double> x(policy.observations.size());
  for (double& value : x) value = rng.normal();
  const Tree& tree = tree_of(policy);
  if (!tree.splits.empty() && rng.below(2) == 0) {
    const Split& split =
        tree.splits[static_cast<std::size_t>(rng.below(static_cast<int>(tree.splits.size())))];
    const double far[] = {split.threshold, -HUGE_VAL, HUGE_VAL};
    const double to = far[rng.below(3)];
    x[static_cast<std::size_t>(split.feature)] = std::nextafter(split.threshold, to);
  }
  return x;
}

// The same, and sometimes anything finite.
inline std::vector<double> awkward(const Policy& policy, Rng& rng) {
  std::vector<double> x = moderate(policy, rng);
  for (double& value : x) {
    if (rng.below(20) == 0) value = std::ldexp(rng.normal(), rng.below(2000) - 1000);
  }
  return x;
}

// Observations and what act() answers, for programs that compare: [[x, action], ...].
template <class Draw>
Json test_vectors(const Policy& policy, int count, const Draw& draw) {
  Rng rng(7);
  Json vectors = Json::array();
  for (int i = 0; i < count; ++i) {
    const std::vector<double> x = draw(policy, rng);
    vectors.push_back({x, act(policy, x)});
  }
  return vectors;
}

// C source, compiled with `flags` and loaded.
class SharedLibrary {
 public:
  SharedLibrary(const std::string& compiler, const std::string& flags, const std::string& source,
                const std::string& header = "") {
    std::ofstream(folder_ / "exported.h") << header;
    std::ofstream(folder_ / "exported.c") << source;
    const std::string base = folder_ / "exported";
    const std::string command =
        compiler + " -shared -fPIC -o " + base + ".so " + base + ".c " + flags;
    if (std::system(command.c_str()) == 0) library_ = ::dlopen((base + ".so").c_str(), RTLD_NOW);
  }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary() {
    if (library_ != nullptr) ::dlclose(library_);
  }

  // The function of this name, or null.
  template <class Function>
  Function* find(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(::dlsym(library_, name));
  }

 private:
  TemporaryFolder folder_;
  void* library_ = nullptr;
};

}  // namespace icct
