#include "icct/rollout/workers.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "icct/base/check.h"

namespace icct {

Workers::Workers(const EnvironmentFactory& make_environment, int jobs) {
  ICCT_CHECK(jobs > 0);
  for (int i = 0; i < jobs; ++i) environments_.push_back(make_environment());
}

void Workers::for_each(std::size_t count,
                       const std::function<void(Environment& environment, std::size_t i)>& work) {
  std::vector<std::exception_ptr> problems(environments_.size());
  std::atomic<std::size_t> next = 0;
  const auto serve = [&](std::size_t worker) {
    try {
      for (std::size_t i = next++; i < count; i = next++) {
        if (worker == 0 && stop_()) {
          next = count;  // nobody begins another
          throw Interrupted();
        }
        work(*environments_[worker], i);
      }
    } catch (...) {
      problems[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 1; worker < environments_.size(); ++worker)
      threads.emplace_back(serve, worker);
    serve(0);
  }
  for (const std::exception_ptr& problem : problems) {
    if (problem) std::rethrow_exception(problem);
  }
}

std::vector<Episode> Workers::run(std::span<const Task> tasks) {
  std::vector<Episode> episodes(tasks.size());
  for_each(tasks.size(), [&](Environment& environment, std::size_t i) {
    const auto play = [&] {
      episodes[i] = run_episode(environment, *tasks[i].policy, tasks[i].seed);
      steps_played_ += episodes[i].steps;
    };
    play();
    if (episodes[i].lost) play();
  });
  return episodes;
}

namespace {

std::vector<Metric> sum_of_metrics(const std::vector<Episode>& episodes) {
  std::vector<Metric> sum;
  for (const Episode& episode : episodes) {
    if (sum.empty()) {
      sum = episode.metrics;
      continue;
    }
    for (std::size_t i = 0; i < episode.metrics.size(); ++i)
      sum[i].value += episode.metrics[i].value;
  }
  return sum;
}

}  // namespace

void Workers::tell_incidents(const TellIncident& tell) {
  for (const auto& environment : environments_) environment->tell_incidents(tell);
}

std::vector<Episode> play(Workers& workers, const Policy& policy, Purpose purpose,
                          std::uint64_t run_seed, int episodes) {
  require_match(policy, workers.environment());
  std::vector<Workers::Task> tasks;
  for (int i = 0; i < episodes; ++i) {
    tasks.push_back({&policy, episode_seed(run_seed, purpose, static_cast<std::uint64_t>(i))});
  }
  return workers.run(tasks);
}

Evaluation evaluate(Workers& workers, const Policy& policy, Purpose purpose, std::uint64_t run_seed,
                    int episodes) {
  const std::vector<Episode> results = play(workers, policy, purpose, run_seed, episodes);
  std::vector<double> returns;
  for (const Episode& episode : results) {
    if (!episode.lost) returns.push_back(episode.total_reward);
  }
  if (returns.empty() && !results.empty()) throw all_lost(episodes, workers.environment());
  Evaluation evaluation = summarise(std::move(returns));
  evaluation.metrics = sum_of_metrics(results);
  evaluation.lost = static_cast<int>(std::ranges::count(results, true, &Episode::lost));
  return evaluation;
}

std::vector<bool> whole_episodes(std::span<const Episode> results, int episodes) {
  std::vector<bool> whole(static_cast<std::size_t>(episodes), true);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].lost) whole[i % whole.size()] = false;
  }
  return whole;
}

}  // namespace icct
