#include "icct/search/telling_episodes.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace icct {
namespace {

constexpr std::size_t kKept = 16;

}  // namespace

void TellingEpisodes::note(std::uint64_t seed, std::span<const double> returns) {
  const double mean =
      std::accumulate(returns.begin(), returns.end(), 0.0) / static_cast<double>(returns.size());
  std::erase_if(told_, [seed](const Told& told) { return told.seed == seed; });
  told_.push_back({seed, *std::ranges::max_element(returns) - mean, ++clock_});
  std::ranges::stable_sort(told_, std::greater<>(), &Told::regret);
  if (told_.size() > kKept) told_.pop_back();
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
}

}  // namespace icct
