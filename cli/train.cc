#include <memory>

#include "cli/commands.h"
#include "cli/option_flags.h"
#include "cli/run_command.h"
#include "icct/env/make_environment.h"
#include "icct/run/run_directory.h"

namespace icct {
namespace {

struct TrainArguments {
  std::string environment;
  std::string preset = "default";
  RunArguments run;
  GivenOptions given;
};

constexpr const char* kFooter =
    "\nWithout more words: direct search, which finds one linear controller, prunes it and grows "
    "it "
    "into a tree.\n"
    "--preset paper: Soft Actor-Critic with the published hyper-parameters of the environment.\n"
    "\nThe folder holds policy.json (the best so far), progress.csv, TensorBoard events, a "
    "checkpoint and, at the end,\n"
    "report.md with the learning curve. Ctrl-C saves; the same command with --resume goes on, also "
    "after a crash, and\n"
    "ends with the same policy. What is kept was chosen on validation episodes; the return "
    "reported "
    "is that of fresh ones.\n"
    "Same seed and options, same policy, whatever --jobs is.\n"
    "\nExamples:\n"
    "  icct train lunar_lander --out runs/lander\n"
    "  icct train lunar_lander --leaves 4 --features all --seeds 5 --jobs 2 --out runs/five\n"
    "  icct train lane_keeping --preset paper --out runs/paper\n"
    "  icct train lunar_lander --from runs/small --out runs/better\n"
    "  icct train --resume --out runs/lander";

// What is asked for: the preset, or when resuming without an environment the run itself, changed by
// the flags.
TrainOptions options_of(const TrainArguments& arguments) {
  TrainOptions options;
  if (arguments.environment.empty()) {
    if (!arguments.run.resume)
      throw Error("name an environment, e.g. icct train lunar_lander --out runs/lander");
    const Json json = options_of_run(arguments.run.out);
    if (json.contains("teacher"))
      throw Error(arguments.run.out + ": is a distillation; go on with icct distill --resume");
    options = train_options_from(JsonReader(json, arguments.run.out + "/options.json"));
  } else {
    const auto algorithm = arguments.given.find("algorithm");
    options = preset_options(arguments.environment, arguments.preset,
                             algorithm == arguments.given.end() ? "" : algorithm->second);
  }
  visit_fields(options, FieldParser{arguments.given});
  return options;
}

void train(const TrainArguments& arguments, int& exit_code) {
  const TrainOptions options = options_of(arguments);
  const auto task = [&options](std::uint64_t seed) {
    TrainOptions of_seed = options;
    of_seed.seed = seed;
    return training_task(of_seed, [name = options.environment] { return make_environment(name); });
  };
  run_command(arguments.run, "train", options.seed, task, exit_code);
}

}  // namespace

void add_train_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* verb = program.add_subcommand("train", "Learn a policy");
  verb->footer(kFooter);
  verb->add_option("ENV", arguments->environment, "the environment, e.g. lunar_lander");
  verb->add_option("--preset", arguments->preset, "default or paper")->capture_default_str();
  add_run_flags(*verb, arguments->run);
  const TrainOptions usual = preset_options("", "default", "");
  visit_fields(usual, FlagAdder{*verb, arguments->given});
  verb->callback([arguments, &exit_code] { train(*arguments, exit_code); });
}

}  // namespace icct
