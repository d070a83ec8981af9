#pragma once

#include <span>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

// One episode of each policy, all with the same seed. The environment must keep moments, unless
// there is one policy only. As long
// as several policies act alike their episode is simulated once; where they part, it goes on from
// there in every way. Results are those of run_episode, but for the steps that were simulated.
std::vector<Episode> run_together(Environment& environment, std::span<const Policy* const> policies,
                                  std::uint64_t seed, int horizon = kToTheEnd);

}  // namespace icct
