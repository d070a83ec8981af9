#pragma once

#include <span>

#include "icct/base/rng.h"

namespace icct {

// Standard normal numbers, many at a time: one word of `rng` gives two of them. Same state, same
// numbers on the same machine. Up to 6.7 standard deviations occur.
void fill_normal(Rng& rng, std::span<float> values);

}  // namespace icct
