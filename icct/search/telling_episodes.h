#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "icct/base/state_archive.h"

namespace icct {

// Episodes in which some candidates of a search did much better than others: where a car missed its
// exit that others reached. Such episodes are rare, and decide what a policy is worth; played
// again, they tell more than new ones. The most telling tenth of all is known, but at least 16.
class TellingEpisodes {
 public:
  // What so many candidates earned in an episode. One that is known is judged anew.
  void note(std::uint64_t seed, std::span<const double> returns);

  // The `count` seeds among the most telling ones that have waited longest; fewer if so many are
  // not known.
  std::vector<std::uint64_t> due(std::size_t count) const;

  // How much each of these episodes counts in a mean that stands for all episodes, 1 in sum:
  // known ones, and new ones as telling as they are, together as much as there are of them among
  // all. `returns` are those of the candidates, by episode; one without returns does not count.
  std::vector<double> weights(std::span<const std::uint64_t> seeds,
                              std::span<const std::vector<double>> returns) const;

  void visit_state(StateArchive& archive);

 private:
  std::size_t capacity() const;
  struct Told {
    std::uint64_t seed;
    double regret;  // the best return minus the mean
    std::uint64_t played;
  };
  std::vector<Told> told_;  // the most telling first
  std::uint64_t clock_ = 0;
  std::uint64_t seen_ = 0;  // different episodes so far
};

}  // namespace icct
