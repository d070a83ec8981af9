#include "icct/env/sumo/json_ranges.h"

#include <cmath>

#include "icct/base/number.h"

namespace icct {

double number_in(const JsonReader& json, double least, double most) {
  const double value = json.number();
  if (!(value >= least && value <= most))
    json.fail("expected a number from " + exact_text(least) + " to " + exact_text(most));
  return value;
}

double positive(const JsonReader& json) {
  const double value = json.number();
  if (!(value > 0 && value <= kMany)) json.fail("expected a number above 0, at most 1e6");
  return value;
}

double positive_or(const JsonReader& json, const char* key, double otherwise) {
  return json.has(key) ? positive(json.at(key)) : otherwise;
}

int whole_number(const JsonReader& json, int least, int most) {
  const double value = json.number();
  if (!(value >= least && value <= most) || value != static_cast<int>(value))
    json.fail("expected a whole number from " + std::to_string(least) + " to " +
              std::to_string(most));
  return static_cast<int>(value);
}

double whole_milliseconds(const JsonReader& json, double least, double most) {
  const double seconds = number_in(json, least, most);
  if (std::abs(seconds * 1000 - std::round(seconds * 1000)) > 1e-6)
    json.fail("expected whole milliseconds, such as 0.1 or 0.025");
  return seconds;
}

}  // namespace icct
