#include "icct/base/option_range.h"

#include <cmath>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

void refuse_option(std::string_view field, const std::string& value, const std::string& range) {
  throw Error("option '" + std::string(field) + "' is " + value + "; it must be " + range);
}

void require_at_least(std::string_view field, double value, double lowest) {
  if (!(value >= lowest && std::isfinite(value)))
    refuse_option(field, exact_text(value), "at least " + exact_text(lowest));
}

void require_between(std::string_view field, double value, double lowest, double highest) {
  if (!(value >= lowest && value <= highest)) {
    refuse_option(field, exact_text(value),
                  "from " + exact_text(lowest) + " to " + exact_text(highest));
  }
}

void require_positive(std::string_view field, double value, double highest) {
  if (!(value > 0 && value <= highest))
    refuse_option(field, exact_text(value), "above 0 and at most " + exact_text(highest));
}

void require_fraction(std::string_view field, double value) {
  if (!(value >= 0 && value < 1)) refuse_option(field, exact_text(value), "at least 0 and below 1");
}

void require_layers(std::string_view field, const std::vector<int>& sizes) {
  for (const int size : sizes) require_between(field, size, 1, 65536);
}

void require_one_of(std::string_view field, const std::string& value,
                    std::initializer_list<const char*> allowed) {
  std::string list;
  for (const char* name : allowed) {
    if (value == name) return;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  refuse_option(field, "'" + value + "'", "one of " + list);
}

}  // namespace icct
