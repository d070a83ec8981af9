#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "icct/base/json.h"
#include "icct/run/run.h"

namespace icct {

// Several runs that differ in their seed only.
struct SeedsPlan {
  std::function<RunTask(std::uint64_t seed)> task;
  std::uint64_t first_seed = 0;
  std::filesystem::path folder;  // one folder per seed inside
  bool resume = false;
  int seeds = 5;
  int jobs = 1;  // runs at the same time; changes nothing but the speed
  std::function<bool()> stop = [] { return false; };
  // Called from several threads at once.
  std::function<void(std::uint64_t seed, const RunProgress&)> report = [](std::uint64_t,
                                                                          const RunProgress&) {};
  std::function<void(std::uint64_t seed, const std::string& incident)> tell =
      [](std::uint64_t, const std::string&) {};
};

std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed);

// The results in the order of the seeds, with summary.md and summary.json written beside the
// folders; empty if it was stopped. When a run fails the others are stopped and saved, and its
// Error is thrown.
std::optional<std::vector<RunResult>> run_seeds(const SeedsPlan& plan);

Json to_json(const RunResult& result);
Json summary_json(const RunTask& first, const std::vector<RunResult>& results);
std::string summary_text(const RunTask& first, const std::vector<RunResult>& results);

}  // namespace icct
