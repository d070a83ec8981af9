#include "icct/search/telling_episodes.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace icct {
namespace {

constexpr std::size_t kAtLeast = 16;
constexpr std::size_t kOneIn = 10;

// The best return minus the mean.
double regret_of(std::span<const double> returns) {
  const double mean =
      std::accumulate(returns.begin(), returns.end(), 0.0) / static_cast<double>(returns.size());
  return *std::ranges::max_element(returns) - mean;
}

}  // namespace

std::size_t TellingEpisodes::capacity() const {
  return std::max<std::size_t>(kAtLeast, seen_ / kOneIn);
}

void TellingEpisodes::note(std::uint64_t seed, std::span<const double> returns) {
  const auto is_known = [seed](const Told& told) { return told.seed == seed; };
  if (std::erase_if(told_, is_known) == 0) ++seen_;
  told_.push_back({seed, regret_of(returns), ++clock_});
  std::ranges::stable_sort(told_, std::greater<>(), &Told::regret);
  if (told_.size() > capacity()) told_.pop_back();
}

// Two strata: what is rare is played often, but counts as what it is.
std::vector<double> TellingEpisodes::weights(std::span<const std::uint64_t> seeds,
                                             std::span<const std::vector<double>> returns) const {
  std::vector<bool> is_telling(seeds.size());
  double telling = 0, others = 0;
  for (std::size_t e = 0; e < seeds.size(); ++e) {
    if (returns[e].empty()) continue;
    is_telling[e] = told_.size() < capacity() || regret_of(returns[e]) >= told_.back().regret ||
                    std::ranges::count(told_, seeds[e], &Told::seed) > 0;
    ++(is_telling[e] ? telling : others);
  }
  const double all = telling + others;
  double share = seen_ > 0 ? static_cast<double>(told_.size()) / static_cast<double>(seen_) : 1;
  if (telling == 0 || others == 0) share = telling / all;
  std::vector<double> weights(seeds.size());
  for (std::size_t e = 0; e < seeds.size(); ++e) {
    if (returns[e].empty()) continue;
    weights[e] = is_telling[e] ? share / telling : (1 - share) / others;
  }
  return weights;
}

std::vector<std::uint64_t> TellingEpisodes::due(std::size_t count) const {
  std::vector<Told> longest = told_;
  std::ranges::stable_sort(longest, {}, &Told::played);
  std::vector<std::uint64_t> seeds;
  for (const Told& told : longest) {
    if (seeds.size() < count) seeds.push_back(told.seed);
  }
  return seeds;
}

void TellingEpisodes::visit_state(StateArchive& archive) {
  archive.list("telling.told", told_);
  archive.value("telling.clock", clock_);
  archive.value("telling.seen", seen_);
}

}  // namespace icct
