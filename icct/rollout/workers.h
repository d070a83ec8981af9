#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

// What workers throw when they are told to stop.
class Interrupted final : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

// Environments for parallel episodes, one per thread. Results depend on the tasks alone, never on
// how many workers there are or which of them does what.
class Workers {
 public:
  Workers(const EnvironmentFactory& make_environment, int jobs);

  int jobs() const { return static_cast<int>(environments_.size()); }
  Environment& environment() { return *environments_.front(); }

  // `stop` is asked between episodes, or a few that are run together, by the calling thread; once
  // it says yes, the work at hand ends with Interrupted.
  void stop_when(std::function<bool()> stop) { stop_ = std::move(stop); }

  // Of `run`, since the beginning; for progress while it works.
  std::int64_t steps_played() const { return steps_played_; }
  std::int64_t episodes_played() const { return episodes_played_; }

  struct Task {
    const Policy* policy;
    std::uint64_t seed;
    int horizon = kToTheEnd;  // see run_episode
  };

  // From now on tells what goes wrong with simulators, from several threads at once.
  void tell_incidents(const TellIncident& tell);

  // Calls work(environment, i) for every i below `count`, several at the same time, each with an
  // environment of its own. Rethrows what `work` throws; throws Interrupted.
  void for_each(std::size_t count,
                const std::function<void(Environment& environment, std::size_t i)>& work);

  // One episode per task, results in the order of the tasks. One that is lost is tried once more.
  // Where moments are kept, tasks with the same seed are run together. Each worker stays with a
  // seed as long as there are tasks of it: where resets take long, an environment that has just had
  // the same one is spared it.
  std::vector<Episode> run(std::span<const Task> tasks);

 private:
  std::vector<std::unique_ptr<Environment>> environments_;
  std::function<bool()> stop_ = [] { return false; };
  std::atomic<std::int64_t> steps_played_ = 0, episodes_played_ = 0;
};

// The first `episodes` episodes for a purpose of a run. Throws Error if the policy does not fit.
std::vector<Episode> play(Workers& workers, const Policy& policy, Purpose purpose,
                          std::uint64_t run_seed, int episodes, int horizon = kToTheEnd);

// Their mean, spread and worst. Throws Error if all of them are lost.
Evaluation evaluate(Workers& workers, const Policy& policy, Purpose purpose, std::uint64_t run_seed,
                    int episodes, int horizon = kToTheEnd);

// Of the results of several policies, each on the same so many episodes: which episodes nobody
// lost. Means over these alone compare the policies.
std::vector<bool> whole_episodes(std::span<const Episode> results, int episodes);

}  // namespace icct
