#include "icct/run/seeds.h"

#include <atomic>
#include <exception>
#include <thread>

#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/policy/parameter_count.h"

namespace icct {
namespace {

Evaluation over_seeds(const std::vector<RunResult>& results) {
  std::vector<double> means;
  for (const RunResult& result : results) means.push_back(result.fresh.mean_return);
  return summarise(std::move(means));
}

std::string table(std::uint64_t first_seed, const std::vector<RunResult>& results) {
  std::string text =
      "| seed | mean return | standard error | standard deviation | worst episode | published "
      "protocol | leaves | parameters | steps | seconds "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n";
  const auto number = [](double value) { return rounded_text(value, 5); };
  for (std::size_t i = 0; i < results.size(); ++i) {
    const RunResult& r = results[i];
    const auto* tree = std::get_if<Tree>(&r.policy.controller);
    text += "| " + std::to_string(first_seed + i) + " | " + number(r.fresh.mean_return) + " | " +
            rounded_text(r.fresh.standard_error, 3) + " | " + number(r.fresh.std_return) + " | " +
            number(r.fresh.worst_return) + " | " +
            (r.published_protocol ? number(*r.published_protocol) : "") + " | " +
            (tree != nullptr ? std::to_string(tree->leaves.size()) : "") + " | " +
            std::to_string(count_parameters(r.policy)) + " | " + std::to_string(r.steps) + " | " +
            rounded_text(r.seconds, 4) + " |\n";
  }
  return text;
}

}  // namespace

std::filesystem::path seed_folder(const std::filesystem::path& folder, std::uint64_t seed) {
  return folder / ("seed" + std::to_string(seed));
}

std::optional<std::vector<RunResult>> run_seeds(const SeedsPlan& plan) {
  const auto count = static_cast<std::size_t>(plan.seeds);
  std::vector<std::optional<RunResult>> results(count);
  std::vector<std::exception_ptr> problems(count);
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !failed && !plan.stop(); i = next++) {
      try {
        RunPlan one;
        one.task = plan.task(plan.first_seed + i);
        one.folder = seed_folder(plan.folder, one.task.seed);
        one.resume = plan.resume;
        one.stop = [&] { return failed || plan.stop(); };
        one.report = [&, seed = one.task.seed](const RunProgress& progress) {
          plan.report(seed, progress);
        };
        one.tell = [&, seed = one.task.seed](const std::string& incident) {
          plan.tell(seed, incident);
        };
        results[i] = run(one);
      } catch (...) {
        problems[i] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int j = 1; j < std::min(plan.jobs, plan.seeds); ++j) threads.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
  std::vector<RunResult> complete;
  for (std::optional<RunResult>& result : results) {
    if (!result) return {};
    complete.push_back(std::move(*result));
  }
  const RunTask first = plan.task(plan.first_seed);
  write_file_atomically(plan.folder / "summary.md", summary_text(first, complete));
  write_file_atomically(plan.folder / "summary.json",
                        write_json(summary_json(first, complete)) + "\n");
  return complete;
}

Json to_json(const RunResult& r) {
  Json json = {{"mean_return", r.fresh.mean_return},
               {"std_return", r.fresh.std_return},
               {"standard_error", r.fresh.standard_error},
               {"worst_return", r.fresh.worst_return},
               {"episodes", r.fresh.returns.size()},
               {"lost_episodes", r.fresh.lost},
               {"parameters", count_parameters(r.policy)},
               {"steps", r.steps},
               {"seconds", r.seconds}};
  json["published_protocol"] = r.published_protocol ? Json(*r.published_protocol) : Json();
  return json;
}

Json summary_json(const RunTask& first, const std::vector<RunResult>& results) {
  const Evaluation all = over_seeds(results);
  Json json = {{"options", first.options},
               {"mean_return", all.mean_return},
               {"std_over_seeds", all.std_return},
               {"worst_seed", all.worst_return},
               {"runs", Json::array()}};
  for (const RunResult& result : results) json["runs"].push_back(to_json(result));
  return json;
}

std::string summary_text(const RunTask& first, const std::vector<RunResult>& results) {
  const Evaluation all = over_seeds(results);
  return "`" + first.command + " --seeds " + std::to_string(results.size()) + "`\n\nMean of " +
         std::to_string(results.size()) + " seeds, " + std::to_string(first.report_episodes) +
         " fresh episodes each: **" + rounded_text(all.mean_return, 5) +
         "**, standard deviation over seeds " + rounded_text(all.std_return, 3) + ", worst seed " +
         rounded_text(all.worst_return, 5) + ".\n\n" + table(first.seed, results);
}

}  // namespace icct
