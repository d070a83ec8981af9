#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

#include "cli/episode_options.h"
#include "icct/run/task.h"

namespace icct {

// What all verbs that learn are told beside the options of what they learn.
struct RunArguments {
  std::string out;
  bool resume = false;
  bool json = false;
  int seeds = 1;
  int jobs = all_cores();
};

void add_run_flags(CLI::App& verb, RunArguments& arguments);

// Runs the task of every seed from `first_seed` on, in the folder or in one per seed inside it.
// Ctrl-C saves and ends; then `exit_code` is 1 and people are told how to go on with `verb`.
void run_command(const RunArguments& arguments, const std::string& verb, std::uint64_t first_seed,
                 const std::function<RunTask(std::uint64_t seed)>& task, int& exit_code);

}  // namespace icct
