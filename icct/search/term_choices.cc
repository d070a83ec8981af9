#include "icct/search/term_choices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace icct {
namespace {

// All features, those whose terms move the action most first.
std::vector<int> features_by_influence(const Policy& policy, const Visits& visits,
                                       std::size_t action) {
  const std::vector<Term>& terms = tree_of(policy).leaves[0].controllers[action].terms;
  std::vector<double> influence(policy.observations.size());
  for (const Term& term : terms) {
    const auto feature = static_cast<std::size_t>(term.feature);
    influence[feature] = std::abs(term.gain) * mean_and_spread(visits.by_leaf[0], feature).spread;
  }
  std::vector<int> features(influence.size());
  std::iota(features.begin(), features.end(), 0);
  std::stable_sort(features.begin(), features.end(), [&](int a, int b) {
    return influence[static_cast<std::size_t>(a)] > influence[static_cast<std::size_t>(b)];
  });
  return features;
}

// How many features to choose `count` from for at most `most` choices, but at least two choices.
int pool_size(int features, int count, int most) {
  int pool = count;
  double choices = 1;
  while (pool < features) {
    choices *= (pool + 1.0) / (pool + 1.0 - count);
    if (choices > most && pool > count) break;
    ++pool;
  }
  return pool;
}

// The controller with these features alone.
Controller restricted(const Controller& controller, const std::vector<int>& features,
                      const std::vector<std::vector<double>>& visits) {
  Controller result{.bias = controller.bias, .terms = {}};
  for (const int feature : features) result.terms.push_back({feature, 0});
  for (const Term& term : controller.terms) {
    const auto place = std::find(features.begin(), features.end(), term.feature);
    if (place != features.end())
      result.terms[static_cast<std::size_t>(place - features.begin())].gain = term.gain;
    else
      result.bias +=
          term.gain * mean_and_spread(visits, static_cast<std::size_t>(term.feature)).mean;
  }
  return result;
}

}  // namespace

std::vector<Change> term_choices(const Policy& policy, const Visits& visits, std::size_t action,
                                 int terms, int most) {
  std::vector<int> pool = features_by_influence(policy, visits, action);
  pool.resize(static_cast<std::size_t>(pool_size(static_cast<int>(pool.size()), terms, most)));
  const Controller& old = tree_of(policy).leaves[0].controllers[action];
  std::vector<Change> changes;
  std::vector<bool> chosen(pool.size());
  std::fill(chosen.begin(), chosen.begin() + terms, true);
  do {
    std::vector<int> features;
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (chosen[i]) features.push_back(pool[i]);
    }
    std::sort(features.begin(), features.end());
    Change change{policy,
                  name_of(tree_of(policy), {0, true}) + ": " + policy.actions[action].name + " by"};
    for (const int feature : features)
      change.what += " " + policy.observations[static_cast<std::size_t>(feature)].name;
    std::get<Tree>(change.policy.controller).leaves[0].controllers[action] =
        restricted(old, features, visits.by_leaf[0]);
    changes.push_back(std::move(change));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return changes;
}

}  // namespace icct
