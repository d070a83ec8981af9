#include "icct/env/isolation/isolated_environment.h"

#include <algorithm>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/env/episode.h"

namespace icct {

IsolatedEnvironment::IsolatedEnvironment(WorkerProcess::Factory make_environment,
                                         IsolationOptions options)
    : make_environment_(std::move(make_environment)), options_(options) {
  if (const std::string trouble = start(); !trouble.empty())
    throw Error("the simulator's process " + trouble);
}

std::string IsolatedEnvironment::start() {
  worker_ = std::make_unique<WorkerProcess>(make_environment_, options_.watchdog_seconds,
                                            options_.snapshots);
  worker_->ask(Request::Describe);
  std::string trouble = worker_->wait();
  if (trouble.empty()) description_ = read_description(worker_->channel().read_text());
  return trouble;
}

void IsolatedEnvironment::reset(std::uint64_t seed, std::span<double> observation) {
  ICCT_CHECK(!asked_ && observation.size() == observations().size());
  seed_ = seed;
  played_.clear();
  played_.reserve(static_cast<std::size_t>(max_steps()) * actions().size());
  running_ = true;
  worker_->channel().seed = seed;
  worker_->ask(Request::Reset);
  std::string trouble = worker_->wait();
  while (!trouble.empty()) {
    count_failure(trouble + "; a new one begins the episode again");
    trouble = replay();
  }
  last_observation_.assign(
      worker_->channel().observation.begin(),
      worker_->channel().observation.begin() + static_cast<std::ptrdiff_t>(observation.size()));
  std::ranges::copy(last_observation_, observation.begin());
}

Step IsolatedEnvironment::step(std::span<const double> action, std::span<double> observation) {
  begin_step(action);
  return finish_step(observation);
}

void IsolatedEnvironment::begin_step(std::span<const double> action) {
  ICCT_CHECK(running_ && !asked_);
  require_valid_action(action, actions(), name());
  played_.insert(played_.end(), action.begin(), action.end());
  ask_step(played_.size() / actions().size() - 1);
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
  std::string trouble = worker_->wait();
  if (!trouble.empty()) {
    count_failure(trouble + "; the episode was played again in a new one");
    trouble = replay();
    if (!trouble.empty()) {
      count_failure(trouble + " when the episode was played again, which is lost");
      return lose_episode(observation);
    }
  }
  const Channel& channel = worker_->channel();
  std::copy_n(channel.observation.begin(), observation.size(), observation.begin());
  std::ranges::copy(observation, last_observation_.begin());
  running_ = !channel.step.terminated && !channel.step.truncated;
  if (!running_) failures_ = 0;
  return channel.step;
}

std::string IsolatedEnvironment::replay() {
  std::string trouble = start();
  if (!trouble.empty()) return trouble + " as it began";
  worker_->channel().seed = seed_;
  worker_->ask(Request::Reset);
  trouble = worker_->wait();
  const std::size_t steps = played_.size() / actions().size();
  for (std::size_t i = 0; trouble.empty() && i < steps; ++i) {
    ask_step(i);
    trouble = worker_->wait();
  }
  return trouble;
}

// A failed worker is replaced at once: the next episode needs one.
Step IsolatedEnvironment::lose_episode(std::span<double> observation) {
  ++lost_;
  running_ = false;
  for (std::string trouble = start(); !trouble.empty(); trouble = start())
    count_failure(trouble + " as it began");
  std::ranges::copy(last_observation_, observation.begin());
  return {.reward = 0, .terminated = false, .truncated = true, .lost = true};
}

std::string IsolatedEnvironment::where() const {
  const std::size_t step = played_.size() / actions().size();
  return name() + ": the simulator's process " + std::to_string(worker_->pid()) + ", in step " +
         std::to_string(step) + " of the episode with seed " + std::to_string(seed_) + ", ";
}

void IsolatedEnvironment::count_failure(const std::string& trouble) {
  incidents_.push_back(where() + trouble);
  if (++failures_ < options_.max_failures) return;
  throw Error(incidents_.back() + ". That makes " + std::to_string(failures_) +
              " failures in a row; giving up");
}

// Without an answer the episode is played again, and the question asked once more.
std::string_view IsolatedEnvironment::ask_text(Request request) {
  ICCT_CHECK(!asked_);
  worker_->ask(request);
  std::string trouble = worker_->wait();
  while (!trouble.empty()) {
    count_failure(trouble + "; the episode was played again in a new one");
    trouble = replay();
    if (!trouble.empty()) continue;
    worker_->ask(request);
    trouble = worker_->wait();
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
