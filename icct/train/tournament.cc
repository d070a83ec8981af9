#include "icct/train/tournament.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

// How a first search looks around: in units of the observations themselves or of their spread.
struct Start {
  bool unit_scale;
  double first_step;
};
constexpr Start kStarts[] = {{true, 1.0},  {false, 0.1}, {true, 0.5},
                             {false, 0.3}, {true, 1.0},  {false, 0.1}};
constexpr double kLaterStep = 0.3;  // of searches that go on
constexpr int kMaxEpisodes = 8;     // per candidate

std::size_t survivors_of(std::size_t searches) {
  return searches / 2;
}

// Steps for each search of the first round so that all rounds together spend `steps`.
double first_budget(std::size_t searches, std::int64_t steps, double later) {
  double total = 0;
  for (double each = 1; searches > 0; searches = survivors_of(searches), each *= later)
    total += each * static_cast<double>(searches);
  return static_cast<double>(steps) / total;
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
  const std::size_t limit = survivors_of(searches.size());
  std::vector<Policy> kept;
  for (std::size_t i = 0; i < searches.size() && kept.size() < limit; ++i) {
    if (i == 0 || !same_optimum(searches[i - 1], searches[i])) kept.push_back(searches[i].best());
  }
  return kept;
}

}  // namespace

std::vector<Contestant> first_leaves(Environment& environment, const Policy& nothing,
                                     std::uint64_t seed) {
  const std::vector<double> spread = feature_spread(environment, nothing, seed);
  const std::vector<double> unit(spread.size(), 1.0);
  std::vector<Contestant> result;
  for (const Start& start : kStarts)
    result.push_back({nothing, start.unit_scale ? unit : spread, start.first_step});
  return result;
}

Tournament::Tournament(const std::vector<Contestant>& contestants, const TournamentOptions& options,
                       std::uint64_t seed, std::uint64_t first_stream)
    : options_(options),
      each_(first_budget(contestants.size(), options.steps, options.later)),
      seed_(seed),
      next_stream_(first_stream) {
  ICCT_CHECK(!contestants.empty());
  best_ = contestants.front().policy;
  for (const Contestant& c : contestants)
    searches_.emplace_back(c.policy, even_space(tree_of(c.policy), c.spread),
                           search_options(c.first_step), seed, next_stream_++);
}

Tournament::Tournament(StateArchive& archive) {
  visit_state(archive);
}

EvolveOptions Tournament::search_options(double first_step) const {
  return {.steps = static_cast<std::int64_t>(std::max(1.0, each_)),
          .first_step = first_step,
          .min_episodes = options_.episodes,
          .max_episodes = kMaxEpisodes,
          .validate_every = 20,
          .covariance = options_.covariance};
}

void Tournament::advance(Workers& workers, const Consider& consider) {
  Evolution& search = searches_[current_];
  const EvolveProgress before = search.progress();
  if (options_.starts_count && before.generation == 0) search.judge(consider(search.centre(), NAN));
  search.advance(workers);
  steps_ += search.progress().steps - before.steps;
  episodes_ += search.progress().episodes_run - before.episodes_run;
  if (!search.due()) return;
  search.judge(consider(search.centre(), search.progress().candidates));
  if (search.finished() && ++current_ == searches_.size()) end_round(workers.environment());
}

void Tournament::end_round(Environment& environment) {
  const bool last = searches_.size() == 1;
  const std::vector<Policy> kept =
      last ? std::vector{searches_[0].best()} : survivors(std::move(searches_));
  best_ = kept.front();
  searches_.clear();
  current_ = 0;
  if (last) return;
  each_ *= options_.later;
  for (const Policy& policy : kept) {
    searches_.emplace_back(policy,
                           even_space(tree_of(policy), feature_spread(environment, policy, seed_)),
                           search_options(kLaterStep), seed_, next_stream_++);
  }
}

void Tournament::visit_state(StateArchive& archive) {
  archive.value("tournament.steps", steps_);
  archive.value("tournament.episodes", episodes_);
  archive.value("tournament.each", each_);
  archive.value("tournament.options", options_);
  archive.value("tournament.seed", seed_);
  archive.value("tournament.next_stream", next_stream_);
  archive.value("tournament.current", current_);
  visit_policy(archive, "tournament.best", best_);
  std::uint64_t count = searches_.size();
  archive.value("tournament.searches", count);
  if (archive.reading()) {
    searches_.clear();
    for (std::uint64_t i = 0; i < count; ++i) searches_.emplace_back(archive);
  } else {
    for (Evolution& search : searches_) search.visit_state(archive);
  }
}

}  // namespace icct
