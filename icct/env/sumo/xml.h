#pragma once

#include <string>

#include "icct/base/number.h"

namespace icct {

// ` name="value"`, with the characters escaped that XML reserves.
std::string xml_attribute(const std::string& name, const std::string& value);
inline std::string xml_attribute(const std::string& name, double value) {
  return xml_attribute(name, exact_text(value));
}

}  // namespace icct
