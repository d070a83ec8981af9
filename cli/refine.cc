#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/progress_line.h"
#include "icct/base/error.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/env/make_environment.h"
#include "icct/policy/policy_file.h"
#include "icct/search/evolve.h"

namespace icct {
namespace {

struct RefineOptions {
  std::string file;
  std::string out;
  std::string environment;
  std::uint64_t seed = 0;
  int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  int report_episodes = 100;
  bool json = false;
  EvolveOptions search;
};

constexpr const char* kFooter =
    "\nKeeps the structure of the tree (questions, features) and improves its numbers (thresholds, "
    "biases, gains) by\n"
    "direct search on the return. The policy that did best on validation episodes is written; the "
    "return before and\n"
    "after is that of fresh episodes, which neither search nor validation has seen. Same seed and "
    "options, same file,\n"
    "whatever --jobs is.\n"
    "\nExample:\n"
    "  icct refine examples/policies/lunar_lander.json --out better.json --steps 5000000";

// Turns the progress of a search into that of a run, for the progress line.
RunProgress run_progress(const EvolveProgress& progress, std::int64_t budget, double seconds) {
  RunProgress result;
  result.steps = progress.steps;
  result.budget = budget;
  result.steps_per_second = static_cast<double>(progress.steps) / std::max(seconds, 1e-3);
  result.seconds_left = static_cast<double>(std::max<std::int64_t>(0, budget - progress.steps)) /
                        std::max(result.steps_per_second, 1.0);
  result.stage = "generation " + std::to_string(progress.generation);
  result.validation = progress.validation.mean_return;
  result.best_validation = progress.best_validation;
  return result;
}

std::string describe(const Evaluation& evaluation) {
  return rounded_text(evaluation.mean_return, 6) + " +- " +
         rounded_text(evaluation.standard_error, 3) + ", worst " +
         rounded_text(evaluation.worst_return, 6);
}

void refine(const RefineOptions& options) {
  const Policy start = load_policy(options.file);
  const std::string name = options.environment.empty() ? start.environment : options.environment;
  if (name.empty())
    throw Error(options.file + ": the policy names no environment; name one with --env");
  Workers workers([&name] { return make_environment(name); }, options.jobs);
  ProgressLine line;
  const auto begin = std::chrono::steady_clock::now();
  Policy best =
      evolve(workers, start, options.search, options.seed, [&](const EvolveProgress& progress) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
        line.show(name, run_progress(progress, options.search.steps, passed.count()));
      });
  line.end();
  best.environment = name;
  best.provenance.program = "icct " ICCT_VERSION;
  best.provenance.command = "refine " + options.file;
  best.provenance.seed = options.seed;
  best.provenance.options =
      write_json({{"steps", options.search.steps}, {"first_step", options.search.first_step}});
  save_policy(best, options.out);

  const Evaluation before =
      evaluate(workers, start, Purpose::Report, options.seed, options.report_episodes);
  const Evaluation after =
      evaluate(workers, best, Purpose::Report, options.seed, options.report_episodes);
  if (options.json) {
    print(write_json(
              {{"out", options.out},
               {"episodes", options.report_episodes},
               {"before",
                {{"mean_return", before.mean_return}, {"standard_error", before.standard_error}}},
               {"after",
                {{"mean_return", after.mean_return}, {"standard_error", after.standard_error}}}}) +
          "\n");
  } else {
    print("Return on " + std::to_string(options.report_episodes) + " fresh episodes: before " +
          describe(before) + "; after " + describe(after) + "\nWritten to " + options.out + "\n");
  }
}

}  // namespace

void add_refine_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<RefineOptions>();
  CLI::App* verb =
      program.add_subcommand("refine", "Improve the numbers of a tree by direct search");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy to start from")->required();
  verb->add_option("--out", options->out, "where to write the result")->required();
  verb->add_option("--env", options->environment, "environment; default: the one the policy names");
  verb->add_option("--seed", options->seed, "of the search")->capture_default_str();
  verb->add_option("--steps", options->search.steps, "environment steps to spend")
      ->capture_default_str();
  verb->add_option("--first-step", options->search.first_step, "how far to look at first")
      ->capture_default_str();
  verb->add_option("--episodes", options->report_episodes, "fresh episodes of the report")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--jobs", options->jobs, "episodes at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->callback([options] { refine(*options); });
}

}  // namespace icct
