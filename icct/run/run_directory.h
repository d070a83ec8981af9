#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "icct/run/event_file.h"
#include "icct/run/run.h"
#include "icct/run/task.h"
#include "icct/train/learner.h"

namespace icct {

// The folder of a run. It holds, from the first moments on:
//   options.json   what is learned, written once
//   policy.json    the best policy so far, replaced in one step
//   progress.csv   one row per validation
//   events.out.tfevents.icct  the same for TensorBoard
//   checkpoint     everything needed to continue
//   road.json      of an environment that a file describes, that file
//   incidents.txt  what went wrong with simulators, one line each, if anything did
// and at the end learning_curve.svg and report.md. Every function throws Error naming the file and
// the reason, e.g. a full disk; files written before stay as they were.
class RunDirectory {
 public:
  // Creates the folder and options.json. Throws Error if the folder holds a run already, unless
  // `resume` is set; then its options and its road must be the same. No two processes can hold a
  // folder.
  RunDirectory(std::filesystem::path folder, const RunTask& task, bool resume);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  // Continues from the checkpoint, if there is one, and with the incidents of earlier processes.
  void restore(Learner& learner);

  void write_progress(Learner& learner);  // policy, rows and events that are new
  void write_checkpoint(Learner& learner);
  void write_report(Learner& learner, const RunResult& result);

  // Written down at once, whatever becomes of this process.
  void add_incident(const std::string& incident);
  const std::vector<std::string>& incidents() const { return incidents_; }

  const std::filesystem::path& folder() const { return folder_; }

 private:
  void lock();
  void check_options(bool resume);
  void keep_road();

  std::filesystem::path folder_;
  RunTask task_;
  std::string options_text_;
  int lock_ = -1;
  std::optional<EventFile> events_;
  std::size_t rows_written_ = 0;
  std::optional<Policy> written_;
  std::vector<std::string> incidents_;
};

// The options of a run that was begun, as its task has them; throws Error if there is none in the
// folder.
Json options_of_run(const std::filesystem::path& folder);

}  // namespace icct
