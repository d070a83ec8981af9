#pragma once

#include <cstddef>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace icct {

using Json = nlohmann::ordered_json;  // keeps the order in which a file lists its keys

// Parses one JSON document, strictly: no comments, no duplicate keys, no number that does not fit a
// double, at most 200 levels deep, at most 10,000 keys per object. Throws Error that begins with
// `source` (a file name), with line and column where the syntax is wrong.
Json parse_json(std::string_view text, std::string_view source);

// Indented by two spaces; arrays and objects that fit on one line of 100 columns stay on it.
// Numbers read back as the same double. No trailing newline.
std::string write_json(const Json& value);

// A place in a parsed document: every complaint names the file and the path, e.g.
// "policy.json: tree.nodes.node3.threshold: expected a finite number, found \"abc\"".
class JsonReader {
 public:
  JsonReader(const Json& value, std::string source) : value_(&value), source_(std::move(source)) {}

  JsonReader at(std::string_view key) const;  // this must be an object that has `key`
  bool has(std::string_view key) const;       // this must be an object
  void allow_only(std::initializer_list<std::string_view> keys) const;
  std::vector<std::pair<std::string, JsonReader>> members() const;  // of an object, in file order
  std::vector<JsonReader> elements() const;                         // of an array

  std::string string() const;
  double number() const;  // finite
  double number_or_null(double if_null) const;
  std::vector<double> numbers() const;  // an array of finite numbers
  const Json& value() const { return *value_; }

  [[noreturn]] void fail(const std::string& complaint) const;

 private:
  JsonReader child(const Json& value, const std::string& step) const;
  void expect(bool is_expected, std::string_view what) const;

  const Json* value_;
  std::string source_;
  std::string path_;
};

}  // namespace icct
