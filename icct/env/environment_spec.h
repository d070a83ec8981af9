#pragma once

#include <map>
#include <string>

namespace icct {

// An environment and its options as a user writes them: "figure8:junction_check=on,noise=off".
struct EnvironmentSpec {
  std::string name;  // also a file
  std::map<std::string, std::string> options;
};

// Throws Error where an option is not KEY=VALUE or is given twice.
EnvironmentSpec parse_environment_spec(const std::string& text);

// Takes the options of a spec one by one; what is left over at the end is an error.
class OptionReader {
 public:
  explicit OptionReader(EnvironmentSpec spec) : spec_(std::move(spec)) {}

  bool on_or_off(const std::string& key, bool otherwise);
  double number(const std::string& key, double otherwise, double least, double most);

  // Throws Error listing the options that there are.
  void finish() const;

 private:
  std::string take(const std::string& key);  // "" if it is not there

  EnvironmentSpec spec_;
  std::string known_;
};

}  // namespace icct
