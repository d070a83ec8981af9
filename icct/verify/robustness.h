#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "icct/verify/box.h"

namespace icct {

// How far may an observation be off before an action leaves what is allowed? A perturbation of size
// e moves x[i] anywhere from x[i] - e * weights[i] to x[i] + e * weights[i], as doubles compute
// these, and never out of `box`: the L-infinity ball for weights of one.
struct RobustnessQuery {
  std::vector<double> x;        // inside `box`
  std::vector<Range> allowed;   // one per action, not empty
  std::vector<double> weights;  // one per observation, not negative; 0: exactly known
  Box box;                      // perturbed observations stay inside, e.g. declared_box()
};

// The smallest perturbation that can make a difference, and what it does.
struct Robustness {
  std::optional<double> radius;  // the smallest double; none: no finite one makes a difference
  // The rest is set only with a radius: act() at `at` leaves the allowed range.
  std::vector<double> at = {};  // unused observations stay as near to x as the leaf lets them
  int leaf = 0;                 // that `at` reaches
  std::size_t action = 0;       // that is outside its range there
};

// Exact, rounding included: act() stays inside the allowed ranges for every perturbation of the
// double before `radius`, and leaves them at `at`. The minimal distortion of the paper, with the
// distance to a leaf taken as the largest over the observations and then the smallest over the
// leaves that can violate. Throws Error if the query does not fit or the policy is no tree.
Robustness robustness(const Policy& policy, const RobustnessQuery& query);

// The radius for each of many observations; infinity where there is none. `query.x` is ignored.
std::vector<double> robustness_radii(const Policy& policy, RobustnessQuery query,
                                     std::span<const std::vector<double>> observations);

}  // namespace icct
