#include "icct/env/isolation/isolated_environment.h"

#include <algorithm>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/env/episode.h"

namespace icct {

IsolatedEnvironment::IsolatedEnvironment(WorkerProcess::Factory make_environment,
                                         IsolationOptions options)
    : make_environment_(std::move(make_environment)), options_(options) {
  const std::string trouble = start();
  if (trouble.empty()) return;
  // A mistake of the user, such as a wrong option, is no matter of processes.
  const std::string& report = worker_->report();
  throw Error(report.empty() ? "the simulator's process " + trouble
                             : report + worker_->last_words());
}

std::string IsolatedEnvironment::start() {
  worker_ = std::make_unique<WorkerProcess>(make_environment_, options_.snapshots);
  for (Moment& moment : moments_) moment.in_worker = false;
  std::string trouble = ask(Request::Describe);
  if (trouble.empty()) description_ = read_description(worker_->channel().read_text());
  return trouble;
}

std::string IsolatedEnvironment::ask(Request request) {
  worker_->ask(request);
  return wait_for_answer();
}

std::string IsolatedEnvironment::ask_reset() {
  worker_->channel().seed = seed_;
  return ask(Request::Reset);
}

std::string IsolatedEnvironment::wait_for_answer() {
  const bool warms_up = worker_->channel().request == Request::Reset;
  const double more = warms_up ? options_.warm_up_seconds * warm_up_steps() : 0;
  return worker_->wait(options_.watchdog_seconds + more);
}

void IsolatedEnvironment::reset(std::uint64_t seed, std::span<double> observation) {
  ICCT_CHECK(!asked_ && observation.size() == observations().size());
  seed_ = seed;
  played_.clear();
  moments_.clear();
  played_.reserve(static_cast<std::size_t>(max_steps()) * actions().size());
  running_ = true;
  is_lost_ = hopeless_.contains(seed);
  if (!is_lost_) {
    const std::string trouble = ask_reset();
    is_lost_ = !trouble.empty() && !recover(trouble);
  }
  if (is_lost_) {
    for (std::size_t i = 0; i < observation.size(); ++i)
      observation[i] = std::clamp(0.0, observations()[i].lower, observations()[i].upper);
  } else {
    std::copy_n(worker_->channel().observation.begin(), observation.size(), observation.begin());
  }
  last_observation_.assign(observation.begin(), observation.end());
}

Step IsolatedEnvironment::step(std::span<const double> action, std::span<double> observation) {
  begin_step(action);
  return finish_step(observation);
}

void IsolatedEnvironment::begin_step(std::span<const double> action) {
  ICCT_CHECK(running_ && !asked_);
  require_valid_action(action, actions(), name());
  played_.insert(played_.end(), action.begin(), action.end());
  if (!is_lost_) ask_step(played_.size() / actions().size() - 1);
  asked_ = true;
}

void IsolatedEnvironment::ask_step(std::size_t index) {
  Channel& channel = worker_->channel();
  channel.action_size = actions().size();
  std::copy_n(played_.begin() + static_cast<std::ptrdiff_t>(index * channel.action_size),
              channel.action_size, channel.action.begin());
  worker_->ask(Request::Step);
}

Step IsolatedEnvironment::finish_step(std::span<double> observation) {
  ICCT_CHECK(asked_ && observation.size() == observations().size());
  asked_ = false;
  if (!is_lost_) {
    const std::string trouble = wait_for_answer();
    is_lost_ = !trouble.empty() && !recover(trouble);
  }
  if (is_lost_) return lost_step(observation);
  const Channel& channel = worker_->channel();
  std::copy_n(channel.observation.begin(), observation.size(), observation.begin());
  std::ranges::copy(observation, last_observation_.begin());
  running_ = !channel.step.terminated && !channel.step.truncated;
  if (!running_) {
    failures_ = 0;
    reported_.clear();
  }
  return channel.step;
}

void IsolatedEnvironment::keep_moment() {
  ICCT_CHECK(keeps_moments() && running_ && !asked_);
  moments_.push_back({played_.size(), last_observation_, is_lost_, false});
  if (is_lost_) return;
  const std::string trouble = ask(Request::KeepMoment);
  moments_.back().in_worker = trouble.empty();
  is_lost_ = !trouble.empty() && !recover(trouble);
}

void IsolatedEnvironment::return_to_moment() {
  ICCT_CHECK(!moments_.empty() && !asked_);
  Moment moment = std::move(moments_.back());
  moments_.pop_back();
  played_.resize(moment.played);
  last_observation_ = std::move(moment.observation);
  running_ = true;
  is_lost_ = moment.is_lost;
  if (is_lost_) return;
  const std::string trouble = moment.in_worker ? ask(Request::ReturnToMoment) : play_again();
  is_lost_ = !trouble.empty() && !recover(trouble);
}

std::string IsolatedEnvironment::replay() {
  std::string trouble = start();
  if (!trouble.empty()) return trouble + " as it began";
  return play_again();
}

std::string IsolatedEnvironment::play_again() {
  std::string trouble = ask_reset();
  const std::size_t steps = played_.size() / actions().size();
  for (std::size_t i = 0; trouble.empty() && i < steps; ++i) {
    ask_step(i);
    trouble = wait_for_answer();
  }
  return trouble;
}

// Whether a new worker got as far as the one in trouble did, and farther. What the environment
// reports twice belongs to the episode; all else is a failure of the process.
bool IsolatedEnvironment::recover(const std::string& trouble) {
  const std::string report = worker_->report();
  const std::string then = trouble + "; a new one plays the episode again";
  if (report.empty())
    count_failure(then);
  else
    note(then);
  const std::string again = replay();
  if (again.empty()) return true;
  const std::string lost = again + " when the episode was played again, which is lost";
  if (report.empty() || worker_->report() != report) {
    count_failure(lost);
  } else {
    count_report(lost);
    if (played_.empty()) hopeless_.insert(seed_);
  }
  replace_worker();
  return false;
}

// At once: the next episode needs it.
void IsolatedEnvironment::replace_worker() {
  for (std::string trouble = start(); !trouble.empty(); trouble = start())
    count_failure(trouble + " as it began");
}

Step IsolatedEnvironment::lost_step(std::span<double> observation) {
  ++lost_;
  running_ = false;
  std::ranges::copy(last_observation_, observation.begin());
  return {.reward = 0, .terminated = false, .truncated = true, .lost = true};
}

void IsolatedEnvironment::note(const std::string& trouble) {
  const std::size_t step = played_.size() / actions().size();
  std::string incident = name() + ": the simulator's process " + std::to_string(worker_->pid()) +
                         ", in step " + std::to_string(step) + " of the episode with seed " +
                         std::to_string(seed_) + ", " + trouble;
  std::ranges::replace(incident, '\n', ' ');  // what a simulator prints may have many lines
  incidents_.push_back(incident);
  tell_(incident);
}

void IsolatedEnvironment::count_failure(const std::string& trouble) {
  note(trouble);
  if (++failures_ < options_.max_failures) return;
  throw Error(incidents_.back() + ". That makes " + std::to_string(failures_) +
              " failures in a row; giving up");
}

void IsolatedEnvironment::count_report(const std::string& trouble) {
  note(trouble);
  reported_.insert(seed_);
  if (std::ssize(reported_) < options_.max_reports) return;
  throw Error(incidents_.back() + ". That makes " + std::to_string(reported_.size()) +
              " lost episodes in a row; giving up");
}

// Without an answer the episode is played again, and the question asked once more.
std::string_view IsolatedEnvironment::ask_text(Request request) {
  ICCT_CHECK(!asked_);
  if (is_lost_) {
    throw Error(name() + ": the episode with seed " + std::to_string(seed_) +
                " is lost: there is nothing to see");
  }
  std::string trouble = ask(request);
  while (!trouble.empty()) {
    count_failure(trouble + "; a new one plays the episode again");
    trouble = replay();
    if (trouble.empty()) trouble = ask(request);
  }
  return worker_->channel().read_text();
}

std::vector<Metric> IsolatedEnvironment::metrics() {
  return read_metrics(ask_text(Request::Metrics));
}

Scene IsolatedEnvironment::scene() {
  return read_scene(ask_text(Request::Scene));
}

}  // namespace icct
