#pragma once

#include <cstddef>
#include <string_view>

namespace icct {

// What readers and writers of policy files must agree on.
inline constexpr std::string_view kPolicyFormat = "icct-policy";
inline constexpr int kPolicyVersion = 1;
inline constexpr std::size_t kMaxPolicyBytes = std::size_t{64} << 20;

}  // namespace icct
