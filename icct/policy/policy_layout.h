#pragma once

#include <cstddef>
#include <string_view>

#include "icct/base/json.h"
#include "icct/base/space.h"

namespace icct {

// What readers and writers of policy files, and of tables made from them, must agree on.
inline constexpr std::string_view kPolicyFormat = "icct-policy";
inline constexpr int kPolicyVersion = 1;
inline constexpr std::size_t kMaxPolicyBytes = std::size_t{64} << 20;

// Names, units and bounds; an infinite bound is null.
Json space_to_json(const Space& space);

}  // namespace icct
