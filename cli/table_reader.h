#pragma once

#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "icct/base/space.h"

namespace icct {

// How a line of input was written, so that the answer can be written the same way.
enum class RowStyle { Csv, JsonList, JsonObject };

struct Row {
  std::vector<double> values;  // in the order of the space
  RowStyle style = RowStyle::Csv;
};

// Reads observations line by line: CSV with or without a header of names (any order of columns), or
// JSON lines, lists in order or objects by name. null in JSON and nan in CSV mean "not known".
// Errors name the source and the line.
class TableReader {
 public:
  TableReader(std::istream& input, const Space& space, std::string source = "standard input")
      : input_(input), space_(space), source_(std::move(source)) {}

  std::optional<Row> next();                                   // nothing at the end
  [[noreturn]] void fail(const std::string& complaint) const;  // throws Error naming the line
  bool has_header() const { return !columns_.empty(); }

 private:
  bool read_header(const std::vector<std::string>& fields);
  std::vector<double> read_csv(const std::vector<std::string>& fields) const;
  Row read_json(const std::string& line) const;

  std::istream& input_;
  const Space& space_;
  std::string source_;
  std::vector<int> columns_;  // position in the space of each CSV column; empty without a header
  int line_ = 0;
  bool seen_csv_ = false;
};

// Fields of one CSV line; quotes as in RFC 4180.
std::vector<std::string> split_csv(const std::string& line);
std::string quote_csv(const std::string& field);  // quoted only where it must be

}  // namespace icct
