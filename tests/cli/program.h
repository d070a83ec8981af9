#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace icct {

struct ProgramResult {
  int exit_code;
  std::string out;
  std::string err;
};

// A folder of the test's own, removed with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = std::filesystem::temp_directory_path() / "icct_XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

inline void write_text(const std::string& file, const std::string& text) {
  std::ofstream(file) << text;
}

// Runs `icct <arguments>` in a shell, from the folder of the sources, with `input` on standard
// input.
inline ProgramResult run_icct(const std::string& arguments, const std::string& input = "") {
  const TemporaryFolder folder;
  write_text(folder / "in", input);
  const char* chosen = std::getenv("ICCT_PROGRAM");
  const std::string program = chosen != nullptr ? chosen : "build/release/icct";
  const std::string command = std::string("cd ") + ICCT_SOURCE_DIR + " && '" + program + "' " +
                              arguments + " < " + (folder / "in") + " > " + (folder / "out") +
                              " 2> " + (folder / "err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder / "out"),
          content_of(folder / "err")};
}

}  // namespace icct
