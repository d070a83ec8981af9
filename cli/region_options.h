#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "icct/base/json.h"
#include "icct/verify/box.h"

namespace icct {

// The observations that a question is about, as several verbs ask for them.
struct RegionOptions {
  std::string where;     // "height > 0 and x between -1 and 1"
  std::string box_file;  // {"lower": [...], "upper": [...]}, null: unbounded
  bool everywhere = false;
};

void add_region_options(CLI::App& verb, RegionOptions& options);

// The box they describe; without any, the bounds that the policy declares. Throws Error if it is
// empty or does not fit.
Box region_of(const RegionOptions& options, const Policy& policy);
std::string region_text(const RegionOptions& options);  // "inside the declared bounds"

// An observation from "height = 0.5, angle = 0.1"; those not named are in the middle of the box, 0
// where that is allowed.
std::vector<double> parse_point(const std::string& text, const Policy& policy, const Box& box);

// "height = 0.5, angle = 0.1 rad", exact, for people; and by name, for programs.
std::string values_text(const Space& space, std::span<const double> values);
Json values_json(const Space& space, std::span<const double> values);

}  // namespace icct
