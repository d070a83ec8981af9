#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/export/identifiers.h"
#include "icct/export/to_c.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct ExportOptions {
  std::string file, format = "c", out, name;
  bool single_precision = false;
};

constexpr const char* kFooter =
    "\nThe deployed function as source code: check of the observation, tree, controllers, "
    "squashing. C99 needs no "
    "library\n"
    "(not even libm), no heap and no state; in double precision it gives the same bits as icct "
    "itself.\n"
    "\nExample:\n"
    "  icct export policy.json --to c --out deployed --name lander\n"
    "  cc -std=c99 -O2 -ffp-contract=off -c deployed/lander.c";

void export_policy(const ExportOptions& options) {
  const Policy policy = load_policy(options.file);
  const std::string wanted = options.name.empty() ? policy.name : options.name;
  const std::string name = identifier(wanted, "policy");
  if (!options.name.empty() && name != options.name)
    throw Error("--name '" + options.name + "' is no identifier; '" + name + "' would be one");
  const CSource c = to_c(policy, name, options.single_precision);
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw Error("cannot create '" + options.out + "': " + error.message());
  const std::filesystem::path base = std::filesystem::path(options.out) / name;
  write_file_atomically(base.string() + ".h", c.header);
  write_file_atomically(base.string() + ".c", c.source);
  print("Wrote " + base.string() + ".h and " + base.string() + ".c: " + name + "_act()\n");
}

}  // namespace

void add_export_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = program.add_subcommand("export", "The exact function as source code");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option("--to", options->format, "the language")
      ->check(CLI::IsMember({"c"}))
      ->capture_default_str();
  verb->add_option("--out", options->out, "the folder to write to")->required();
  verb->add_option("--name", options->name,
                   "of files and functions; made from the policy's name if left out");
  verb->add_flag("--float", options->single_precision,
                 "single precision, for targets without double");
  verb->callback([options] { export_policy(*options); });
}

}  // namespace icct
