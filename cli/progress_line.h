#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

#include "icct/run/run.h"

namespace icct {

// One line on standard error: rewritten in place on a terminal, a new one every few seconds
// elsewhere (a log).
class ProgressLine {
 public:
  ProgressLine();

  void show(const std::string& what, const RunProgress& progress);  // from any thread
  void end();

 private:
  void tell_incidents(const std::string& what, const std::vector<std::string>& incidents);

  std::mutex mutex_;
  bool terminal_;
  bool shown_ = false;
  std::map<std::string, std::size_t> told_;  // incidents, by what they belong to
  std::chrono::steady_clock::time_point last_;
};

}  // namespace icct
