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
  std::optional<std::vector<double>> safe_action() const override { return policy_.safe_action; }

 private:
  Policy policy_;
  std::string fingerprint_;
};

constexpr std::size_t kRoom = 10'000;  // the most numbers that an observation or action has
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

using Function = int (*)(const double*, double*);

// One that may be met: 0, or what comes nearest to it within the bounds.
std::vector<double> possible_observation(const Environment& environment) {
  std::vector<double> x;
  for (const Dimension& dimension : environment.observations())
    x.push_back(std::clamp(0.0, dimension.lower, dimension.upper));
  return x;
}

// A function is not told how long its arguments are. Given room for the longest, one that is made
// for more observations is seen to mind NaN behind them, and one for more actions to write them.
void require_sizes(Function act, const Environment& environment, const std::string& source) {
  const std::size_t observations = environment.observations().size();
  const std::size_t actions = environment.actions().size();
  std::vector<double> x = possible_observation(environment);
  x.resize(kRoom);
  std::vector<double> action(kRoom, kNothing);
  const bool works = act(x.data(), action.data()) == 0;
  if (!std::isnan(action[actions]))
    throw Error(source + ": gives more actions than the " + std::to_string(actions) + " of " +
                environment.name());
  std::fill(x.begin() + static_cast<std::ptrdiff_t>(observations), x.end(), kNothing);
  if (works && act(x.data(), action.data()) != 0)
    throw Error(source + ": reads more observations than the " + std::to_string(observations) +
                " of " + environment.name());
}

// A function in a shared library.
class LibraryTeacher final : public Teacher {
 public:
  LibraryTeacher(const fs::path& file, const std::string& function, const Environment& environment)
      : actions_(environment.actions()),
        source_(file.string() + ":" + function),
        fingerprint_(read_file(file, kMaxLibraryBytes) + function),
        library_(::dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL), &::dlclose) {
    if (!library_) throw Error(file.string() + ": cannot load: " + ::dlerror());
    act_ = reinterpret_cast<Function>(::dlsym(library_.get(), function.c_str()));
    if (act_ == nullptr)
      throw Error(file.string() + ": has no function '" + function + "'; name it as " +
                  file.string() + ":FUNCTION");
    require_sizes(act_, environment, source_);
  }

  void act(std::span<const double> x, std::span<double> action) const override {
    // A function in single precision writes half of it and leaves a NaN.
    std::ranges::fill(action, kNothing);
    if (const int status = act_(x.data(), action.data()); status != 0)
      throw Error(source_ + ": returned " + std::to_string(status) + " instead of 0");
    for (std::size_t i = 0; i < action.size(); ++i) {
      if (!std::isfinite(action[i]))
        throw Error(source_ + ": gave no finite '" + actions_[i].name +
                    "'; it must take and write doubles, one action for each of the environment");
      action[i] = std::clamp(action[i], actions_[i].lower, actions_[i].upper);
    }
  }
  const std::string& fingerprint() const override { return fingerprint_; }

 private:
  Space actions_;
  std::string source_, fingerprint_;
  std::unique_ptr<void, int (*)(void*)> library_;
  Function act_ = nullptr;
};

// "lander_act" for "bin/liblander.so".
std::string usual_function(const fs::path& file) {
  std::string name = file.stem().string();
  if (name.starts_with("lib")) name.erase(0, 3);
  return name + "_act";
}

// A library and the function in it, for "FILE.so" and "FILE.so:FUNCTION".
struct LibraryPath {
  std::string file, function;
};

std::optional<LibraryPath> library_path(const std::string& path) {
  const auto colon = path.rfind(':');
  if (colon != std::string::npos && path.substr(0, colon).ends_with(".so"))
    return LibraryPath{path.substr(0, colon), path.substr(colon + 1)};
  if (path.ends_with(".so")) return LibraryPath{path, usual_function(path)};
  return {};
}

}  // namespace

bool is_library(const std::string& path) {
  return library_path(path).has_value();
}

std::unique_ptr<Teacher> load_teacher(const std::string& path, std::uint64_t seed,
                                      const Environment& environment) {
  if (const std::optional<LibraryPath> library = library_path(path)) {
    auto teacher = std::make_unique<LibraryTeacher>(library->file, library->function, environment);
    std::vector<double> action(environment.actions().size());
    teacher->act(possible_observation(environment),
                 action);  // better now than in the first episode
    return teacher;
  }
  Policy policy = load_policy(find_policy_file(path, seed));
  require_match(policy, environment);
  return std::make_unique<PolicyTeacher>(std::move(policy));
}

}  // namespace icct
