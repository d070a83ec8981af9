#include "cli/property_file.h"

#include "cli/region_options.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/verify/property_text.h"
#include "icct/verify/vnnlib.h"

namespace icct {

std::vector<Property> read_property_file(const std::string& path, const Policy& policy) {
  constexpr std::size_t kMaxPropertyFile = std::size_t{1} << 26;
  const std::string text = read_file(path, kMaxPropertyFile);
  try {
    if (!path.ends_with(".vnnlib")) return parse_properties(text, policy);
    Property property = read_vnnlib(text, policy);
    property.text = to_text(property, policy);  // the file is long and all brackets
    return {property};
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}

std::string answer_word(Answer answer) {
  return answer == Answer::Proven     ? "proven"
         : answer == Answer::Violated ? "violated"
                                      : "undecided";
}

std::string counterexample_text(const Policy& policy, const Verdict& verdict) {
  return "  at " + values_text(policy.observations, verdict.x) + "\n  " +
         name_of(tree_of(policy), {verdict.leaf, true}) + " answers " +
         values_text(policy.actions, verdict.action) + "\n";
}

}  // namespace icct
