#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "icct/run/task.h"

namespace icct {

// What a watcher is told now and then.
struct RunProgress {
  std::int64_t steps = 0, budget = 0;
  double steps_per_second = 0;  // since this process took up the run, validations included
  double seconds = 0;           // since the beginning, earlier processes included
  std::string stage;            // empty before the first validation
  double validation = 0;        // mean return of the latest validation
  double best_validation = 0;
  int leaves = 0;
};

struct RunPlan {
  RunTask task;
  std::filesystem::path folder;
  bool resume = false;
  int jobs = 1;                                       // threads; changes nothing but the speed
  std::function<bool()> stop = [] { return false; };  // asked often: end soon, saving all?
  std::function<void(const RunProgress&)> report = [](const RunProgress&) {};
  // Called at once, from any thread but one at a time.
  TellIncident tell = [](const std::string&) {};
};

// The result of a run that reached its end.
struct RunResult {
  Policy policy;
  Evaluation fresh;  // on episodes that neither training nor selection has seen
  std::optional<double> published_protocol;
  double seconds = 0;  // wall-clock time of the whole run, resumed parts included
  std::int64_t steps = 0;
  std::vector<std::string> incidents;  // what went wrong with simulators, resumed parts included
};

// Learns, keeping the folder up to date (see RunDirectory), until the budget is spent; empty if it
// was stopped before. A run that was stopped or killed at any moment and resumed ends with the same
// policy, byte for byte. Throws Error if something cannot be read or written.
std::optional<RunResult> run(const RunPlan& plan);

}  // namespace icct
