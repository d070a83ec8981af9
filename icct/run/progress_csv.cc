#include "icct/run/progress_csv.h"

#include <cmath>

#include "icct/base/check.h"
#include "icct/base/number.h"

namespace icct {
namespace {

// Quotes inside a quoted field are doubled.
std::string text_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_field(double value) {
  return std::isnan(value) ? "" : exact_text(value);
}

std::string line_of(const ProgressRow& row) {
  std::string line = std::to_string(row.steps) + "," + std::to_string(row.episodes) + "," +
                     number_field(row.seconds) + "," + text_field(row.stage);
  for (const double value : {row.training_return, row.validation_mean, row.validation_error,
                             row.validation_worst, row.best_validation})
    line += "," + number_field(value);
  line += "," + std::to_string(row.leaves) + "," + std::to_string(row.parameters);
  for (const double detail : row.details) line += "," + number_field(detail);
  return line + "\n";
}

}  // namespace

std::string to_csv(const Progress& progress) {
  std::string text =
      "steps,episodes,seconds,stage,training_return,validation_mean,validation_error,"
      "validation_worst,best_validation,leaves,parameters";
  for (const std::string& name : progress.detail_names) text += "," + text_field(name);
  text += "\n";
  for (const ProgressRow& row : progress.rows) {
    ICCT_CHECK(row.details.size() == progress.detail_names.size());
    text += line_of(row);
  }
  return text;
}

}  // namespace icct
