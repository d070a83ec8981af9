#include "icct/imitation/teacher.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/policy/policy_file.h"
#include "icct/rollout/rollout.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxLibraryBytes = std::size_t{1} << 30;

class PolicyTeacher final : public Teacher {
 public:
  explicit PolicyTeacher(Policy policy)
      : policy_(std::move(policy)), fingerprint_(write_policy(policy_)) {}

  void act(std::span<const double> x, std::span<double> action) const override {
    icct::act(policy_, x, action);
  }
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  Policy policy_;
  std::string fingerprint_;
};

// A function in a shared library. It is not told how long its arguments are: a library made for
// another environment cannot be recognised.
class LibraryTeacher final : public Teacher {
 public:
  LibraryTeacher(const fs::path& file, const std::string& function, Space actions)
      : actions_(std::move(actions)),
        source_(file.string() + ":" + function),
        fingerprint_(read_file(file, kMaxLibraryBytes) + function) {
    library_ = ::dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw Error(file.string() + ": cannot load: " + ::dlerror());
    act_ = reinterpret_cast<Function>(::dlsym(library_, function.c_str()));
    if (act_ != nullptr) return;
    ::dlclose(library_);
    throw Error(file.string() + ": has no function '" + function + "'; name it as " +
                file.string() + ":FUNCTION");
  }
  ~LibraryTeacher() override { ::dlclose(library_); }
  LibraryTeacher(const LibraryTeacher&) = delete;
  LibraryTeacher& operator=(const LibraryTeacher&) = delete;

  void act(std::span<const double> x, std::span<double> action) const override {
    // A function in single precision writes half of it and leaves a NaN.
    std::ranges::fill(action, std::numeric_limits<double>::quiet_NaN());
    act_(x.data(), action.data());
    for (std::size_t i = 0; i < action.size(); ++i) {
      if (!std::isfinite(action[i]))
        throw Error(source_ + ": gave no finite '" + actions_[i].name +
                    "'; it must take and write doubles, one action for each of the environment");
      action[i] = std::clamp(action[i], actions_[i].lower, actions_[i].upper);
    }
  }
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  using Function = int (*)(const double*, double*);

  Space actions_;
  std::string source_, fingerprint_;
  void* library_ = nullptr;
  Function act_ = nullptr;
};

// "lander_act" for "bin/liblander.so".
std::string usual_function(const fs::path& file) {
  std::string name = file.stem().string();
  if (name.starts_with("lib")) name.erase(0, 3);
  return name + "_act";
}

}  // namespace

std::unique_ptr<Teacher> load_teacher(const std::string& path, std::uint64_t seed,
                                      const Environment& environment) {
  constexpr std::string_view kLibrary = ".so";
  if (const auto colon = path.rfind(':');
      colon != std::string::npos && path.substr(0, colon).ends_with(kLibrary)) {
    return std::make_unique<LibraryTeacher>(path.substr(0, colon), path.substr(colon + 1),
                                            environment.actions());
  }
  if (path.ends_with(kLibrary))
    return std::make_unique<LibraryTeacher>(path, usual_function(path), environment.actions());
  Policy policy = load_policy(find_policy_file(path, seed));
  require_match(policy, environment);
  return std::make_unique<PolicyTeacher>(std::move(policy));
}

}  // namespace icct
