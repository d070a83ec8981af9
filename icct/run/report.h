#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/rollout/rollout.h"
#include "icct/train/progress.h"

namespace icct {

// A file of the run's folder and what it holds.
struct RunFile {
  std::string name;
  std::string content;
};

// What there is to say about a finished run.
struct RunReport {
  std::string title;         // e.g. "lunar_lander, 8 leaves"
  std::string command;       // repeats the run
  std::string options_json;  // all options of the run
  Progress progress;
  Policy policy;                  // the one kept
  int validation_episodes = 0;    // of one validation
  int final_episodes = 0;         // of the last comparison of the best; 0: there was none
  double validation_mean = 0;     // of `policy`, in the last comparison, or else in its validation
  std::int64_t kept_after = 0;    // environment steps when it was met
  Evaluation fresh;               // of `policy`, on episodes used for nothing else
  std::uint64_t report_seed = 0;  // of those episodes
  // The best mean of 5 episodes seen while training, the number published for such runs.
  std::optional<double> published_protocol;
  double seconds = 0;                       // wall-clock time of the whole run
  std::vector<std::string> incidents = {};  // what went wrong with simulators
  std::vector<RunFile> files;               // the report itself need not be among them
};

// The report as Markdown. It shows the picture learning_curve.svg of the same folder.
std::string to_markdown(const RunReport& report);

}  // namespace icct
