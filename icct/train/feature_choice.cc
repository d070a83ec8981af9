#include "icct/train/feature_choice.h"

#include <algorithm>

#include "icct/search/term_choices.h"

namespace icct {
namespace {

constexpr double kChoiceEpisodes = 600;  // for each contestant, to try all choices
constexpr double kFirstRound = 0.5;      // of the steps of a tournament, about
constexpr double kStepFromGains = 0.3;   // first steps of the searches
constexpr double kStepFromNothing = 0.1;

std::size_t terms_of(const Policy& leaf, std::size_t action) {
  return tree_of(leaf).leaves[0].controllers[action].terms.size();
}

// The action with most terms.
std::size_t widest_action(const Policy& leaf) {
  std::size_t widest = 0;
  for (std::size_t action = 1; action < leaf.actions.size(); ++action) {
    if (terms_of(leaf, action) > terms_of(leaf, widest)) widest = action;
  }
  return widest;
}

// The number of ways to choose k of n.
double binomial(std::size_t n, std::size_t k) {
  double result = 1;
  for (std::size_t i = 0; i < k; ++i)
    result *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  return result;
}

Policy with_nothing(Policy leaf, std::size_t action) {
  Controller& controller = std::get<Tree>(leaf.controller).leaves[0].controllers[action];
  controller.bias = 0;
  for (Term& term : controller.terms) term.gain = 0;
  return leaf;
}

}  // namespace

int terms_over(const Tree& tree, int features) {
  int result = 0;
  for (const Leaf& leaf : tree.leaves) {
    for (const Controller& controller : leaf.controllers)
      result += std::max(0, static_cast<int>(controller.terms.size()) - features);
  }
  return result;
}

std::vector<Contestant> feature_choices(const Policy& leaf, const Visits& met,
                                        const std::vector<double>& spread,
                                        const std::vector<double>& idle_spread, int features,
                                        double steps) {
  const std::size_t action = widest_action(leaf);
  const auto terms = static_cast<int>(terms_of(leaf, action));
  const double episode = static_cast<double>(met.by_leaf[0].size()) / kVisitEpisodes;
  const double all = binomial(leaf.observations.size(), static_cast<std::size_t>(features));
  const double share = static_cast<double>(terms - features) / terms_over(tree_of(leaf), features);
  const bool try_all = 2 * all * kChoiceEpisodes * episode <= kFirstRound * share * steps;
  const std::vector<Change> changes =
      try_all ? term_choices(leaf, met, action, features, static_cast<int>(all))
              : term_choices(leaf, met, action, terms - 1, terms);
  std::vector<Contestant> result;
  for (const Change& change : changes) {
    result.push_back({change.policy, spread, kStepFromGains});
    if (try_all)
      result.push_back({with_nothing(change.policy, action), idle_spread, kStepFromNothing});
  }
  return result;
}

}  // namespace icct
