#include "icct/verify/range.h"

#include <memory>

#include "cli/commands.h"
#include "cli/region_options.h"
#include "icct/base/number.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct RangeOptions {
  std::string file;
  RegionOptions region;
  bool leaves = false, json = false;
};

constexpr const char* kFooter =
    "\nSmallest and largest value of every action over a set of observations: exact for the "
    "deployed function, and\n"
    "taken at the observations given.\n"
    "\nExamples:\n"
    "  icct range policy.json\n"
    "  icct range policy.json --where 'height < 0.1 and climb_speed < -0.5' --leaves\n"
    "  icct range policy.json --box box.json --json";

Json to_json(const Policy& policy, const std::vector<ActionRange>& ranges) {
  Json actions = Json::array();
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    actions.push_back({{"name", policy.actions[a].name},
                       {"min", ranges[a].min.value},
                       {"max", ranges[a].max.value},
                       {"at_min", ranges[a].min.at},
                       {"at_max", ranges[a].max.at}});
  }
  return actions;
}

std::string to_text(const Policy& policy, const std::vector<ActionRange>& ranges,
                    const std::string& indent, bool with_points) {
  std::string text;
  for (std::size_t a = 0; a < ranges.size(); ++a) {
    const std::string& unit = policy.actions[a].unit;
    text += indent + policy.actions[a].name + " from " + exact_text(ranges[a].min.value) + " to " +
            exact_text(ranges[a].max.value) + (unit.empty() ? "" : " " + unit) + "\n";
    if (!with_points) continue;
    text += indent + "  min at " + values_text(policy.observations, ranges[a].min.at) + "\n" +
            indent + "  max at " + values_text(policy.observations, ranges[a].max.at) + "\n";
  }
  return text;
}

std::vector<std::string> names_of(const Tree& tree, const std::vector<int>& leaves) {
  std::vector<std::string> names;
  for (const int leaf : leaves) names.push_back(name_of(tree, {leaf, true}));
  return names;
}

void print_ranges(const RangeOptions& options) {
  const Policy policy = load_policy(options.file);
  const Tree& tree = tree_of(policy);
  const Box box = region_of(options.region, policy);
  const std::vector<ActionRange> ranges = action_ranges(policy, box);
  const std::vector<std::string> missed = names_of(tree, unreachable_leaves(tree, box));
  const std::vector<LeafRange> by_leaf =
      options.leaves ? leaf_ranges(policy, box) : std::vector<LeafRange>{};
  if (options.json) {
    Json json = {{"actions", to_json(policy, ranges)}, {"unreachable_leaves", missed}};
    for (const LeafRange& leaf : by_leaf) {
      json["leaves"].push_back(
          {{"name", name_of(tree, {leaf.leaf, true})}, {"actions", to_json(policy, leaf.actions)}});
    }
    return print(write_json(json) + "\n");
  }
  std::string text = to_text(policy, ranges, "", true);
  for (const LeafRange& leaf : by_leaf)
    text += name_of(tree, {leaf.leaf, true}) + "\n" + to_text(policy, leaf.actions, "  ", false);
  for (const std::string& name : missed) text += name + " is not reached\n";
  print(text + region_text(options.region) + "\n");
}

}  // namespace

void add_range_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<RangeOptions>();
  CLI::App* verb = program.add_subcommand("range", "The exact range of every action");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  add_region_options(*verb, options->region);
  verb->add_flag("--leaves", options->leaves, "for each leaf, too");
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options] { print_ranges(*options); });
}

}  // namespace icct
