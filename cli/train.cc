#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/progress_line.h"
#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/env/make_environment.h"
#include "icct/export/to_text.h"
#include "icct/policy/parameter_count.h"
#include "icct/run/run.h"
#include "icct/run/run_directory.h"
#include "icct/run/seeds.h"

namespace icct {
namespace {

struct TrainArguments {
  std::string environment;
  std::string preset = "default";
  std::string out;
  bool resume = false;
  bool json = false;
  int seeds = 1;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::map<std::string, std::string> given;  // options by name, as typed
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
    "  icct train --resume --out runs/lander";

// Set by Ctrl-C; a second one ends the process at once.
std::atomic<bool> stop_requested = false;

void request_stop(int signal) {
  stop_requested = true;
  std::signal(signal, SIG_DFL);
}

// Parses what was typed for an option into its field.
struct FieldParser {
  const std::map<std::string, std::string>& given;

  void operator()(const char* name, std::string& field, const char*) const {
    if (const auto it = given.find(name); it != given.end()) field = it->second;
  }
  void operator()(const char* name, bool& field, const char*) const {
    const auto it = given.find(name);
    if (it == given.end()) return;
    if (it->second != "true" && it->second != "false") fail(name, it->second, "true or false");
    field = it->second == "true";
  }
  template <class Number>
  void operator()(const char* name, Number& field, const char*) const {
    const auto it = given.find(name);
    if (it == given.end()) return;
    const std::string& text = it->second;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), field);
    if (problem != std::errc() || end != text.data() + text.size())
      fail(name, text, std::is_integral_v<Number> ? "a whole number in range" : "a number");
  }
  [[noreturn]] static void fail(const std::string& name, const std::string& text,
                                const std::string& expected) {
    throw Error("option --" + flag_of(name) + ": '" + text + "' is not " + expected);
  }
  static std::string flag_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
  }
};

// What is asked for: the preset, or when resuming without an environment the run itself, changed by
// the flags.
TrainOptions options_of(const TrainArguments& arguments) {
  TrainOptions options;
  if (arguments.environment.empty()) {
    if (!arguments.resume)
      throw Error("name an environment, e.g. icct train lunar_lander --out runs/lander");
    options = options_of_run(arguments.out);
  } else {
    const auto algorithm = arguments.given.find("algorithm");
    options = preset_options(arguments.environment, arguments.preset,
                             algorithm == arguments.given.end() ? "" : algorithm->second);
  }
  visit_fields(options, FieldParser{arguments.given});
  return options;
}

std::string describe(const Evaluation& e) {
  return rounded_text(e.mean_return, 6) + " +- " + rounded_text(e.standard_error, 3) +
         " (mean of " + std::to_string(e.returns.size()) +
         " fresh episodes and its standard error), worst " + rounded_text(e.worst_return, 6);
}

void print_result(const TrainArguments& arguments, const RunResult& result) {
  const std::filesystem::path folder = arguments.out;
  if (arguments.json) {
    print(write_json(to_json(result)) + "\n");
    return;
  }
  std::string text;
  if (std::holds_alternative<Tree>(result.policy.controller))
    text += "\n" + to_text(result.policy, {}) + "\n";
  text += "Return " + describe(result.fresh) + "\n";
  if (result.published_protocol) {
    text += "Published protocol (best mean of 5 episodes while learning, optimistic): " +
            rounded_text(*result.published_protocol, 6) + "\n";
  }
  text += std::to_string(count_parameters(result.policy)) + " parameters, " +
          std::to_string(result.steps) + " steps, " + rounded_text(result.seconds, 4) + " s\n";
  text += "Open " + (folder / "report.md").string() + ", " +
          (folder / "learning_curve.svg").string() + " and " + (folder / "policy.json").string() +
          "\n";
  print(text);
}

void train_one(const TrainArguments& arguments, const TrainOptions& options, int& exit_code) {
  ProgressLine line;
  RunPlan plan;
  plan.options = options;
  plan.folder = arguments.out;
  plan.resume = arguments.resume;
  plan.jobs = arguments.jobs;
  plan.stop = [] { return stop_requested.load(); };
  plan.report = [&](const RunProgress& progress) { line.show(options.environment, progress); };
  const std::optional<RunResult> result =
      run(plan, [&] { return make_environment(options.environment); });
  line.end();
  if (result) return print_result(arguments, *result);
  std::cerr << "icct: stopped and saved; go on with: icct train --resume --out " << arguments.out
            << "\n";
  exit_code = 1;
}

void train_several(const TrainArguments& arguments, const TrainOptions& options, int& exit_code) {
  ProgressLine line;
  SeedsPlan plan;
  plan.options = options;
  plan.folder = arguments.out;
  plan.resume = arguments.resume;
  plan.seeds = arguments.seeds;
  plan.jobs = arguments.jobs;
  plan.stop = [] { return stop_requested.load(); };
  plan.report = [&](std::uint64_t seed, const RunProgress& progress) {
    line.show("seed " + std::to_string(seed), progress);
  };
  const std::optional<std::vector<RunResult>> results =
      run_seeds(plan, [&] { return make_environment(options.environment); });
  line.end();
  if (!results) {
    std::cerr << "icct: stopped and saved; the same command with --resume goes on\n";
    exit_code = 1;
    return;
  }
  print(arguments.json ? write_json(summary_json(options, *results)) + "\n"
                       : summary_text(options, *results) + "Written to " + arguments.out +
                             ": summary.md, and a folder per seed\n");
}

void train(const TrainArguments& arguments, int& exit_code) {
  const TrainOptions options = options_of(arguments);
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
  if (arguments.seeds == 1) {
    train_one(arguments, options, exit_code);
  } else {
    train_several(arguments, options, exit_code);
  }
}

// One flag per field of the options, with the help that belongs to it.
struct FlagAdder {
  CLI::App& verb;
  std::map<std::string, std::string>& given;

  template <class Field>
  void operator()(const char* name, const Field& field, const char* help) const {
    const Json usual = field;
    const std::string shown = usual.is_string() ? usual.get<std::string>() : usual.dump();
    verb.add_option_function<std::string>(
        "--" + FieldParser::flag_of(name),
        [&given = given, key = std::string(name)](const std::string& text) { given[key] = text; },
        std::string(help) + " [" + shown + "]");
  }
};

}  // namespace

void add_train_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* verb = program.add_subcommand("train", "Learn a policy");
  verb->footer(kFooter);
  verb->add_option("ENV", arguments->environment, "the environment, e.g. lunar_lander");
  verb->add_option("--out", arguments->out, "folder of the run")->required();
  verb->add_option("--preset", arguments->preset, "default or paper")->capture_default_str();
  verb->add_flag("--resume", arguments->resume, "go on with a run that was stopped or killed");
  verb->add_option("--seeds", arguments->seeds, "so many runs, with seeds from --seed on")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb->add_option("--jobs", arguments->jobs, "threads: runs at the same time, or parts of one")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", arguments->json, "print one JSON object");
  const TrainOptions usual = preset_options("", "default", "");
  visit_fields(usual, FlagAdder{*verb, arguments->given});
  verb->callback([arguments, &exit_code] { train(*arguments, exit_code); });
}

}  // namespace icct
