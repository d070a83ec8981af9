#include "cli/run_command.h"

#include <iostream>

#include "cli/commands.h"
#include "cli/progress_line.h"
#include "cli/stop_request.h"
#include "icct/base/number.h"
#include "icct/export/to_text.h"
#include "icct/policy/parameter_count.h"
#include "icct/run/run.h"
#include "icct/run/seeds.h"

namespace icct {
namespace {

std::string describe(const Evaluation& e) {
  return rounded_text(e.mean_return, 6) + " +- " + rounded_text(e.standard_error, 3) +
         " (mean of " + std::to_string(e.returns.size()) +
         " fresh episodes and its standard error), worst " + rounded_text(e.worst_return, 6) +
         (e.lost == 0 ? "" : " (" + std::to_string(e.lost) + " more were lost)");
}

void print_result(const RunArguments& arguments, const RunResult& result) {
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

void run_one(const RunArguments& arguments, const std::string& verb, const RunTask& task,
             int& exit_code) {
  ProgressLine line;
  RunPlan plan;
  plan.task = task;
  plan.folder = arguments.out;
  plan.resume = arguments.resume;
  plan.jobs = arguments.jobs;
  plan.stop = stop_requested;
  plan.report = [&](const RunProgress& progress) {
    line.show(task.options.at("environment").get<std::string>(), progress);
  };
  plan.tell = [&line](const std::string& incident) { line.tell("icct", incident); };
  const std::optional<RunResult> result = run(plan);
  line.end();
  if (result) return print_result(arguments, *result);
  std::cerr << "icct: stopped and saved; go on with: icct " << verb << " --resume --out "
            << arguments.out << "\n";
  exit_code = 1;
}

void run_several(const RunArguments& arguments, std::uint64_t first_seed,
                 const std::function<RunTask(std::uint64_t seed)>& task, int& exit_code) {
  ProgressLine line;
  SeedsPlan plan;
  plan.task = task;
  plan.first_seed = first_seed;
  plan.folder = arguments.out;
  plan.resume = arguments.resume;
  plan.seeds = arguments.seeds;
  plan.jobs = arguments.jobs;
  plan.stop = stop_requested;
  plan.report = [&](std::uint64_t seed, const RunProgress& progress) {
    line.show("seed " + std::to_string(seed), progress);
  };
  plan.tell = [&line](std::uint64_t seed, const std::string& incident) {
    line.tell("seed " + std::to_string(seed), incident);
  };
  const std::optional<std::vector<RunResult>> results = run_seeds(plan);
  line.end();
  if (!results) {
    std::cerr << "icct: stopped and saved; the same command with --resume goes on\n";
    exit_code = 1;
    return;
  }
  const RunTask first = task(first_seed);
  print(arguments.json ? write_json(summary_json(first, *results)) + "\n"
                       : summary_text(first, *results) + "Written to " + arguments.out +
                             ": summary.md, and a folder per seed\n");
}

}  // namespace

void add_run_flags(CLI::App& verb, RunArguments& arguments) {
  verb.add_option("--out", arguments.out, "folder of the run")->required();
  verb.add_flag("--resume", arguments.resume, "go on with a run that was stopped or killed");
  verb.add_option("--seeds", arguments.seeds, "so many runs, with seeds from --seed on")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb.add_option("--jobs", arguments.jobs, "threads: runs at the same time, or parts of one")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb.add_flag("--json", arguments.json, "print one JSON object");
}

void run_command(const RunArguments& arguments, const std::string& verb, std::uint64_t first_seed,
                 const std::function<RunTask(std::uint64_t seed)>& task, int& exit_code) {
  watch_for_stop();
  if (arguments.seeds == 1) {
    run_one(arguments, verb, task(first_seed), exit_code);
  } else {
    run_several(arguments, first_seed, task, exit_code);
  }
}

}  // namespace icct
