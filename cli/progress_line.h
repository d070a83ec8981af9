#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "icct/run/run.h"

namespace icct {

// One line on standard error: rewritten in place on a terminal, a new one every few seconds
// elsewhere (a log). What goes wrong with simulators is told between, at once.
class ProgressLine {
 public:
  ProgressLine();

  // From any thread.
  void show(const std::string& what, const RunProgress& progress);
  void show(const std::string& text);
  void tell(const std::string& what, const std::string& incident);

  void end();

 private:
  std::mutex mutex_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace icct
