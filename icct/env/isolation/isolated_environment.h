#pragma once

#include <memory>
#include <string>
#include <vector>

#include "icct/env/isolation/serve.h"
#include "icct/env/isolation/worker_process.h"

namespace icct {

struct IsolationOptions {
  double watchdog_seconds = 120;  // without an answer: the worker counts as hung
  int snapshots = -1;             // resets to keep, where they take long; below 0: what is usual
  int max_failures = 5;           // without a whole episode between them, then Error
};

// An environment that lives in a process of its own, for simulators that allow one simulation per
// process, that may crash or hang. A worker that dies, hangs or reports an error is replaced and
// the episode played again up to where it was: environments repeat exactly, so nothing is lost. If
// it fails there again the episode is lost: its last step says so.
class IsolatedEnvironment final : public Environment {
 public:
  explicit IsolatedEnvironment(WorkerProcess::Factory make_environment,
                               IsolationOptions options = {});

  const std::string& name() const override { return description_.name; }
  const Space& observations() const override { return description_.observations; }
  const Space& actions() const override { return description_.actions; }
  int max_steps() const override { return description_.max_steps; }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;
  void begin_step(std::span<const double> action) override;
  Step finish_step(std::span<double> observation) override;
  bool works_aside() const override { return true; }
  std::vector<Metric> metrics() override;
  Scene scene() override;
  std::vector<std::string> incidents() const override { return incidents_; }

  int lost_episodes() const { return lost_; }
  pid_t worker() const { return worker_->pid(); }

 private:
  std::string start();  // a new worker; what went wrong, or nothing
  void ask_step(std::size_t index);
  std::string_view ask_text(Request request);
  std::string replay();  // the episode so far, in a new worker; what went wrong, or nothing
  std::string where() const;
  void count_failure(const std::string& trouble);
  Step lose_episode(std::span<double> observation);

  WorkerProcess::Factory make_environment_;
  IsolationOptions options_;
  std::unique_ptr<WorkerProcess> worker_;
  Description description_;
  std::uint64_t seed_ = 0;
  std::vector<double> played_;  // all actions of the episode, one after the other
  std::vector<double> last_observation_;
  bool running_ = false;
  bool asked_ = false;  // a step was begun
  int failures_ = 0;    // since an episode ended well
  int lost_ = 0;
  std::vector<std::string> incidents_;
};

}  // namespace icct
