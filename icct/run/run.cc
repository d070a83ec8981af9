#include "icct/run/run.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "icct/run/run_directory.h"

namespace icct {
namespace {

constexpr double kProgressEvery = 1;       // seconds between two writings of progress
constexpr double kCheckpointEvery = 0.25;  // seconds, at least
constexpr double kCheckpointShare = 30;    // and so many times as long as writing takes
constexpr double kPatience = 0.5;  // seconds; a longer piece of work is stopped in the middle

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// What goes wrong with simulators, from any thread: told at once, and written down as soon as there
// is a folder.
class IncidentLog {
 public:
  explicit IncidentLog(TellIncident tell) : tell_(std::move(tell)) {}

  void add(const std::string& incident) {
    const std::lock_guard lock(mutex_);
    tell_(incident);
    if (directory_ == nullptr)
      early_.push_back(incident);
    else
      directory_->add_incident(incident);
  }

  void write_into(RunDirectory& directory) {
    const std::lock_guard lock(mutex_);
    directory_ = &directory;
    for (const std::string& incident : early_) directory.add_incident(incident);
  }

 private:
  TellIncident tell_;
  std::mutex mutex_;
  RunDirectory* directory_ = nullptr;
  std::vector<std::string> early_;
};

// Writes what is due, no more often than is useful.
class Bookkeeper {
 public:
  Bookkeeper(RunDirectory& directory, Learner& learner, const Workers& workers, const RunPlan& plan)
      : directory_(directory),
        learner_(learner),
        workers_(workers),
        plan_(plan),
        first_steps_(learner.steps()) {
    const auto& rows = learner.selection().progress().rows;
    if (!rows.empty()) earlier_ = rows.back().seconds;
  }

  double seconds() const { return earlier_ + watch_.seconds(); }

  void after_piece() {
    learner_.selection().stamp(seconds());
    if (watch_.seconds() >= next_progress_) write_progress();
    if (watch_.seconds() >= next_checkpoint_) write_checkpoint();
  }

  // In the middle of a long piece: tells that it goes on. Environments may be at work meanwhile.
  void during_piece() {
    if (watch_.seconds() < next_progress_) return;
    next_progress_ = watch_.seconds() + kProgressEvery;
    plan_.report(progress());
  }

  void write_all() {
    write_progress();
    write_checkpoint();
  }

 private:
  void write_progress() {
    directory_.write_progress(learner_);
    next_progress_ = watch_.seconds() + kProgressEvery;
    plan_.report(progress());
  }

  void write_checkpoint() {
    const double before = watch_.seconds();
    directory_.write_checkpoint(learner_);
    const double took = watch_.seconds() - before;
    next_checkpoint_ = watch_.seconds() + std::max(kCheckpointEvery, kCheckpointShare * took);
  }

  RunProgress progress() const {
    RunProgress result;
    result.steps = learner_.steps();
    result.budget = learner_.budget();
    const auto learned = static_cast<double>(result.steps - first_steps_);
    const auto played = static_cast<double>(workers_.steps_played());
    result.steps_per_second = std::max(learned, played) / watch_.seconds();
    result.seconds = seconds();
    const auto& rows = learner_.selection().progress().rows;
    if (rows.empty()) return result;
    result.stage = rows.back().stage;
    result.validation = rows.back().validation_mean;
    result.best_validation = rows.back().best_validation;
    result.leaves = rows.back().leaves;
    return result;
  }

  RunDirectory& directory_;
  Learner& learner_;
  const Workers& workers_;
  const RunPlan& plan_;
  Stopwatch watch_;
  std::int64_t first_steps_;
  double earlier_ = 0;  // seconds of earlier processes
  double next_progress_ = 0;
  double next_checkpoint_ = 0;
};

// All of a run; throws Interrupted where it stops in the middle of a piece of work.
std::optional<RunResult> run(const RunPlan& plan, Workers& workers) {
  IncidentLog log(plan.tell);
  const TellIncident tell = [&log](const std::string& incident) { log.add(incident); };
  workers.tell_incidents(tell);
  const std::unique_ptr<Learner> learner = plan.task.make_learner(workers, plan.jobs);
  learner->tell_incidents(tell);
  // Last, so that options that are refused leave no folder behind.
  RunDirectory directory(plan.folder, plan.task, plan.resume);
  directory.restore(*learner);
  log.write_into(directory);
  Bookkeeper books(directory, *learner, workers, plan);
  while (!learner->finished()) {
    if (plan.stop()) {
      books.write_all();
      return {};
    }
    const Stopwatch piece;
    workers.stop_when([&] {
      books.during_piece();
      return piece.seconds() > kPatience && plan.stop();
    });
    learner->advance();
    workers.stop_when(plan.stop);
    books.after_piece();
  }
  books.write_all();
  RunResult result;
  result.policy = learner->selection().best();
  result.fresh =
      evaluate(workers, result.policy, Purpose::Report, plan.task.seed, plan.task.report_episodes);
  result.published_protocol = learner->selection().published_protocol();
  result.seconds = books.seconds();
  result.steps = learner->steps();
  result.incidents = directory.incidents();
  directory.write_report(*learner, result);
  return result;
}

}  // namespace

std::optional<RunResult> run(const RunPlan& plan) {
  Workers workers(plan.task.make_environment, plan.jobs);
  try {
    return run(plan, workers);
  } catch (const Interrupted&) {
    return {};  // the checkpoint after the last whole piece is there
  }
}

}  // namespace icct
