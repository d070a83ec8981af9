#pragma once

#include <algorithm>
#include <cstdint>

namespace icct {

// How long a waiting actor takes to learn at its full rate, over how long it waited.
inline constexpr int kReleaseTimes = 5;

// The share of its learning rate that an actor has in an update, given how many came before: none
// during the first `actor_starts`, then a little more each time. Critics that nobody has followed
// yet are wrong about where they lead to; an actor that moves slowly lets them see it.
inline double released_share(std::int64_t updates, int actor_starts) {
  if (updates < actor_starts) return 0;
  if (actor_starts == 0) return 1;
  const auto since = static_cast<double>(updates - actor_starts + 1);
  return std::min(1.0, since / (static_cast<double>(kReleaseTimes) * actor_starts));
}

}  // namespace icct
