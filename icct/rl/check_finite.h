#pragma once

#include <cstdint>
#include <string_view>

#include "icct/rl/replay_buffer.h"

namespace icct {

// Throws Error naming a field and a sample if the batch holds NaN or infinity.
void check_finite(const Batch& batch);

// Throws Error if the loss is NaN or infinite. For the message: "SAC", "critic", number of the
// update.
void check_finite_loss(std::string_view algorithm, std::string_view which, std::int64_t update,
                       double loss);

}  // namespace icct
