#include "icct/rollout/together.h"

#include <algorithm>
#include <bit>

namespace icct {
namespace {

using Group = std::vector<std::size_t>;  // of policies

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class Drive {
 public:
  Drive(Environment& environment, std::span<const Policy* const> policies, int horizon)
      : environment_(environment),
        policies_(policies),
        horizon_(horizon),
        actions_(policies.size(), std::vector<double>(environment.actions().size())),
        episodes_(policies.size()) {}

  std::vector<Episode> run(std::uint64_t seed) {
    std::vector<double> x(environment_.observations().size());
    Group all(policies_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    environment_.reset(seed, x);
    go_on(std::move(all), std::move(x), {});
    return std::move(episodes_);
  }

 private:
  // From x on, after what the group did so far.
  void go_on(Group group, std::vector<double> x, Episode episode) {
    do {
      for (const std::size_t i : group) act(*policies_[i], x, actions_[i]);
      if (parts(group)) {
        std::vector<Group> ways = ways_of(group);
        group = std::move(ways.back());
        ways.pop_back();
        for (Group& way : ways) {
          environment_.keep_moment();
          go_on(std::move(way), x, episode);
          environment_.return_to_moment();
          episode.simulated = 0;  // the first way counts what all of them share
        }
      }
    } while (play_step(environment_, actions_[group.front()], x, horizon_, episode));
    finish(environment_, episode);
    for (const std::size_t i : group) {
      episodes_[i] = episode;
      episode.simulated = 0;
    }
  }

  bool alike(std::size_t i, std::size_t j) const {
    return std::ranges::equal(actions_[i], actions_[j], same_bits);
  }

  bool parts(const Group& group) const {
    return !std::ranges::all_of(group, [&](std::size_t i) { return alike(i, group.front()); });
  }

  // The largest last, which goes on without a moment kept: so there are never many.
  std::vector<Group> ways_of(const Group& group) const {
    std::vector<Group> ways;
    for (const std::size_t i : group) {
      const auto way =
          std::ranges::find_if(ways, [&](const Group& other) { return alike(i, other.front()); });
      if (way == ways.end())
        ways.push_back({i});
      else
        way->push_back(i);
    }
    std::ranges::stable_sort(ways, {}, &Group::size);
    return ways;
  }

  Environment& environment_;
  std::span<const Policy* const> policies_;
  int horizon_;
  std::vector<std::vector<double>> actions_;  // by policy
  std::vector<Episode> episodes_;             // likewise
};

}  // namespace

std::vector<Episode> run_together(Environment& environment, std::span<const Policy* const> policies,
                                  std::uint64_t seed, int horizon) {
  return Drive(environment, policies, horizon).run(seed);
}

}  // namespace icct
