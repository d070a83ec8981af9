#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "icct/env/isolation/serve.h"
#include "icct/env/isolation/worker_process.h"

namespace icct {

struct IsolationOptions {
  double watchdog_seconds = 120;  // without an answer: the worker counts as hung
  double warm_up_seconds = 0.05;  // more of them for every step of a warm-up
  int snapshots = -1;             // resets to keep, where they take long; below 0: what is usual
  // Without a whole episode between them, then Error:
  int max_failures = 5;  // crashes, hangs
  int max_reports = 20;  // different episodes of which the environment reports the same error twice
};

// An environment that lives in a process of its own, for simulators that allow one simulation per
// process, that may crash or hang. A worker that dies, hangs or reports an error is replaced and
// the episode played again up to where it was: environments repeat exactly, so nothing is lost. If
// it fails there again the episode is lost: its last step says so, which is the first one if the
// reset failed. A reset that reports the same error again is not tried a third time.
class IsolatedEnvironment final : public Environment {
 public:
  explicit IsolatedEnvironment(WorkerProcess::Factory make_environment,
                               IsolationOptions options = {});

  const std::string& name() const override { return description_.name; }
  const Space& observations() const override { return description_.observations; }
  const Space& actions() const override { return description_.actions; }
  int max_steps() const override { return description_.max_steps; }
  int warm_up_steps() const override { return description_.warm_up_steps; }
  void reset(std::uint64_t seed, std::span<double> observation) override;
  Step step(std::span<const double> action, std::span<double> observation) override;
  void begin_step(std::span<const double> action) override;
  Step finish_step(std::span<double> observation) override;
  bool works_aside() const override { return true; }
  bool keeps_moments() const override { return options_.snapshots > 0; }
  void keep_moment() override;
  void return_to_moment() override;
  std::vector<Metric> metrics() override;  // throws Error if the episode is lost
  Scene scene() override;                  // likewise
  void tell_incidents(const TellIncident& tell) override { tell_ = tell; }

  const std::vector<std::string>& incidents() const { return incidents_; }
  int lost_episodes() const { return lost_; }
  pid_t worker() const { return worker_->pid(); }

 private:
  struct Moment {
    std::size_t played;  // how far the episode was
    std::vector<double> observation;
    bool is_lost;
    bool in_worker;  // else the worker that kept it is gone
  };

  // These give back what went wrong, or nothing.
  std::string start();  // a new worker
  std::string ask(Request request);
  std::string ask_reset();
  std::string wait_for_answer();
  std::string replay();      // the episode so far, in a new worker
  std::string play_again();  // the same in the present one

  void ask_step(std::size_t index);
  std::string_view ask_text(Request request);
  bool recover(const std::string& trouble);
  Step lost_step(std::span<double> observation);
  void replace_worker();
  void note(const std::string& trouble);
  void count_failure(const std::string& trouble);
  void count_report(const std::string& trouble);

  WorkerProcess::Factory make_environment_;
  IsolationOptions options_;
  std::unique_ptr<WorkerProcess> worker_;
  Description description_;
  std::uint64_t seed_ = 0;
  std::vector<double> played_;  // all actions of the episode, one after the other
  std::vector<double> last_observation_;
  std::vector<Moment> moments_;
  bool running_ = false;
  bool asked_ = false;                // a step was begun
  bool is_lost_ = false;              // the present episode
  int lost_ = 0;                      // episodes
  int failures_ = 0;                  // since an episode ended well
  std::set<std::uint64_t> reported_;  // seeds of episodes with errors that came back, since then
  std::set<std::uint64_t> hopeless_;  // seeds whose reset reports the same error every time
  std::vector<std::string> incidents_;
  TellIncident tell_ = [](const std::string&) {};
};

}  // namespace icct
