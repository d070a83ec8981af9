// Coverage-guided fuzzing of the policy reader: whatever the bytes, it returns a valid policy or
// throws Error; what it returns survives a round trip and acts inside its bounds.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/policy/policy_file.h"

namespace {

void check_policy(const icct::Policy& policy) {
  const std::string text = icct::write_policy(policy);
  ICCT_CHECK(icct::parse_policy(text, "again") == policy);
  ICCT_CHECK(icct::write_policy(icct::parse_policy(text, "again")) == text);
  for (const double value : {0.0, 1.0, -1e300, 1e308, 5e-324}) {
    const std::vector<double> x(policy.observations.size(), value);
    const std::vector<double> action = icct::act(policy, x);
    for (std::size_t a = 0; a < action.size(); ++a) {
      ICCT_CHECK(action[a] >= policy.actions[a].lower && action[a] <= policy.actions[a].upper);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check_policy(icct::parse_policy({reinterpret_cast<const char*>(data), size}, "fuzz"));
  } catch (const icct::Error&) {
    // The expected answer to nonsense.
  }
  return 0;
}
