#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "icct/base/state_archive.h"
#include "icct/rollout/workers.h"
#include "icct/train/progress.h"

namespace icct {

// Where a learner stands when it shows a policy.
struct Standing {
  std::int64_t steps = 0;
  std::int64_t episodes = 0;
  std::string stage;
  double training_return = 0;
  std::vector<double> details = {};
};

// Chooses the policy to keep without deceiving itself: on validation episodes, which are neither
// trained nor reported on. The best few are compared again at the end on more of them, since the
// best of many noisy means was also lucky.
class Selection {
 public:
  // `fits` tells a policy of the shape that was asked for; until there is one, any is kept.
  using Fits = std::function<bool(const Policy&)>;
  Selection(std::uint64_t seed, int episodes, std::vector<std::string> detail_names, Fits fits);

  // Validates a policy and adds a row to the progress.
  Evaluation consider(Workers& workers, const Policy& policy, const Standing& standing);

  // Writes the wall-clock time into the rows that have none yet.
  void stamp(double seconds);

  // Compares the finalists on up to eight times as many other validation episodes: in rounds, from
  // each of which the better half goes on. A single one has won already.
  void decide(Workers& workers);

  bool empty() const { return finalists_.empty(); }
  bool best_fits() const { return !empty() && finalists_.front().fits; }
  const Policy& best() const { return finalists_.front().policy; }
  double best_validation() const { return finalists_.front().mean; }
  std::int64_t best_steps() const { return finalists_.front().steps; }  // when it was met
  // The protocol of the published results: the best mean of five episodes met while learning, if
  // validations have as many.
  std::optional<double> published_protocol() const { return published_; }
  const Progress& progress() const { return progress_; }
  int episodes() const { return episodes_; }      // of a validation
  int final_episodes() const { return played_; }  // that the best was chosen by in the end; 0: none

  void visit_state(StateArchive& archive);

 private:
  struct Finalist {
    Policy policy;
    double mean = 0, error = 0;  // of the validation, and its standard error
    std::int64_t steps = 0;      // when it was validated
    int parameters = 0;
    bool fits = false;
    int counted = 0;  // final episodes in the mean
  };
  void note_published(const Evaluation& validation);
  void enter(const Policy& policy, const Evaluation& validation, std::int64_t steps);
  static void sort(std::span<Finalist> finalists);
  void play_final(Workers& workers, std::size_t playing, int played, int until);

  std::uint64_t seed_;
  int episodes_;
  Fits fits_;
  std::vector<Finalist> finalists_;  // the best first
  int played_ = 0;                   // final episodes of the best
  std::optional<double> published_;
  Progress progress_;
};

}  // namespace icct
