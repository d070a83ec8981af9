#pragma once

#include <algorithm>
#include <cstdint>

namespace icct {

// How long a waiting actor takes to learn at its full rate, over how long it waited.
inline constexpr int kReleaseTimes = 5;

// The share of its learning rate that an actor has, `updates` after its release: a little more each
// time. Before it (updates < 0) the actor waits; `waited` is for how many. Critics that nobody has
// followed yet are wrong about where they lead to; an actor that moves slowly lets them see it.
inline double released_share(std::int64_t updates, int waited) {
  if (updates < 0) return 0;
  if (waited == 0) return 1;
  const auto moves = static_cast<double>(updates + 1);
  return std::min(1.0, moves / (static_cast<double>(kReleaseTimes) * waited));
}

}  // namespace icct
