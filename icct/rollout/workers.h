#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

// Environments for parallel episodes, one per thread. Results depend on the tasks alone, never on
// how many workers there are or which of them does what.
class Workers {
 public:
  Workers(const EnvironmentFactory& make_environment, int jobs);

  int jobs() const { return static_cast<int>(environments_.size()); }
  Environment& environment() { return *environments_.front(); }

  struct Task {
    const Policy* policy;
    std::uint64_t seed;
  };

  // What went wrong with simulators so far.
  std::vector<std::string> incidents() const;

  // Calls work(environment, i) for every i below `count`, several at the same time, each with an
  // environment of its own. Rethrows what `work` throws.
  void for_each(std::size_t count,
                const std::function<void(Environment& environment, std::size_t i)>& work);

  // One episode per task, results in the order of the tasks.
  std::vector<Episode> run(std::span<const Task> tasks);

 private:
  std::vector<std::unique_ptr<Environment>> environments_;
};

// Mean, spread and worst of `episodes` episodes for a purpose of a run.
Evaluation evaluate(Workers& workers, const Policy& policy, Purpose purpose, std::uint64_t run_seed,
                    int episodes);

}  // namespace icct
