#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/episode_options.h"
#include "cli/progress_line.h"
#include "cli/stop_request.h"
#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/env/make_environment.h"
#include "icct/policy/policy_file.h"
#include "icct/search/active_numbers.h"
#include "icct/search/evolve.h"
#include "icct/train/train_options.h"

namespace icct {
namespace {

struct RefineOptions {
  std::string file;
  std::string out;
  std::string environment;
  std::uint64_t seed = 0;
  int jobs = all_cores();
  std::optional<std::int64_t> steps;
  std::optional<int> report_episodes, validation_episodes;
  double first_step = EvolveOptions{}.first_step;
  bool json = false;
};

constexpr const char* kFooter =
    "\nKeeps the structure of the tree (questions, features) and improves its numbers (thresholds, "
    "biases, gains) by\n"
    "direct search on the return. The policy that did best on validation episodes is written; the "
    "return before and\n"
    "after is that of fresh episodes, which neither search nor validation has seen. Same seed and "
    "options, same file,\n"
    "whatever --jobs is. Ctrl-C ends the search and writes the best so far.\n"
    "\nExample:\n"
    "  icct refine examples/policies/lunar_lander.json --out better.json --steps 5000000";

// Tells how a search goes, also while a long generation or validation is under way.
class RefineProgress {
 public:
  RefineProgress(ProgressLine& line, const Workers& workers, std::string environment,
                 std::int64_t budget)
      : line_(line), workers_(workers), environment_(std::move(environment)), budget_(budget) {
    show();
  }
  ~RefineProgress() { line_.end(); }
  RefineProgress(const RefineProgress&) = delete;
  RefineProgress& operator=(const RefineProgress&) = delete;

  void show(const EvolveProgress& progress) {
    progress_ = progress;
    show();
  }

  void show() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
    RunProgress result;
    // Those of validations too, but told while a generation is under way.
    result.steps = std::min(workers_.steps_played(), budget_);
    result.budget = budget_;
    result.seconds = std::max(passed.count(), 1e-3);
    result.steps_per_second = static_cast<double>(workers_.steps_played()) / result.seconds;
    if (!progress_.validation.returns.empty()) {
      result.stage = "generation " + std::to_string(progress_.generation);
      result.validation = progress_.validation.mean_return;
      result.best_validation = progress_.best_validation;
    }
    line_.show(environment_, result);
  }

 private:
  ProgressLine& line_;
  const Workers& workers_;
  std::string environment_;
  std::int64_t budget_;
  EvolveProgress progress_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string describe(const Evaluation& evaluation) {
  return rounded_text(evaluation.mean_return, 6) + " +- " +
         rounded_text(evaluation.standard_error, 3) + ", worst " +
         rounded_text(evaluation.worst_return, 6) +
         (evaluation.lost == 0 ? "" : " (" + std::to_string(evaluation.lost) + " lost)");
}

// The best tree that the search finds, until it ends or is asked to stop.
Policy search(Workers& workers, const Policy& start, const EvolveOptions& options,
              std::uint64_t seed, ProgressLine& line) {
  RefineProgress progress(line, workers, workers.environment().name(), options.steps);
  workers.stop_when([&progress] {
    progress.show();
    return stop_requested();
  });
  Policy best = evolve(workers, start, options, seed,
                       [&progress](const EvolveProgress& now) { progress.show(now); });
  workers.stop_when([] { return false; });
  return best;
}

void print_report(const RefineOptions& options, const Evaluation& before, const Evaluation& after) {
  const auto episodes = before.returns.size() + static_cast<std::size_t>(before.lost);
  const auto json = [](const Evaluation& evaluation) -> Json {
    return {{"mean_return", evaluation.mean_return},
            {"standard_error", evaluation.standard_error},
            {"lost_episodes", evaluation.lost}};
  };
  if (options.json) {
    print(write_json({{"out", options.out},
                      {"episodes", episodes},
                      {"before", json(before)},
                      {"after", json(after)}}) +
          "\n");
  } else {
    print("Return on " + std::to_string(episodes) + " fresh episodes: before " + describe(before) +
          "; after " + describe(after) + "\nWritten to " + options.out + "\n");
  }
}

void refine(const RefineOptions& options, int& exit_code) {
  const Policy start = load_policy(options.file);
  const std::string name = environment_name(options.environment, start.environment, options.file);
  const TrainOptions usual = preset_options(name, "default", "search");
  EvolveOptions search_options;
  search_options.steps = options.steps.value_or(usual.steps);
  search_options.first_step = options.first_step;
  search_options.validation_episodes =
      options.validation_episodes.value_or(usual.validation_episodes);
  validate(search_options);
  require_writable(options.out);

  watch_for_stop();
  Workers workers([&name] { return make_environment(name); }, options.jobs);
  make_the_most(search_options, active_numbers(tree_of(start)).size(),
                workers.environment().max_steps());
  ProgressLine line;
  workers.tell_incidents([&line](const std::string& incident) { line.tell("icct", incident); });
  Policy best = search(workers, start, search_options, options.seed, line);
  best.environment = name;
  best.provenance.program = "icct " ICCT_VERSION;
  best.provenance.command = "refine " + options.file;
  best.provenance.seed = options.seed;
  best.provenance.options =
      write_json({{"steps", search_options.steps}, {"first_step", search_options.first_step}});
  save_policy(best, options.out);
  if (stop_requested()) {
    std::cerr << "icct: stopped; the best so far is in " << options.out << "\n";
    exit_code = 1;
    return;
  }
  const int episodes = options.report_episodes.value_or(usual.report_episodes);
  const auto fresh = [&](const Policy& policy) {
    return evaluate(workers, policy, Purpose::Report, options.seed, episodes);
  };
  const Evaluation before = fresh(start);
  print_report(options, before, fresh(best));
}

}  // namespace

void add_refine_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<RefineOptions>();
  CLI::App* verb =
      program.add_subcommand("refine", "Improve the numbers of a tree by direct search");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy to start from")->required();
  verb->add_option("--out", options->out, "where to write the result")->required();
  verb->add_option("--env", options->environment, "environment; default: the one the policy names");
  verb->add_option("--seed", options->seed, "of the search")->capture_default_str();
  verb->add_option("--validation-episodes", options->validation_episodes,
                   "that choose what is kept; default: as icct train does");
  verb->add_option("--steps", options->steps,
                   "environment steps to spend; default: as icct train does");
  verb->add_option("--first-step", options->first_step, "how far to look at first")
      ->capture_default_str();
  verb->add_option("--episodes", options->report_episodes,
                   "fresh episodes of the report; default: 100, in traffic 20")
      ->check(CLI::Range(1, 1000000));
  verb->add_option("--jobs", options->jobs, "episodes at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->callback([options, &exit_code] { refine(*options, exit_code); });
}

}  // namespace icct
