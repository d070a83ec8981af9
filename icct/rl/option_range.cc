#include "icct/rl/option_range.h"

#include <string>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

[[noreturn]] void fail(std::string_view field, double value, const std::string& range) {
  throw Error(std::string(field) + " is " + exact_text(value) + ", but must be " + range);
}

}  // namespace

void require_between(std::string_view field, double value, double lowest, double highest) {
  if (!(value >= lowest && value <= highest))
    fail(field, value, "from " + exact_text(lowest) + " to " + exact_text(highest));
}

void require_positive(std::string_view field, double value, double highest) {
  if (!(value > 0 && value <= highest))
    fail(field, value, "above 0 and at most " + exact_text(highest));
}

void require_fraction(std::string_view field, double value) {
  if (!(value >= 0 && value < 1)) fail(field, value, "at least 0 and below 1");
}

void require_layers(std::string_view field, const std::vector<int>& sizes) {
  for (const int size : sizes) require_between(field, size, 1, 65536);
}

}  // namespace icct
