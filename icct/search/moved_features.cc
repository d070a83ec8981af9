#include "icct/search/moved_features.h"

#include <algorithm>
#include <cmath>

#include "icct/env/conformance/recording.h"
#include "icct/search/visits.h"

namespace icct {
namespace {

// Sums for the correlation of an action with what a feature does in the step after it.
struct Pair {
  double action = 0, change = 0, actions = 0, changes = 0, products = 0;

  void add(double a, double d) {
    action += a;
    change += d;
    actions += a * a;
    changes += d * d;
    products += a * d;
  }

  double correlation(double count) const {
    const double spread = (actions - action * action / count) * (changes - change * change / count);
    return spread > 0 ? std::abs(products - action * change / count) / std::sqrt(spread) : 0;
  }
};

}  // namespace

std::vector<int> moved_features(Environment& environment, std::uint64_t seed,
                                std::uint64_t first_episode) {
  const std::size_t features = environment.observations().size();
  const std::size_t actions = environment.actions().size();
  std::vector<Pair> pairs(features * actions);
  double count = 0;
  const ActionChooser choose =
      random_actions(environment.actions(), episode_seed(seed, Purpose::Training, first_episode));
  for (std::uint64_t i = 0; i < kVisitEpisodes; ++i) {
    std::vector<double> before, done(actions);
    const Act act = [&](std::span<const double> x, std::span<double> action) {
      for (std::size_t f = 0; f < features && !before.empty(); ++f) {
        for (std::size_t a = 0; a < actions; ++a)
          pairs[f * actions + a].add(done[a], x[f] - before[f]);
      }
      if (!before.empty()) ++count;
      choose(action);
      before.assign(x.begin(), x.end());
      done.assign(action.begin(), action.end());
    };
    run_episode(environment, act, episode_seed(seed, Purpose::Training, first_episode + i));
  }
  std::vector<int> moved(actions);
  for (std::size_t a = 0; a < actions; ++a) {
    double most = -1;
    for (std::size_t f = 0; f < features; ++f) {
      const double correlation = pairs[f * actions + a].correlation(std::max(count, 1.0));
      if (correlation > most) moved[a] = static_cast<int>(f);
      most = std::max(most, correlation);
    }
  }
  return moved;
}

}  // namespace icct
