#include "icct/train/first_leaf.h"

#include <algorithm>
#include <cmath>

#include "icct/policy/policy_file.h"

namespace icct {
namespace {

// How a search looks around at first: in units of the observations themselves or of their spread.
// Which is better depends on the task, so both are tried.
struct Start {
  bool unit_scale;
  double first_step;
};
constexpr Start kStarts[] = {{true, 1.0},  {false, 0.1}, {true, 0.5},
                             {false, 0.3}, {true, 1.0},  {false, 0.1}};
constexpr double kLaterStep = 0.3;  // of searches that go on

// Six searches, then three, then one: shares of the budget for each of them.
double share(std::size_t searches) {
  return searches > 3 ? 0.07 : searches > 1 ? 0.12 : 0.22;
}

EvolveOptions options(double budget, double first_step) {
  return {.steps = static_cast<std::int64_t>(std::max(1.0, budget)),
          .first_step = first_step,
          .min_episodes = 4,
          .max_episodes = 8,
          .validate_every = 20};
}

bool same_optimum(const Evolution& a, const Evolution& b) {
  const double x = a.progress().best_validation;
  const double y = b.progress().best_validation;
  return std::abs(x - y) <= 1e-4 * std::abs(x);
}

// The better half, one of each optimum.
std::vector<Policy> survivors(std::vector<Evolution> searches) {
  std::stable_sort(searches.begin(), searches.end(), [](const Evolution& a, const Evolution& b) {
    return a.progress().best_validation > b.progress().best_validation;
  });
  const std::size_t limit = searches.size() / 2;
  std::vector<Policy> kept;
  for (std::size_t i = 0; i < searches.size() && kept.size() < limit; ++i) {
    if (i == 0 || !same_optimum(searches[i - 1], searches[i])) kept.push_back(searches[i].best());
  }
  return kept;
}

}  // namespace

FirstLeaf::FirstLeaf(Environment& environment, const Policy& nothing, std::int64_t steps,
                     std::uint64_t seed)
    : budget_(steps), seed_(seed), best_(nothing) {
  const std::vector<double> spread = feature_spread(environment, nothing, seed);
  const std::vector<double> unit(spread.size(), 1.0);
  const double each = share(std::size(kStarts)) * static_cast<double>(steps);
  for (const Start& start : kStarts) {
    searches_.emplace_back(nothing, start.unit_scale ? unit : spread,
                           options(each, start.first_step), seed, streams_++);
  }
}

FirstLeaf::FirstLeaf(StateArchive& archive) {
  visit_state(archive);
}

void FirstLeaf::advance(Workers& workers, const Consider& consider) {
  Evolution& search = searches_[current_];
  const EvolveProgress before = search.progress();
  search.advance(workers);
  steps_ += search.progress().steps - before.steps;
  episodes_ += search.progress().episodes_run - before.episodes_run;
  if (!search.due()) return;
  search.judge(consider(search.centre(), search.progress().candidates));
  if (search.finished() && ++current_ == searches_.size()) end_round(workers.environment());
}

void FirstLeaf::end_round(Environment& environment) {
  const bool last = searches_.size() == 1;
  const std::vector<Policy> kept =
      last ? std::vector{searches_[0].best()} : survivors(std::move(searches_));
  best_ = kept.front();
  searches_.clear();
  current_ = 0;
  if (last) return;
  const double each = share(kept.size()) * static_cast<double>(budget_);
  for (const Policy& policy : kept) {
    searches_.emplace_back(policy, feature_spread(environment, policy, seed_),
                           options(each, kLaterStep), seed_, streams_++);
  }
}

void FirstLeaf::visit_state(StateArchive& archive) {
  archive.value("first_leaf.budget", budget_);
  archive.value("first_leaf.steps", steps_);
  archive.value("first_leaf.episodes", episodes_);
  archive.value("first_leaf.seed", seed_);
  archive.value("first_leaf.streams", streams_);
  archive.value("first_leaf.current", current_);
  visit_policy(archive, "first_leaf.best", best_);
  std::uint64_t count = searches_.size();
  archive.value("first_leaf.searches", count);
  if (archive.reading()) {
    searches_.clear();
    for (std::uint64_t i = 0; i < count; ++i) searches_.emplace_back(archive);
  } else {
    for (Evolution& search : searches_) search.visit_state(archive);
  }
}

}  // namespace icct
