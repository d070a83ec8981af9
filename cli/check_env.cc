#include <memory>

#include "cli/commands.h"
#include "icct/base/json.h"
#include "icct/env/check_environment.h"
#include "icct/env/make_environment.h"

namespace icct {
namespace {

struct CheckEnvOptions {
  std::string environment;
  bool json = false;
};

constexpr const char* kFooter =
    "\nTests what every environment promises: sizes, bounds, finite numbers, determinism, time "
    "limits, bad actions.\n"
    "Exit code 1 if one of the promises is broken.\n"
    "\nExample:\n"
    "  icct check-env lunar_lander";

std::string to_text(const std::vector<CheckResult>& results) {
  std::string text;
  for (const CheckResult& result : results) {
    std::string name = result.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += (result.passed ? "pass  " : "FAIL  ") + name + ": " + result.explanation + "\n";
  }
  return text;
}

Json to_json(const std::vector<CheckResult>& results) {
  Json checks = Json::array();
  for (const CheckResult& result : results) {
    checks.push_back(
        {{"name", result.name}, {"passed", result.passed}, {"explanation", result.explanation}});
  }
  return {{"passed", all_passed(results)}, {"checks", checks}};
}

}  // namespace

void add_check_env_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<CheckEnvOptions>();
  CLI::App* verb = program.add_subcommand(
      "check-env", "Whether an environment keeps the promises of the interface");
  verb->footer(kFooter);
  verb->add_option("ENV", options->environment, "its name: " + known_environments())->required();
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->callback([options, &exit_code] {
    const auto environment = make_environment(options->environment);
    const std::vector<CheckResult> results = check_environment(*environment);
    print(options->json ? write_json(to_json(results)) + "\n" : to_text(results));
    exit_code = all_passed(results) ? 0 : 1;
  });
}

}  // namespace icct
