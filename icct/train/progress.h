#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace icct {

// Where a run stands at one validation: a row of progress.csv.
struct ProgressRow {
  std::int64_t steps = 0;       // environment steps spent on learning so far
  std::int64_t episodes = 0;    // training episodes so far
  double seconds = 0;           // wall-clock time spent so far, resumed parts included
  std::string stage;            // what the learner was doing, e.g. "grow"
  double training_return = 0;   // mean of the latest training episodes; NaN if there were none
  double validation_mean = 0;   // of the present policy, on validation episodes
  double validation_error = 0;  // standard error of that mean
  double validation_worst = 0;
  double best_validation = 0;   // mean of the policy kept so far
  int leaves = 0;               // of the present policy; 0 for a network
  int parameters = 0;           // of the present policy
  std::vector<double> details;  // one number per name in Progress::detail_names
};

// The history of a run.
struct Progress {
  std::vector<std::string> detail_names;  // e.g. {"critic_loss", "entropy"}
  std::vector<ProgressRow> rows;          // steps do not decrease
};

}  // namespace icct
