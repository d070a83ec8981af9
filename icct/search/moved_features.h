#pragma once

#include <cstdint>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

// For every action, the feature that it moves most: of all features, the one whose change in a step
// goes most closely with the action, as kVisitEpisodes episodes of random actions show it. A car's
// speed for its acceleration, say: what a controller of that action can hold at a value. Episodes
// are training episodes from number `first_episode` of the run on.
std::vector<int> moved_features(Environment& environment, std::uint64_t seed,
                                std::uint64_t first_episode);

}  // namespace icct
