#pragma once

#include <optional>
#include <span>
#include <vector>

#include "icct/verify/box.h"

// Why a tree answers an observation as it does.
namespace icct {

// One decision on the way to the leaf.
struct PathStep {
  int split;
  bool yes;
  double value;   // of the observation that is asked for
  double margin;  // its distance from the threshold, in its unit
};

struct Contribution {
  Term term;
  double value;   // of the observation
  double amount;  // gain times value, as act() adds it
};

// How a leaf comes to one action.
struct ActionReason {
  double bias;
  std::vector<Contribution> terms;  // those that count most first
  double output;                    // the sum, before squashing
  double action;
};

struct Explanation {
  std::vector<PathStep> path;  // from the root
  int leaf = 0;
  std::vector<ActionReason> actions;
};

// x must be finite and fit. Throws Error if the policy is no tree.
Explanation explain(const Policy& policy, std::span<const double> x);

// The nearest observation in the box that reaches another leaf. The distance is the largest of
// |at[i] - x[i]| / weights[i]; an observation of weight 0 stays as it is. None if there is no such
// observation. `x` must be inside the box.
struct NearestLeaf {
  double distance = 0;
  std::vector<double> at;
  int leaf = 0;
};
std::optional<NearestLeaf> nearest_other_leaf(const Policy& policy, std::span<const double> x,
                                              std::span<const double> weights, const Box& box);

}  // namespace icct
