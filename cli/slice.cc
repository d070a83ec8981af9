#include "icct/verify/slice.h"

#include <limits>
#include <memory>

#include "cli/commands.h"
#include "cli/region_options.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/policy/policy_file.h"

namespace icct {
namespace {

struct SliceOptions {
  std::string file, x, y, at, action, svg;
  RegionOptions region;
};

constexpr const char* kFooter =
    "\nThe regions of the leaves over two observations, the others held at --at (0 or the middle "
    "of "
    "their bounds if not\n"
    "named). Coloured by leaf, or by the value of an action.\n"
    "\nExample:\n"
    "  icct slice policy.json --x x_speed --y angle --where 'x_speed between -1 and 1 and angle "
    "between -1 and 1' \\\n"
    "    --action side_engine --svg slice.svg";

int index_of(const Space& space, const std::string& name, const std::string& what) {
  const std::optional<int> index = find_dimension(space, name);
  if (!index) {
    throw Error("the policy has no " + what + " '" + name + "'; it has " + list_names(space));
  }
  return *index;
}

Range axis(const Policy& policy, const Box& box, int index) {
  const Range range = box[static_cast<std::size_t>(index)];
  constexpr double kLargest = std::numeric_limits<double>::max();
  if (range.lower == -kLargest || range.upper == kLargest) {
    const std::string& name = policy.observations[static_cast<std::size_t>(index)].name;
    throw Error("'" + name + "' has no bounds to draw; give them: --where '" + name +
                " between -1 and 1'");
  }
  return range;
}

void draw(const SliceOptions& options) {
  const Policy policy = load_policy(options.file);
  const Box box = region_of(options.region, policy);
  Slice slice;
  slice.x = index_of(policy.observations, options.x, "observation");
  slice.y = index_of(policy.observations, options.y, "observation");
  slice.x_range = axis(policy, box, slice.x);
  slice.y_range = axis(policy, box, slice.y);
  slice.at = parse_point(options.at, policy, box);
  if (!options.action.empty())
    slice.action = static_cast<std::size_t>(index_of(policy.actions, options.action, "action"));
  write_file_atomically(options.svg, slice_svg(policy, slice));
  print("Open " + options.svg + "\n");
}

}  // namespace

void add_slice_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<SliceOptions>();
  CLI::App* verb = program.add_subcommand("slice", "A picture of a policy over two observations");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option("--x", options->x, "observation on the horizontal axis")->required();
  verb->add_option("--y", options->y, "observation on the vertical axis")->required();
  verb->add_option("--at", options->at, "the others: \"height = 0.5, angle = 0.1\"");
  verb->add_option("--action", options->action, "colour by this action instead of by leaf");
  add_region_options(*verb, options->region);
  verb->add_option("--svg", options->svg, "the file to write")->required();
  verb->callback([options] { draw(*options); });
}

}  // namespace icct
