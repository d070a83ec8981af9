#pragma once

#include <string>

#include "icct/policy/policy.h"

namespace icct {

struct CSource {
  std::string header;  // NAME.h
  std::string source;  // NAME.c
};

// The deployed function of a tree as C99: NAME_act(). One header and one source, no heap, no
// recursion, no state, no library beyond <float.h>, <stdint.h> and memcpy; one exit, no goto;
// comments name the nodes and leaves of the policy; the worst case is counted. In double it gives
// the bits of act() wherever doubles are IEEE and multiply-adds are not fused. In single precision
// it is a function of its own: near thresholds it may take another branch, and elsewhere actions
// differ by about 1e-6 of their span times the size of the largest term. `name` must be an
// identifier. Throws Error if the policy is a network or deeper than 100 decisions.
CSource to_c(const Policy& policy, const std::string& name, bool single_precision);

}  // namespace icct
