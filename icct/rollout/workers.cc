#include "icct/rollout/workers.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "icct/base/check.h"
#include "icct/rollout/together.h"

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

namespace {

using Bundle = std::vector<std::size_t>;  // tasks that one worker does, of one seed and horizon

constexpr std::size_t kMost = 8;  // tasks in a bundle, so that it does not take long

// All tasks in bundles of at most `most`. How they are bundled decides what is simulated twice, so
// it depends on the tasks alone.
std::vector<Bundle> bundle(std::span<const Workers::Task> tasks, std::size_t most) {
  std::map<std::pair<std::uint64_t, int>, std::size_t> open;  // the bundle with room, if any
  std::vector<Bundle> bundles;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto [place, is_new] = open.try_emplace({tasks[i].seed, tasks[i].horizon});
    if (is_new || bundles[place->second].size() >= most) {
      place->second = bundles.size();
      bundles.emplace_back();
    }
    bundles[place->second].push_back(i);
  }
  return bundles;
}

// Deals bundles out so that a worker stays with one seed, and two are with the same seed only when
// there is no other left.
class Dealer {
 public:
  Dealer(std::span<const Bundle> bundles, std::span<const Workers::Task> tasks) {
    std::map<std::uint64_t, std::size_t> group_of;
    for (const Bundle& bundle : bundles) {
      const auto [group, is_new] = group_of.try_emplace(tasks[bundle.front()].seed, groups_.size());
      if (is_new) groups_.emplace_back();
      groups_[group->second].push_back(&bundle);
    }
  }

  // The next bundle of a worker, of which there must be one left.
  const Bundle& next(const Environment* worker) {
    const std::scoped_lock lock(mutex_);
    const auto [group, is_new] = group_of_worker_.try_emplace(worker, 0);
    if (is_new || groups_[group->second].empty()) group->second = another_group();
    const Bundle* bundle = groups_[group->second].front();
    groups_[group->second].pop_front();
    return *bundle;
  }

 private:
  using Queue = std::deque<const Bundle*>;

  std::size_t another_group() {
    if (untouched_ < groups_.size()) return untouched_++;
    const auto longest = std::ranges::max_element(groups_, {}, &Queue::size);
    return static_cast<std::size_t>(longest - groups_.begin());
  }

  std::mutex mutex_;
  std::vector<Queue> groups_;  // bundles that are left, by seed
  std::size_t untouched_ = 0;  // the first group that nobody has begun
  std::map<const Environment*, std::size_t> group_of_worker_;
};

}  // namespace

std::vector<Episode> Workers::run(std::span<const Task> tasks) {
  std::vector<Episode> episodes(tasks.size());
  const std::vector<Bundle> bundles = bundle(tasks, environment().keeps_moments() ? kMost : 1);
  Dealer dealer(bundles, tasks);
  const auto play = [&](Environment& environment, const Bundle& bundle) {
    std::vector<const Policy*> policies;
    for (const std::size_t i : bundle) policies.push_back(tasks[i].policy);
    const Task& first = tasks[bundle.front()];
    const std::vector<Episode> results =
        run_together(environment, policies, first.seed, first.horizon);
    for (std::size_t i = 0; i < bundle.size(); ++i) {
      episodes[bundle[i]] = results[i];
      steps_played_ += results[i].simulated;
    }
  };
  for_each(bundles.size(), [&](Environment& environment, std::size_t) {
    const Bundle& bundle = dealer.next(&environment);
    const auto lost = [&](std::size_t i) { return episodes[i].lost; };
    play(environment, bundle);
    // The whole of it, so that what was simulated is the same whatever fails.
    if (std::ranges::any_of(bundle, lost)) play(environment, bundle);
    episodes_played_ += static_cast<std::int64_t>(bundle.size());
  });
  return episodes;
}

namespace {

std::vector<Metric> sum_of_metrics(const std::vector<std::vector<Metric>>& episodes) {
  if (episodes.empty()) return {};
  std::vector<Metric> sum = episodes.front();
  for (const std::vector<Metric>& metrics : std::span(episodes).subspan(1)) {
    for (std::size_t i = 0; i < metrics.size(); ++i) sum[i].value += metrics[i].value;
  }
  return sum;
}

}  // namespace

void Workers::tell_incidents(const TellIncident& tell) {
  for (const auto& environment : environments_) environment->tell_incidents(tell);
}

std::vector<Episode> play(Workers& workers, const Policy& policy, Purpose purpose,
                          std::uint64_t run_seed, int episodes, int horizon) {
  require_match(policy, workers.environment());
  std::vector<Workers::Task> tasks;
  for (int i = 0; i < episodes; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    tasks.push_back({&policy, episode_seed(run_seed, purpose, index), horizon});
  }
  return workers.run(tasks);
}

Evaluation evaluate(Workers& workers, const Policy& policy, Purpose purpose, std::uint64_t run_seed,
                    int episodes, int horizon) {
  const std::vector<Episode> results = play(workers, policy, purpose, run_seed, episodes, horizon);
  std::vector<double> returns;
  std::vector<std::vector<Metric>> metrics;
  for (const Episode& episode : results) {
    if (episode.lost) continue;
    returns.push_back(episode.total_reward);
    metrics.push_back(episode.metrics);
  }
  if (returns.empty() && !results.empty()) throw all_lost(episodes, workers.environment());
  Evaluation evaluation = summarise(std::move(returns));
  evaluation.metrics = sum_of_metrics(metrics);
  evaluation.episode_metrics = std::move(metrics);
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
