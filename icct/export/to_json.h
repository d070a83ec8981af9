#pragma once

#include <string>

#include "icct/base/json.h"
#include "icct/policy/policy.h"

namespace icct {

// The deployed function of a tree as plain tables, for interpreters of one's own: observations and
// actions by position, nodes and leaves by index. A link is the index of a node, or -1 - the index
// of a leaf. docs/export.md says how to evaluate it. Throws Error if the policy is a network.
Json function_tables(const Policy& policy);

// The tables as text. Ends with a newline.
std::string to_json(const Policy& policy);

}  // namespace icct
