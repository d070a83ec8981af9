#pragma once

#include <span>
#include <vector>

#include "icct/base/rng.h"
#include "icct/search/race.h"

namespace icct {

// For a tree that is good already. Where it stands near a cliff, as a car does that asks for the
// smallest gap it may have, a change of all numbers at once falls off it; one number at a time can
// move away.

// Every active number up and down by several steps, small ones and large ones: in units of its
// scale (see active_scales), or of a tenth of itself if that is more. `count` of all these, drawn
// at random; all if there are fewer.
std::vector<Change> number_changes(const Policy& policy, std::span<const double> feature_spread,
                                   int count, Rng& rng);

// What the winners that gained are worth together: `present` with the first of them, with the first
// two and so on. Each is a change of one number of `present`; a number that several of them change
// is changed by the first. Empty if none gained.
std::vector<Change> put_together(const Policy& present, std::span<const Winner> winners);

}  // namespace icct
