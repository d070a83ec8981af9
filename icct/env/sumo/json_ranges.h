#pragma once

#include "icct/base/json.h"

namespace icct {

// Numbers of a file, which must lie where they make sense. Each throws Error naming the place and
// the range.

inline constexpr double kMany = 1e6;  // metres or seconds, more than any road or episode has

double number_in(const JsonReader& json, double least, double most);
double positive(const JsonReader& json);  // at most kMany
double positive_or(const JsonReader& json, const char* key, double otherwise);
int whole_number(const JsonReader& json, int least, int most);
// Seconds; SUMO counts time in milliseconds.
double whole_milliseconds(const JsonReader& json, double least, double most);

}  // namespace icct
