#include "icct/search/race.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "icct/base/check.h"

namespace icct {
namespace {

struct Runner {
  const Policy* policy;
  std::size_t index;  // in the list of changes
  int kind = 0;
  std::vector<double> returns = {};
  double sum = 0;
};

// Plays `episodes` more for every runner.
void play(Workers& workers, std::vector<Runner>& runners, int episodes, std::uint64_t seed,
          std::uint64_t first_episode, RaceResult& result) {
  std::vector<Workers::Task> tasks;
  for (const Runner& runner : runners) {
    for (int e = 0; e < episodes; ++e) {
      const auto index = first_episode + static_cast<std::uint64_t>(e);
      tasks.push_back({runner.policy, episode_seed(seed, Purpose::Training, index)});
    }
  }
  const std::vector<Episode> results = workers.run(tasks);
  const std::vector<bool> whole = whole_episodes(results, episodes);
  for (std::size_t i = 0; i < results.size(); ++i) {
    result.steps += results[i].simulated;
    if (!whole[i % whole.size()]) continue;
    Runner& runner = runners[i / whole.size()];
    const double value = rankable(results[i].total_reward);
    runner.returns.push_back(value);
    runner.sum += value;
  }
  result.episodes += static_cast<std::int64_t>(tasks.size());
}

// The first runner is the present policy and always stays. Of every kind that is left, at least one
// does; the best come first.
void keep_best(std::vector<Runner>& runners, double share) {
  std::stable_sort(runners.begin() + 1, runners.end(),
                   [](const Runner& a, const Runner& b) { return a.sum > b.sum; });
  std::map<int, double> places;
  for (auto runner = runners.begin() + 1; runner != runners.end(); ++runner) ++places[runner->kind];
  for (auto& [kind, count] : places) count = std::max(1.0, std::ceil(share * count));
  runners.erase(std::remove_if(runners.begin() + 1, runners.end(),
                               [&](const Runner& runner) { return places[runner.kind]-- <= 0; }),
                runners.end());
}

Evaluation gains(std::vector<double> returns, std::span<const double> present) {
  for (std::size_t i = 0; i < returns.size(); ++i) returns[i] -= present[i];
  return summarise(std::move(returns));
}

}  // namespace

RaceResult race(Workers& workers, const Policy& present, std::vector<Change> changes,
                std::span<const RaceRound> rounds, std::uint64_t seed,
                std::uint64_t first_episode) {
  ICCT_CHECK(!changes.empty());
  std::vector<Runner> runners = {{.policy = &present, .index = 0}};
  for (std::size_t i = 0; i < changes.size(); ++i)
    runners.push_back({.policy = &changes[i].policy, .index = i, .kind = changes[i].kind});
  RaceResult result;
  for (const RaceRound& round : rounds) {
    play(workers, runners, round.episodes, seed, first_episode, result);
    first_episode += static_cast<std::uint64_t>(round.episodes);
    keep_best(runners, round.kept);
  }
  if (runners[0].returns.empty())
    throw all_lost(static_cast<int>(result.episodes), workers.environment());
  for (auto runner = runners.begin() + 1; runner != runners.end(); ++runner) {
    const Evaluation difference = gains(runner->returns, runners[0].returns);
    result.winners.push_back(
        {std::move(changes[runner->index]), difference.mean_return, difference.standard_error});
  }
  return result;
}

}  // namespace icct
