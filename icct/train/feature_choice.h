#pragma once

#include <vector>

#include "icct/search/changes.h"
#include "icct/train/tournament.h"

namespace icct {

// How many terms the controllers of a tree have beyond so many features each.
int terms_over(const Tree& tree, int features);

// What a single leaf may become on its way to at most `features` features per action, for which
// there are `steps` steps left: contestants for a tournament. It is about the action with most
// terms. If there is time for all choices of its features, those, from the gains they have and from
// nothing, where large gains hide what a choice could do; else any one of its terms less. `met`: by
// the leaf; `spread`: of every observation.
std::vector<Contestant> feature_choices(const Policy& leaf, const Visits& met,
                                        const std::vector<double>& spread,
                                        const std::vector<double>& idle_spread, int features,
                                        double steps);

}  // namespace icct
