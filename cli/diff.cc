#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/region_options.h"
#include "icct/base/number.h"
#include "icct/export/policy_changes.h"
#include "icct/policy/policy_file.h"
#include "icct/verify/difference.h"

namespace icct {
namespace {

struct DiffOptions {
  std::string a, b;
  RegionOptions region;
  bool json = false;
};

constexpr const char* kFooter =
    "\nWhat is written differently, nodes and leaves matched by name; then the largest difference "
    "of "
    "the two functions,\n"
    "per action: the one found, where, and a bound that is proven for every observation asked "
    "about. After an edit:\n"
    "what can have changed at most?\n"
    "\nExit codes: 0 the same function, 1 they differ, 2 error.\n"
    "\nExample:\n"
    "  icct diff before.json after.json --where 'height > 0'";

int compare(const DiffOptions& options) {
  const Policy a = load_policy(options.a), b = load_policy(options.b);
  const std::vector<std::string> changes = policy_changes(a, b);
  std::string text;
  for (const std::string& change : changes) text += change + "\n";
  if (!options.json) print(text.empty() ? "" : text + "\n");
  const Box box = region_of(options.region, a);
  const std::vector<Difference> differences = largest_differences(a, b, box);
  const bool same =
      std::ranges::all_of(differences, [](const Difference& d) { return d.proven == 0; });
  Json json = {{"same", same}, {"changes", changes}, {"actions", Json::array()}};
  text.clear();
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const Difference& d = differences[i];
    const std::string leaf_a = name_of(tree_of(a), {d.leaf_a, true});
    const std::string leaf_b = name_of(tree_of(b), {d.leaf_b, true});
    json["actions"].push_back({{"name", a.actions[i].name},
                               {"largest_difference", d.largest},
                               {"proven_bound", d.proven},
                               {"at", values_json(a.observations, d.at)},
                               {"leaves", {leaf_a, leaf_b}}});
    text += a.actions[i].name + ": ";
    if (d.proven == 0) {
      text += "the same\n";
      continue;
    }
    text += "differs by at most " + exact_text(d.proven) + ", and by " + exact_text(d.largest) +
            "\n  at " + values_text(a.observations, d.at) + "\n  (" + leaf_a + " there, " + leaf_b +
            " in " + options.b + ")\n";
  }
  print(options.json ? write_json(json) + "\n" : text + region_text(options.region) + "\n");
  return same ? 0 : 1;
}

}  // namespace

void add_diff_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* verb = program.add_subcommand("diff", "What differs at most between two policies");
  verb->footer(kFooter);
  verb->add_option("A", options->a, "a policy file")->required();
  verb->add_option("B", options->b, "another one")->required();
  add_region_options(*verb, options->region);
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options, &exit_code] { exit_code = compare(*options); });
}

}  // namespace icct
