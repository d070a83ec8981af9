#pragma once

#include "icct/rl/replay_buffer.h"

namespace icct {

inline Batch random_batch(int size, int observations, int actions, Rng& rng) {
  Batch batch(size, observations, actions);
  for (auto* values : {&batch.observations, &batch.next_observations, &batch.rewards})
    for (float& value : *values) value = static_cast<float>(rng.normal());
  for (float& value : batch.actions) value = static_cast<float>(rng.uniform(-1, 1));
  for (float& value : batch.terminated) value = rng.uniform() < 0.2 ? 1.0f : 0.0f;
  return batch;
}

}  // namespace icct
