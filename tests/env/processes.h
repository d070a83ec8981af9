#pragma once

#include <sys/types.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace icct {

// Gone, or dead and waiting to be buried.
inline bool has_ended(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, program, state;
  return !(status >> number >> program >> state) || state == "Z";
}

// Within ten seconds.
inline bool ends(pid_t process) {
  for (int i = 0; i < 200 && !has_ended(process); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return has_ended(process);
}

}  // namespace icct
