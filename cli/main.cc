#include <cstdio>
#include <exception>
#include <iostream>

#include "cli/commands.h"
#include "icct/base/error.h"

namespace icct {

void print(const std::string& text) {
  std::cout << text;
  std::cout.flush();
  if (!std::cout) throw Error("cannot write to standard output; is the disk full?");
}

namespace {

constexpr const char* kDescription =
    "icct: interpretable continuous control trees.\n"
    "Decision trees with sparse linear controllers at the leaves: read them, run them, change "
    "them.\n";

constexpr const char* kFooter =
    "\nExamples:\n"
    "  icct show examples/policies/lunar_lander.json              draw the tree\n"
    "  icct show --paragraph examples/policies/lunar_lander.json  the same in sentences\n"
    "  echo 0,0.05,0,0 | icct act examples/policies/inverted_pendulum.json\n"
    "  icct eval examples/policies/lunar_lander.json              its return on fresh episodes\n"
    "  icct range examples/policies/lunar_lander.json             what its actions can be\n"
    "\nEvery command answers --help, and --json where people would rather parse than read.\n"
    "Exit codes: 0 done or yes, 1 the answer is no, 2 error, 3 undecided.";

// Says which verbs there are if the first argument is not one of them; the parser itself would only
// say that one is missing.
bool is_known_verb(const CLI::App& program, const std::string& verb) {
  std::string known;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (command->get_name() == verb) return true;
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  std::cerr << "icct: unknown command '" << verb << "'; the commands are " << known << "\n";
  return false;
}

int run(int argc, char** argv) {
  int exit_code = 0;
  CLI::App program(kDescription, "icct");
  program.footer(kFooter);
  program.set_version_flag("--version", "icct " ICCT_VERSION);
  program.require_subcommand(1);
  add_show_command(program, exit_code);
  add_act_command(program, exit_code);
  add_info_command(program, exit_code);
  add_explain_command(program, exit_code);
  add_eval_command(program, exit_code);
  add_train_command(program, exit_code);
  add_distill_command(program, exit_code);
  add_refine_command(program, exit_code);
  add_edit_command(program, exit_code);
  add_verify_command(program, exit_code);
  add_range_command(program, exit_code);
  add_robustness_command(program, exit_code);
  add_simplify_command(program, exit_code);
  add_diff_command(program, exit_code);
  add_slice_command(program, exit_code);
  add_export_command(program, exit_code);
  add_check_env_command(program, exit_code);
  if (argc < 2) {
    std::cerr << program.help();
    return 2;
  }
  if (argv[1][0] != '-' && !is_known_verb(program, argv[1])) return 2;
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return program.exit(help_or_version);
  } catch (const CLI::ParseError& problem) {
    std::cerr << "icct: " << problem.what() << "; --help explains the command\n";
    return 2;
  }
  return exit_code;
}

}  // namespace
}  // namespace icct

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  try {
    return icct::run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "icct: %s\n", error.what());
    return 2;
  }
}
