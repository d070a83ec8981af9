#include "icct/base/json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxKeys = 10'000;  // per object; looking a key up takes time in proportion
constexpr std::size_t kLineWidth = 100;

// What the parser's own message says after its bracketed code, e.g. "parse error at line 3, column
// 7: ...".
std::string without_code(const std::string& what) {
  const std::size_t end = what.find("] ");
  return end == std::string::npos ? what : what.substr(end + 2);
}

// Rejects what the grammar allows but a policy must not hold: duplicate keys and bottomless
// nesting.
class StrictCallback {
 public:
  explicit StrictCallback(std::string source) : source_(std::move(source)) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    const bool opens =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (opens && depth >= kMaxDepth) {
      throw Error(source_ + ": nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key &&
        !keys_.back().insert(parsed.get<std::string>()).second) {
      throw Error(source_ + ": the key " + parsed.dump() +
                  " appears twice in one object; keep one of them");
    }
    if (event == Json::parse_event_t::key && keys_.back().size() > kMaxKeys) {
      throw Error(source_ + ": an object has more than " + std::to_string(kMaxKeys) + " keys");
    }
    return true;
  }

 private:
  std::string source_;
  std::vector<std::set<std::string>> keys_;
};

std::string one_line(const Json& value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    return number == 0 && std::signbit(number)
               ? "-0.0"
               : exact_text(number);  // "-0" would read as an integer
  }
  if (!value.is_structured()) return value.dump();
  std::string text(1, value.is_array() ? '[' : '{');
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (item != value.begin()) text += ", ";
    if (value.is_object()) text += Json(item.key()).dump() + ": ";
    text += one_line(*item);
  }
  return text + (value.is_array() ? ']' : '}');
}

void write_indented(const Json& value, std::size_t indent, std::size_t used, std::string& text) {
  const std::string flat = one_line(value);
  if (!value.is_structured() || value.empty() || indent + used + flat.size() <= kLineWidth) {
    text += flat;
    return;
  }
  const std::string margin(indent + 2, ' ');
  text += value.is_array() ? '[' : '{';
  for (auto item = value.begin(); item != value.end(); ++item) {
    text += (item == value.begin() ? "\n" : ",\n") + margin;
    std::string key;
    if (value.is_object()) key = Json(item.key()).dump() + ": ";
    text += key;
    write_indented(*item, indent + 2, key.size() + 1, text);
  }
  text += "\n" + std::string(indent, ' ') + (value.is_array() ? ']' : '}');
}

}  // namespace

Json parse_json(std::string_view text, std::string_view source) {
  StrictCallback strict{std::string(source)};
  try {
    return Json::parse(text, [&strict](int depth, Json::parse_event_t event, Json& parsed) {
      return strict(depth, event, parsed);
    });
  } catch (const nlohmann::json::exception& problem) {
    throw Error(std::string(source) + ": not valid JSON: " + without_code(problem.what()));
  }
}

std::string write_json(const Json& value) {
  try {
    std::string text;
    write_indented(value, 0, 0, text);
    return text;
  } catch (const nlohmann::json::exception& problem) {
    throw Error("cannot write JSON: " + without_code(problem.what()));  // text that is not UTF-8
  }
}

void JsonReader::fail(const std::string& complaint) const {
  throw Error(source_ + ": " + (path_.empty() ? "" : path_ + ": ") + complaint);
}

JsonReader JsonReader::child(const Json& value, const std::string& step) const {
  JsonReader reader(value, source_);
  const bool is_index = step.front() == '[';
  reader.path_ = path_.empty() || is_index ? path_ + step : path_ + "." + step;
  return reader;
}

void JsonReader::expect(bool is_expected, std::string_view what) const {
  if (is_expected) return;
  std::string found =
      value_->is_structured() ? std::string("an ") + value_->type_name() : value_->dump();
  if (found.size() > 60) found = found.substr(0, 60) + "...";
  fail("expected " + std::string(what) + ", found " + found);
}

bool JsonReader::has(std::string_view key) const {
  expect(value_->is_object(), "an object");
  return value_->contains(key);
}

JsonReader JsonReader::at(std::string_view key) const {
  if (!has(key)) fail("\"" + std::string(key) + "\" is missing");
  return child(value_->at(std::string(key)), std::string(key));
}

void JsonReader::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, reader] : members()) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    std::string known;
    for (const std::string_view name : keys)
      known += (known.empty() ? "" : ", ") + std::string(name);
    fail("unknown key \"" + key + "\"; known: " + known);
  }
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
  expect(value_->is_object(), "an object");
  std::vector<std::pair<std::string, JsonReader>> result;
  for (auto item = value_->begin(); item != value_->end(); ++item) {
    result.emplace_back(item.key(), child(*item, item.key().empty() ? "\"\"" : item.key()));
  }
  return result;
}

std::vector<JsonReader> JsonReader::elements() const {
  expect(value_->is_array(), "a list");
  std::vector<JsonReader> result;
  for (std::size_t i = 0; i < value_->size(); ++i) {
    result.push_back(child((*value_)[i], "[" + std::to_string(i) + "]"));
  }
  return result;
}

std::string JsonReader::string() const {
  expect(value_->is_string(), "a text in quotes");
  return value_->get<std::string>();
}

double JsonReader::number() const {
  expect(value_->is_number() && std::isfinite(value_->get<double>()), "a finite number");
  return value_->get<double>();
}

double JsonReader::number_or_null(double if_null) const {
  return value_->is_null() ? if_null : number();
}

std::vector<double> JsonReader::numbers() const {
  std::vector<double> result;
  for (const JsonReader& element : elements()) result.push_back(element.number());
  return result;
}

}  // namespace icct
