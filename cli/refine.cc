#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "cli/commands.h"
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

// One line on standard error, rewritten in place on a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(std::int64_t budget) : budget_(budget) {}

  void operator()(const EvolveProgress& progress) {
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const auto done = static_cast<double>(progress.steps) / static_cast<double>(budget_);
    const double left = done > 0 ? seconds * (1 - done) / done : 0;
    std::cerr << "\r" << static_cast<int>(100 * std::min(done, 1.0)) << " %, generation "
              << progress.generation << ", " << progress.episodes << " episodes each, "
              << static_cast<std::int64_t>(static_cast<double>(progress.steps) /
                                           std::max(seconds, 1e-3))
              << " steps/s, validation " << rounded_text(progress.validation.mean_return, 5)
              << " (best " << rounded_text(progress.best_validation, 5) << "), "
              << static_cast<int>(std::max(left, 0.0)) << " s left    " << std::flush;
  }
  void end() const { std::cerr << "\n"; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t budget_;
};

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
  ProgressLine line(options.search.steps);
  Policy best = evolve(workers, start, options.search, options.seed,
                       [&line](const EvolveProgress& progress) { line(progress); });
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
