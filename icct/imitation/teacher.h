#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icct/env/environment.h"

namespace icct {

// Whoever is imitated.
class Teacher {
 public:
  virtual ~Teacher() = default;

  // The action at x, inside the bounds of the environment. May be called from several threads at
  // once. Throws Error if there is no finite action.
  virtual void act(std::span<const double> x, std::span<double> action) const = 0;

  // The same for the same function: a run that is resumed must not go on with another teacher.
  virtual const std::string& fingerprint() const = 0;

  // What it does where an observation is no finite number, if it says so.
  virtual std::optional<std::vector<double>> safe_action() const { return {}; }
};

// An action by its bounds: -1 at the lower, 1 at the upper.
inline double scaled(double action, const Dimension& bounds) {
  return 2 * (action - bounds.lower) / (bounds.upper - bounds.lower) - 1;
}

// Whether the path of a teacher names a function in a shared library.
bool is_library(const std::string& path);

// The teacher behind a path:
//   a policy file (tree or network), or the folder of a run, see find_policy_file;
//   FILE.so or FILE.so:FUNCTION, a shared library with int FUNCTION(const double* x, double*
//   action) as `icct export --to c` writes it; without a name, FILE_act. It returns 0, keeps no
//   state and may be called from several threads at once.
// Throws Error if it cannot be loaded or does not fit the environment.
std::unique_ptr<Teacher> load_teacher(const std::string& path, std::uint64_t seed,
                                      const Environment& environment);

}  // namespace icct
