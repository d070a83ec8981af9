#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icct/search/changes.h"
#include "icct/train/tree_search_schedule.h"

namespace icct {

struct TreeSearchOptions;

// What to try in a race of changes: as many as a share of the budget pays for, by the length of the
// episodes that were met.

// What may go if it is not missed: any term, any split. If that is too much to try, the terms that
// matter least and some of the splits. `budget`: steps of the whole search.
std::vector<Change> affordable_removals(const Policy& policy, const Visits& met,
                                        const TreeSearchSchedule& schedule, std::int64_t budget,
                                        Rng& rng);

// Terms to add and leaves to split, within the limits of the options.
std::vector<Change> affordable_growth(const Policy& policy, const Visits& met,
                                      const TreeSearchSchedule& schedule,
                                      const TreeSearchOptions& options, Rng& rng);

}  // namespace icct
