#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icct/base/state_archive.h"
#include "icct/imitation/teacher.h"
#include "icct/nn/team.h"
#include "icct/rl/twin_critic.h"

namespace icct {

// How much it matters what is done at an observation, told by a critic of the teacher: the spread
// of the values of different actions there. The critic is learned from episodes in which the
// teacher acts most of the time and something else is tried now and then, so any teacher has one.
class ActionImportance {
 public:
  ActionImportance(const Environment& environment, const Teacher& teacher, std::uint64_t seed);

  bool learned() const { return updates_ >= kUpdates; }

  // One piece of work: a few episodes at first, then some updates. Environment steps taken
  // are returned.
  std::int64_t learn(Environment& environment);

  // That learning takes, to the end of the last episode.
  static constexpr std::int64_t kSteps = 20'000;

  // Of observations, one per row; not negative, in units of the return.
  std::vector<double> operator()(MatrixView<const double> observations);

  void visit_state(StateArchive& archive);

 private:
  static constexpr int kUpdates = 10'000;

  bool play_episode(Environment& environment);  // false if it was lost
  void update();

  const Teacher& teacher_;
  Space actions_;
  std::size_t observations_;
  std::uint64_t seed_;
  Rng rng_;
  Team team_;
  TwinCritic critic_;
  int updates_ = 0;
  std::uint64_t episodes_ = 0;
  // Transitions, row after row; actions scaled to [-1, 1]; the next action is the teacher's.
  std::vector<float> x_, a_, reward_, next_x_, next_a_, ends_;
};

// What samples of such importance count for: 1 in the mean, and each at least a little.
std::vector<double> sample_weights(std::span<const double> importance);

}  // namespace icct
