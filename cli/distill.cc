#include <memory>

#include "cli/commands.h"
#include "cli/episode_options.h"
#include "cli/option_flags.h"
#include "cli/run_command.h"
#include "icct/env/make_environment.h"
#include "icct/imitation/distill_options.h"
#include "icct/imitation/teacher.h"
#include "icct/policy/policy_file.h"
#include "icct/run/run_directory.h"

namespace icct {
namespace {

struct DistillArguments {
  std::string environment;
  RunArguments run;
  GivenOptions given;
};

constexpr const char* kFooter =
    "\nMakes a tree that does what a teacher does: any policy file, the folder of a run (of "
    "several "
    "seeds: that of the\n"
    "same seed), or the function of a shared library made from `icct export --to c`.\n"
    "  cart    constants, fitted to the teacher's own episodes\n"
    "  dagger  the tree acts, the teacher says what it would have done, the next tree is fitted to "
    "all of it\n"
    "  linear  dagger with sparse linear controllers at the leaves\n"
    "\nThe folder is that of `icct train`: policy.json (the best so far), progress.csv, a "
    "checkpoint "
    "and report.md. The tree\n"
    "that is kept was chosen on validation episodes; the return reported is that of fresh ones. "
    "`icct train ENV --from\n"
    "FOLDER` goes on from there. Same seed and options, same policy, whatever --jobs is.\n"
    "\nExamples:\n"
    "  icct distill --teacher runs/lander --method dagger --leaves 32 --out runs/tree\n"
    "  icct distill --teacher runs/lander --method linear --leaves 2 --features 5 --out "
    "runs/linear\n"
    "  icct distill --teacher deployed/lander.so --env lunar_lander --out runs/again\n"
    "  icct distill --resume --out runs/tree";

// The one asked for, or that the teacher's file names.
std::string environment_of(const DistillArguments& arguments) {
  if (!arguments.environment.empty()) return arguments.environment;
  DistillOptions flags;
  visit_fields(flags, FieldParser{arguments.given});
  if (flags.teacher.empty()) throw Error("name a teacher with --teacher, e.g. a policy file");
  const bool library = is_library(flags.teacher);
  return environment_name(
      "", library ? "" : load_policy(find_policy_file(flags.teacher, flags.seed)).environment,
      flags.teacher);
}

// What is asked for, or when resuming without a teacher the run itself, changed by the flags.
DistillOptions options_of(const DistillArguments& arguments) {
  DistillOptions options;
  if (!arguments.given.contains("teacher") && arguments.run.resume) {
    const Json json = options_of_run(arguments.run.out);
    if (!json.contains("teacher"))
      throw Error(arguments.run.out + ": is no distillation; go on with icct train --resume");
    options = distill_options_from(JsonReader(json, arguments.run.out + "/options.json"));
    if (!arguments.environment.empty()) options.environment = arguments.environment;
  } else {
    const auto method = arguments.given.find("method");
    options = usual_distillation(
        method == arguments.given.end() ? DistillOptions{}.method : method->second,
        environment_of(arguments));
  }
  visit_fields(options, FieldParser{arguments.given});
  return options;
}

void distill(const DistillArguments& arguments, int& exit_code) {
  const DistillOptions options = options_of(arguments);
  const auto task = [&options](std::uint64_t seed) {
    DistillOptions of_seed = options;
    of_seed.seed = seed;
    return distillation_task(of_seed,
                             [name = options.environment] { return make_environment(name); });
  };
  run_command(arguments.run, "distill", options.seed, task, exit_code);
}

}  // namespace

void add_distill_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<DistillArguments>();
  CLI::App* verb = program.add_subcommand("distill", "Make a tree that does what a teacher does");
  verb->footer(kFooter);
  verb->add_option("--env", arguments->environment,
                   "environment; default: the one the teacher names");
  add_run_flags(*verb, arguments->run);
  const DistillOptions usual;
  visit_fields(usual, FlagAdder{*verb, arguments->given});
  verb->callback([arguments, &exit_code] { distill(*arguments, exit_code); });
}

}  // namespace icct
