#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <map>
#include <string>
#include <type_traits>

#include "icct/base/error.h"
#include "icct/train/option_fields.h"

namespace icct {

// Options by the name of their field, as typed.
using GivenOptions = std::map<std::string, std::string>;

// One flag per field of the options, with the help that belongs to it.
struct FlagAdder {
  CLI::App& verb;
  GivenOptions& given;

  template <class Field>
  void operator()(const char* name, const Field& field, const char* help) const {
    const Json usual = field;
    const std::string shown = usual.is_string() ? usual.get<std::string>() : usual.dump();
    verb.add_option_function<std::string>(
        "--" + flag_of(name),
        [&given = given, key = std::string(name)](const std::string& text) { given[key] = text; },
        std::string(help) + (shown.empty() ? "" : " [" + shown + "]"));
  }
};

// Parses what was typed for an option into its field.
struct FieldParser {
  const GivenOptions& given;

  void operator()(const char* name, std::string& field, const char*) const {
    if (const auto it = given.find(name); it != given.end()) field = it->second;
  }
  void operator()(const char* name, bool& field, const char*) const {
    const auto it = given.find(name);
    if (it == given.end()) return;
    if (it->second != "true" && it->second != "false") fail(name, it->second, "true or false");
    field = it->second == "true";
  }
  template <class Number>
  void operator()(const char* name, Number& field, const char*) const {
    const auto it = given.find(name);
    if (it == given.end()) return;
    const std::string& text = it->second;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), field);
    if (problem != std::errc() || end != text.data() + text.size())
      fail(name, text, std::is_integral_v<Number> ? "a whole number in range" : "a number");
  }
  [[noreturn]] static void fail(const std::string& name, const std::string& text,
                                const std::string& expected) {
    throw Error("option --" + flag_of(name) + ": '" + text + "' is not " + expected);
  }
};

}  // namespace icct
