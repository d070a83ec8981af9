#pragma once

#include "icct/base/json.h"
#include "icct/env/sumo/highway_task.h"

namespace icct {

// One entry of "observations" and of "reward" in a highway file. Throw Error naming the place.
ObservationBlock read_observation(const JsonReader& json);
RewardTerm read_reward(const JsonReader& json);

}  // namespace icct
