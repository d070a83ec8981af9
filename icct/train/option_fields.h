#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "icct/base/json.h"

// Options of a run list their fields once, in visit_fields(options, visit), which calls visit(name,
// field, help) for each but the environment. From that list come options.json and the flags.
namespace icct {

// The flag of a field: "batch-size" for "batch_size".
inline std::string flag_of(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

template <class Options>
Json json_of_fields(const Options& options) {
  Json json = {{"environment", options.environment}};
  visit_fields(options,
               [&json](const char* name, const auto& field, const char*) { json[name] = field; });
  return json;
}

// Reads one field; the type of the field says what the file must hold.
struct FieldReader {
  const JsonReader& json;

  void operator()(const std::string& name, std::string& field, const char*) const {
    if (name == "from" && !json.has(name)) return;  // runs that began before there was this option
    field = json.at(name).string();
  }
  void operator()(const std::string& name, double& field, const char*) const {
    field = json.at(name).number();
  }
  void operator()(const std::string& name, bool& field, const char*) const {
    const JsonReader at = json.at(name);
    if (!at.value().is_boolean()) at.fail("expected true or false");
    field = at.value().get<bool>();
  }
  template <class Integer>
  void operator()(const std::string& name, Integer& field, const char*) const {
    const JsonReader at = json.at(name);
    const Json& value = at.value();
    const bool fits =
        value.is_number_unsigned()
            ? std::in_range<Integer>(value.get<std::uint64_t>())
            : value.is_number_integer() && std::in_range<Integer>(value.get<std::int64_t>());
    if (!fits) at.fail("expected a whole number");
    field = value.get<Integer>();
  }
};

// Every field must be there, and nothing else. Throws Error saying what and where.
template <class Options>
Options read_fields(const JsonReader& json) {
  Options options;
  options.environment = json.at("environment").string();
  visit_fields(options, FieldReader{json});
  for (const auto& [name, value] : json.members()) {
    bool known = name == "environment";
    visit_fields(options, [&known, &key = name](const char* field, const auto&, const char*) {
      known = known || key == field;
    });
    if (!known) value.fail("there is no such option");
  }
  return options;
}

// As a shell takes it for one word.
inline std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./:,=@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// " --leaves 4 --features all": the fields that are not as usual, and always the seed.
template <class Options>
std::string changed_flags(const Options& options, const Options& usual) {
  const Json theirs = json_of_fields(usual);
  std::string flags;
  visit_fields(options, [&](const char* name, const auto& field, const char*) {
    const Json value = field;
    if (theirs.at(name) == value && std::string_view(name) != "seed") return;
    flags += " --" + flag_of(name) + " " +
             shell_word(value.is_string() ? value.template get<std::string>() : value.dump());
  });
  return flags;
}

}  // namespace icct
