#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace icct {

// One number of an observation or action vector.
struct Dimension {
  std::string name;  // unique in its space, not empty
  std::string unit;  // as people write it, e.g. "m/s"; empty for a plain number
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  bool operator==(const Dimension&) const = default;
};

// Names, units and bounds of a vector, in its order.
using Space = std::vector<Dimension>;

// The position of the dimension called `name`, if there is one.
std::optional<int> find_dimension(const Space& space, std::string_view name);

// Throws Error unless there are at most 10,000 of them, names are unique, not empty and printable,
// and every lower bound is below its upper one. `what`
// ("observation", "action") begins the message.
void validate_space(const Space& space, std::string_view what);

// x1, x2, ... without units or bounds.
Space numbered_space(std::string_view prefix, int size);

// All names, separated by ", ", for messages.
std::string list_names(const Space& space);

}  // namespace icct
