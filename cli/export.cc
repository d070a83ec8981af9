#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/export/identifiers.h"
#include "icct/export/to_c.h"
#include "icct/export/to_js.h"
#include "icct/export/to_json.h"
#include "icct/export/to_onnx.h"
#include "icct/export/to_st.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct ExportOptions {
  std::string file, format = "c", out, name;
  bool single_precision = false;
};

constexpr const char* kFooter =
    "\nThe deployed function in another language: check of the observation, tree, controllers, "
    "squashing.\n"
    "  c     C99, a header and a source; no library (not even libm), no heap, no state; the same "
    "bits as icct itself\n"
    "  js    JavaScript for browsers and Node; the same bits\n"
    "  json  plain tables, for an interpreter of your own\n"
    "  onnx  opset 13, rows of observations to rows of actions; differs by rounding\n"
    "  st    a function block of IEC 61131-3 structured text, for PLCs; differs by rounding\n"
    "\nExamples:\n"
    "  icct export policy.json --to c --out deployed --name lander\n"
    "  cc -std=c99 -O2 -ffp-contract=off -c deployed/lander.c\n"
    "  icct export policy.json --to onnx --out deployed";

struct ExportedFile {
  std::string extension, content;
};

std::vector<ExportedFile> exported(const ExportOptions& options, const Policy& policy,
                                   const std::string& name) {
  const bool single = options.single_precision;
  if (single && (options.format == "js" || options.format == "json"))
    throw Error("--float is for c, onnx and st; numbers of " + options.format +
                " are always double");
  if (options.format == "js") return {{".js", to_js(policy, name)}};
  if (options.format == "json") return {{".json", to_json(policy)}};
  if (options.format == "onnx") return {{".onnx", to_onnx(policy, single)}};
  if (options.format == "st") return {{".st", to_st(policy, name, single)}};
  const CSource c = to_c(policy, name, single);
  return {{".h", c.header}, {".c", c.source}};
}

void export_policy(const ExportOptions& options) {
  const Policy policy = load_policy(options.file);
  const std::string wanted = options.name.empty() ? policy.name : options.name;
  const std::string name = identifier(wanted, "policy");
  if (!options.name.empty() && name != options.name)
    throw Error("--name '" + options.name + "' is no identifier; '" + name + "' would be one");
  const std::vector<ExportedFile> files = exported(options, policy, name);
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw Error("cannot create '" + options.out + "': " + error.message());
  const std::string base = (std::filesystem::path(options.out) / name).string();
  for (const ExportedFile& file : files) {
    write_file_atomically(base + file.extension, file.content);
    print("Wrote " + base + file.extension + "\n");
  }
}

}  // namespace

void add_export_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = program.add_subcommand(
      "export", "The exact function as C, JavaScript, ONNX, structured text or JSON");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option("--to", options->format, "the language")
      ->check(CLI::IsMember({"c", "js", "json", "onnx", "st"}))
      ->capture_default_str();
  verb->add_option("--out", options->out, "the folder to write to")->required();
  verb->add_option("--name", options->name,
                   "of files and functions; made from the policy's name if left out");
  verb->add_flag("--float", options->single_precision,
                 "single precision, for targets without double");
  verb->callback([options] { export_policy(*options); });
}

}  // namespace icct
