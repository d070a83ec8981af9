#pragma once

#include <string>
#include <vector>

#include "icct/verify/box.h"
#include "icct/verify/property.h"

namespace icct {

// Why no observation of a part of a leaf fulfils all constraints of a case. One of:
//   constraint >= 0           this one is false throughout;
//   multipliers not empty     the constraints times these numbers (none negative, 0 for those that
//                             do not count) add up to one that is false throughout;
//   halves not empty          the part is split: x[feature] <= at, and the rest.
struct Reason {
  int constraint = -1;
  std::vector<double> multipliers = {};
  int feature = -1;
  double at = 0;
  std::vector<Reason> halves = {};
};

// For one case: the leaves that the case's box reaches. Those that are missing are not reached.
struct CaseProof {
  std::vector<int> leaves;
  std::vector<Reason> reasons;
};

struct Proof {
  Box box;
  std::vector<CaseProof> cases;  // of the property's violations, in their order
};

// The proof as a file that tools/check_certificate checks against the policy file, alone.
std::string certificate(const Property& property, const Proof& proof);

}  // namespace icct
