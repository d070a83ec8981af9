#include "icct/search/visits.h"

#include <algorithm>
#include <cmath>

#include "icct/env/conformance/recording.h"

namespace icct {
namespace {

Visits visits_of(Environment& environment, const Act& act, const Tree& tree, std::uint64_t seed,
                 std::uint64_t first_episode, int horizon) {
  Visits result;
  result.by_leaf.resize(tree.leaves.size());
  result.first_step.assign(tree.leaves.size(), kNever);
  for (int i = 0; i < kVisitEpisodes; ++i) {
    const auto index = first_episode + static_cast<std::uint64_t>(i);
    int step = 0;
    const Visit sort_in = [&](std::span<const double> x) {
      const auto leaf = static_cast<std::size_t>(find_leaf(tree, x));
      result.by_leaf[leaf].emplace_back(x.begin(), x.end());
      result.first_step[leaf] = std::min(result.first_step[leaf], step++);
    };
    run_episode(environment, act, episode_seed(seed, Purpose::Training, index), sort_in, horizon);
  }
  return result;
}

// Calls found(leaf, feature) for every feature of which a leaf has seen one value only.
template <class Found>
void each_constant_feature(const Visits& visits, const Found& found) {
  for (std::size_t leaf = 0; leaf < visits.by_leaf.size(); ++leaf) {
    const LeafVisits& met = visits.by_leaf[leaf];
    if (met.empty()) continue;
    for (std::size_t feature = 0; feature < met[0].size(); ++feature) {
      const double first = met[0][feature];
      if (std::ranges::all_of(met, [&](const auto& x) { return x[feature] == first; }))
        found(leaf, feature);
    }
  }
}

}  // namespace

MeanAndSpread mean_and_spread(const LeafVisits& visits, std::size_t feature) {
  MeanAndSpread result;
  for (const auto& x : visits) result.mean += x[feature] / static_cast<double>(visits.size());
  for (const auto& x : visits) {
    const double d = x[feature] - result.mean;
    result.spread += d * d / static_cast<double>(visits.size());
  }
  result.spread = std::sqrt(result.spread);
  return result;
}

Visits visits(Environment& environment, const Policy& policy, std::uint64_t seed,
              std::uint64_t first_episode, int horizon) {
  const Act act_so = [&policy](std::span<const double> x, std::span<double> action) {
    act(policy, x, action);
  };
  return visits_of(environment, act_so, tree_of(policy), seed, first_episode, horizon);
}

double steps_per_episode(const Visits& met) {
  std::size_t steps = 0;
  for (const LeafVisits& visits : met.by_leaf) steps += visits.size();
  return static_cast<double>(steps) / kVisitEpisodes;
}

Visits random_visits(Environment& environment, const Policy& policy, std::uint64_t seed,
                     std::uint64_t first_episode) {
  const ActionChooser choose =
      random_actions(policy.actions, episode_seed(seed, Purpose::Training, first_episode));
  const Act act_so = [&choose](std::span<const double>, std::span<double> action) {
    choose(action);
  };
  return visits_of(environment, act_so, tree_of(policy), seed, first_episode, kToTheEnd);
}

bool has_constant_features(const Visits& visits) {
  bool any = false;
  each_constant_feature(visits, [&any](std::size_t, std::size_t) { any = true; });
  return any;
}

void replace_constant_features(Visits& visits, const Visits& others) {
  each_constant_feature(visits, [&](std::size_t leaf, std::size_t feature) {
    const LeafVisits& values = others.by_leaf[leaf];
    for (std::size_t i = 0; i < visits.by_leaf[leaf].size() && !values.empty(); ++i)
      visits.by_leaf[leaf][i][feature] = values[i % values.size()][feature];
  });
}

}  // namespace icct
