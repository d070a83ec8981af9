#include "icct/export/to_js.h"

#include <algorithm>

#include "icct/base/logistic.h"
#include "icct/base/number.h"
#include "icct/export/identifiers.h"
#include "icct/export/page_files.h"
#include "icct/export/to_json.h"

namespace icct {

std::string script_json(const Json& value) {
  std::string safe;
  for (const char c : write_json(value)) safe += c == '<' ? "\\u003c" : std::string(1, c);
  return safe;
}

std::string filled_in(std::string_view text,
                      const std::vector<std::pair<std::string, std::string>>& replacements) {
  std::string result;
  while (!text.empty()) {
    bool replaced = false;
    for (const auto& [key, with] : replacements) {
      const std::string place = "@" + key + "@";
      if (!text.starts_with(place)) continue;
      result += with;
      text.remove_prefix(place.size());
      replaced = true;
      break;
    }
    if (replaced) continue;
    const std::size_t next = std::min(text.find('@', 1), text.size());
    result += text.substr(0, next);
    text.remove_prefix(next);
  }
  return result;
}

namespace {

// Nothing that could end the script of a page either.
std::string title_comment(const std::string& title) {
  std::string text = comment_text(title);
  std::ranges::replace(text, '<', '(');
  return "/* " + text + " */\n";
}

}  // namespace

std::string to_js(const Policy& policy, const std::string& name) {
  std::string powers = "[";
  for (const double power : kLogisticPowers)
    powers += (powers.size() > 1 ? ", " : "") + exact_text(power);
  const std::string evaluate =
      filled_in(kEvaluateJs, {{"POWERS", powers + "]"},
                              {"LARGEST", exact_text(kLogisticLargest)},
                              {"STEPS_PER_UNIT", exact_text(kLogisticStepsPerUnit)},
                              {"STEP_HIGH", exact_text(kLogisticStepHigh)},
                              {"STEP_LOW", exact_text(kLogisticStepLow)}});
  return title_comment(policy.name.empty() ? name : policy.name) +
         "/* Written by icct from a policy file; change that, not this. */\n"
         "(function (root, make) {\n"
         "  if (typeof module === \"object\" && module.exports) module.exports = make();\n"
         "  else root." +
         name +
         " = make();\n"
         "})(typeof self !== \"undefined\" ? self : this, function () {\n\"use strict\";\n"
         "const policy = " +
         script_json(function_tables(policy)) + ";\n\n" + evaluate +
         "\nreturn { policy, act, path, output, squash, decidesYes };\n});\n";
}

}  // namespace icct
