#include "cli/table_reader.h"

#include <algorithm>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/base/number.h"

namespace icct {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

std::vector<std::string> split_csv(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) field = std::string(trimmed(field, kBlanks));
  return fields;
}

std::string quote_csv(const std::string& field) {
  if (field.find_first_of(",\" \t") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void TableReader::fail(const std::string& complaint) const {
  throw Error(source_ + ", line " + std::to_string(line_) + ": " + complaint);
}

// Takes the first CSV line as names unless all of it is numbers.
bool TableReader::read_header(const std::vector<std::string>& fields) {
  if (std::all_of(fields.begin(), fields.end(),
                  [](const auto& field) { return parse_number(field).has_value(); })) {
    return false;
  }
  for (const std::string& field : fields) {
    const std::optional<int> found = find_dimension(space_, field);
    if (!found) {
      fail("'" + field + "' is neither a number nor an observation; the observations are " +
           list_names(space_));
    }
    if (std::find(columns_.begin(), columns_.end(), *found) != columns_.end())
      fail("two columns are called " + field);
    columns_.push_back(*found);
  }
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (std::find(columns_.begin(), columns_.end(), static_cast<int>(i)) == columns_.end()) {
      fail("there is no column for observation '" + space_[i].name + "'");
    }
  }
  return true;
}

std::vector<double> TableReader::read_csv(const std::vector<std::string>& fields) const {
  if (fields.size() != space_.size()) {
    fail("expected " + std::to_string(space_.size()) + " numbers (" + list_names(space_) +
         "), found " + std::to_string(fields.size()));
  }
  std::vector<double> values(space_.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::optional<double> number = parse_number(fields[i]);
    if (!number) fail("'" + fields[i] + "' is not a number");
    values[has_header() ? static_cast<std::size_t>(columns_[i]) : i] = *number;
  }
  return values;
}

Row TableReader::read_json(const std::string& line) const {
  const std::string source = source_ + ", line " + std::to_string(line_);
  const Json json = parse_json(line, source);
  const JsonReader reader(json, source);
  Row row;
  if (json.is_array()) {
    row.style = RowStyle::JsonList;
    for (const JsonReader& element : reader.elements())
      row.values.push_back(element.number_or_null(kUnknown));
    if (row.values.size() != space_.size()) {
      fail("expected " + std::to_string(space_.size()) + " numbers, found " +
           std::to_string(row.values.size()));
    }
    return row;
  }
  row.style = RowStyle::JsonObject;
  for (const auto& [name, value] : reader.members()) {
    if (!find_dimension(space_, name)) {
      fail("there is no observation called '" + name + "'; the observations are " +
           list_names(space_));
    }
  }
  for (const Dimension& dimension : space_)
    row.values.push_back(reader.at(dimension.name).number_or_null(kUnknown));
  return row;
}

std::optional<Row> TableReader::next() {
  std::string line;
  while (std::getline(input_, line)) {
    ++line_;
    if (line_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // a byte-order mark
    line = std::string(trimmed(line, kBlanks));
    if (line.empty()) continue;
    if (line.front() == '[' || line.front() == '{') return read_json(line);
    const std::vector<std::string> fields = split_csv(line);
    const bool first = !std::exchange(seen_csv_, true);
    if (first && read_header(fields)) continue;
    return Row{.values = read_csv(fields), .style = RowStyle::Csv};
  }
  if (input_.bad()) fail("cannot be read");
  return std::nullopt;
}

}  // namespace icct
