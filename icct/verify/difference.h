#pragma once

#include <vector>

#include "icct/verify/box.h"

namespace icct {

// How far one action of two trees is apart, |act(a, x) - act(b, x)| as doubles compute it.
struct Difference {
  double largest = 0;      // taken at `at`, to the last bit
  double proven = 0;       // no observation in the box has a larger one; at least `largest`
  std::vector<double> at;  // inside the box
  int leaf_a = 0;          // that `at` reaches
  int leaf_b = 0;
};

// The largest difference per action over a box. `proven` includes the rounding of act() and is
// above `largest` by about 1e-9 of the action's span, but more where observations are so large that
// rounding alone moves the action, or where a limit on the search was hit. It is 0 where both trees
// use the same controllers. Throws Error if the policies are no trees or differ in their
// observations or actions (names, units, bounds), or the box does not fit.
std::vector<Difference> largest_differences(const Policy& a, const Policy& b, const Box& box);

}  // namespace icct
