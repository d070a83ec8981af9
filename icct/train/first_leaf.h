#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "icct/search/evolve.h"

namespace icct {

// Finds a first controller, a single leaf, from nothing: several direct searches start from "do
// nothing" with different scales, and the better half goes on, round after round. Of searches that
// have run into the same optimum only one goes on, so that an easy false one cannot crowd out the
// rest.
class FirstLeaf {
 public:
  // Validates a policy; called with the mean return of the latest candidates.
  using Consider = std::function<Evaluation(const Policy&, double candidates)>;

  // `nothing`: the leaf to start from. Spends about `steps` environment steps.
  FirstLeaf(Environment& environment, const Policy& nothing, std::int64_t steps,
            std::uint64_t seed);
  explicit FirstLeaf(StateArchive& archive);  // as saved by visit_state

  bool finished() const { return searches_.empty(); }
  void advance(Workers& workers, const Consider& consider);  // one generation

  const Policy& best() const { return best_; }
  std::int64_t steps() const { return steps_; }
  std::int64_t episodes() const { return episodes_; }
  std::uint64_t streams() const { return streams_; }  // of searches, used up from 0
  void visit_state(StateArchive& archive);

 private:
  void end_round(Environment& environment);

  std::int64_t budget_ = 0, steps_ = 0, episodes_ = 0;
  std::uint64_t seed_ = 0, streams_ = 0, current_ = 0;
  std::vector<Evolution> searches_;  // of this round
  Policy best_;
};

}  // namespace icct
