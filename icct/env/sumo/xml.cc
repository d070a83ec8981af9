#include "icct/env/sumo/xml.h"

namespace icct {

std::string xml_attribute(const std::string& name, const std::string& value) {
  std::string text = " " + name + "=\"";
  for (const char c : value) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text + "\"";
}

}  // namespace icct
