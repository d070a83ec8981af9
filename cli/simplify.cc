#include "icct/verify/simplify.h"

#include <memory>

#include "cli/commands.h"
#include "cli/region_options.h"
#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/policy/parameter_count.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct SimplifyOptions {
  std::string file, out;
  RegionOptions region;
  double drop_below = 0;
  bool json = false;
};

constexpr const char* kFooter =
    "\nRemoves what cannot be reached and what makes no difference; with --drop-below also terms "
    "of "
    "little effect. The\n"
    "bound on the difference to the original is proven, 0 for the very same function.\n"
    "\nExample:\n"
    "  icct simplify policy.json --drop-below 0.01 -o smaller.json";

void simplify_policy(const SimplifyOptions& options) {
  const Policy policy = load_policy(options.file);
  const Box box = region_of(options.region, policy);
  require_writable(options.out);
  const Simplified simplified = simplify(policy, box, options.drop_below);
  save_policy(simplified.policy, options.out);
  const auto size = [](const Policy& p) {
    return Json{{"leaves", tree_of(p).leaves.size()}, {"parameters", count_parameters(p)}};
  };
  const Json before = size(policy), after = size(simplified.policy);
  Json json = {{"before", before}, {"after", after}, {"changes", simplified.changes}};
  std::string text;
  for (const std::string& change : simplified.changes) text += change + "\n";
  text += before["leaves"].dump() + " -> " + after["leaves"].dump() + " leaves, " +
          before["parameters"].dump() + " -> " + after["parameters"].dump() + " parameters\n";
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const double bound = simplified.bounds[a];
    json["proven_bounds"][policy.actions[a].name] = bound;
    text += policy.actions[a].name +
            (bound == 0 ? ": the same" : ": differs by at most " + exact_text(bound)) + "\n";
  }
  print(options.json ? write_json(json) + "\n" : text + region_text(options.region) + "\n");
}

}  // namespace

void add_simplify_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<SimplifyOptions>();
  CLI::App* verb = program.add_subcommand("simplify", "A smaller tree, with a proven bound");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option("-o,--out", options->out, "the file to write")->required();
  add_region_options(*verb, options->region);
  verb->add_option("--drop-below", options->drop_below,
                   "drop terms that move an action by no more than this share of its span")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options] { simplify_policy(*options); });
}

}  // namespace icct
