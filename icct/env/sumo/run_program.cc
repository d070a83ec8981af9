#include "icct/env/sumo/run_program.h"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <sstream>

#include "icct/base/error.h"

namespace icct {
namespace {

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part{};
  lseek(file, 0, SEEK_SET);
  for (ssize_t n = 0; (n = read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(n));
  return text;
}

// Without what netconvert says whether it succeeds or fails.
std::string without_noise(const std::string& printed) {
  std::istringstream lines(printed);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.find("SUMO_HOME") != std::string::npos || line.starts_with("Quitting"))
      continue;
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

}  // namespace

void run_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  const int output = memfd_create("icct-output", MFD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) {
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  }
  pid_t pid = -1;
  const int problem =
      posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (problem == 0) waitpid(pid, &status, 0);
  const std::string printed = output < 0 ? "" : read_all(output);
  if (output >= 0) close(output);
  if (problem != 0) {
    throw Error("cannot run " + command[0] + ": " + std::strerror(problem) +
                "; is the package 'sumo' installed?");
  }
  if (status != 0) throw Error(command[0] + " failed: " + without_noise(printed));
}

}  // namespace icct
