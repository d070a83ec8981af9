#include "icct/env/environment_spec.h"

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

namespace {

// Where the options begin. Folders of a file may have a colon in their names, too.
std::size_t find_options(const std::string& text) {
  constexpr std::string_view kFile = ".json";
  if (text.ends_with(kFile)) return std::string::npos;
  const std::size_t file = text.find(std::string(kFile) + ":");
  return file == std::string::npos ? text.find(':') : file + kFile.size();
}

}  // namespace

EnvironmentSpec parse_environment_spec(const std::string& text) {
  const std::size_t colon = find_options(text);
  EnvironmentSpec spec{.name = text.substr(0, colon), .options = {}};
  if (colon == std::string::npos) return spec;
  std::size_t begin = colon + 1;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string option = text.substr(begin, end - begin);
    const std::size_t equals = option.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == option.size()) {
      throw Error("environment '" + text + "': '" + option +
                  "' is no option; write NAME:KEY=VALUE,KEY=VALUE");
    }
    if (!spec.options.emplace(option.substr(0, equals), option.substr(equals + 1)).second)
      throw Error("environment '" + text + "': '" + option.substr(0, equals) + "' is given twice");
    begin = end + 1;
  }
  return spec;
}

std::string OptionReader::take(const std::string& key) {
  known_ += (known_.empty() ? "" : ", ") + key;
  const auto found = spec_.options.find(key);
  if (found == spec_.options.end()) return {};
  std::string value = found->second;
  spec_.options.erase(found);
  return value;
}

bool OptionReader::on_or_off(const std::string& key, bool otherwise) {
  const std::string value = take(key);
  if (value.empty()) return otherwise;
  if (value == "on") return true;
  if (value == "off") return false;
  throw Error("environment " + spec_.name + ": " + key + " is '" + value + "'; it is on or off");
}

double OptionReader::number(const std::string& key, double otherwise, double least, double most) {
  const std::string value = take(key);
  if (value.empty()) return otherwise;
  const std::optional<double> number = parse_number(value);
  if (number && *number >= least && *number <= most) return *number;
  throw Error("environment " + spec_.name + ": " + key + " is '" + value +
              "'; it is a number from " + rounded_text(least, 6) + " to " + rounded_text(most, 6));
}

void OptionReader::finish() const {
  if (spec_.options.empty()) return;
  throw Error("environment " + spec_.name + " has no option '" + spec_.options.begin()->first +
              "'; " + (known_.empty() ? "it has none" : "it has: " + known_));
}

}  // namespace icct
