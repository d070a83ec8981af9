#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "icct/search/evolve.h"

namespace icct {

// A policy that enters a tournament, and how the search of its numbers looks around at first.
struct Contestant {
  Policy policy;
  std::vector<double> spread;  // of every observation, see even_space
  double first_step;
};

// "Do nothing" several times, with the different scales that different tasks ask for.
std::vector<Contestant> first_leaves(Environment& environment, const Policy& nothing,
                                     std::uint64_t seed);

struct TournamentOptions {
  std::int64_t steps = 0;     // environment steps to spend, about
  double later = 1;           // steps for each search of a round over those of the round before
  int episodes = 4;           // per candidate of a search, at least
  bool starts_count = false;  // contestants may win as they are, without what their search found
  Covariance covariance = Covariance::Full;  // of the searches
};

// Finds the best of several policies when each is worth only what its numbers, well chosen, make of
// it: all are searched for a while, and the better half goes on, round after round, until one is
// left. Of searches that have run into the same optimum only one goes on, so that an easy false one
// cannot crowd out the rest.
class Tournament {
 public:
  // Validates a policy; called with the mean return of the latest candidates.
  using Consider = std::function<Evaluation(const Policy&, double candidates)>;

  // `contestants` must not be empty. Searches use the streams of training episodes from
  // `first_stream` on.
  Tournament(const std::vector<Contestant>& contestants, const TournamentOptions& options,
             std::uint64_t seed, std::uint64_t first_stream);
  explicit Tournament(StateArchive& archive);  // as saved by visit_state

  bool finished() const { return searches_.empty(); }
  void advance(Workers& workers, const Consider& consider);  // one generation

  const Policy& best() const { return best_; }  // of the rounds that have ended
  std::int64_t steps() const { return steps_; }
  std::int64_t episodes() const { return episodes_; }
  std::uint64_t next_stream() const { return next_stream_; }  // the first that is not used up
  void visit_state(StateArchive& archive);

 private:
  EvolveOptions search_options(double first_step) const;
  void end_round(Environment& environment);

  TournamentOptions options_{};
  std::int64_t steps_ = 0, episodes_ = 0;
  double each_ = 0;  // steps for each search of this round
  std::uint64_t seed_ = 0, next_stream_ = 0, current_ = 0;
  std::vector<Evolution> searches_;  // of this round
  Policy best_;
};

}  // namespace icct
