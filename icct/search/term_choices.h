#pragma once

#include <vector>

#include "icct/search/race.h"
#include "icct/search/visits.h"

namespace icct {

// Changes of a single leaf that let one action use exactly `terms` features, every choice of them
// from as many as give no more than `most` choices, those that move the action most first. Gains
// stay; a feature that had none begins with zero; mean contributions of dropped terms join the
// bias.
std::vector<Change> term_choices(const Policy& policy, const Visits& visits, std::size_t action,
                                 int terms, int most);

}  // namespace icct
