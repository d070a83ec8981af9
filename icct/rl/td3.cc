#include "icct/rl/td3.h"

#include <algorithm>

#include "icct/base/check.h"
#include "icct/base/option_range.h"
#include "icct/nn/denormals.h"
#include "icct/rl/check_finite.h"
#include "icct/rl/normal_noise.h"

namespace icct {

// One update, top to bottom.
Td3Report Td3::update(const Batch& batch, std::span<const float> noise_next, Rng& rng) {
  check_finite(batch);
  const FlushDenormals flush;
  trace_.resize(batch.size);
  Td3Report report{};
  report.actor_updated = (updates_ + 1) % options_.policy_delay == 0;
  act_as_target(batch, noise_next, rng);
  step_critics(batch, report.actor_updated, report);
  if (report.actor_updated && actor_share() > 0) step_actor(batch, rng, report);
  ++updates_;
  return report;
}

// Target policy smoothing: a' = tanh(mean of the target actor) + noise, both cut.
void Td3::act_as_target(const Batch& batch, std::span<const float> noise, Rng& rng) {
  PolicyPass& next = trace_.next;
  ICCT_CHECK(noise.size() == next.action.size());
  // The target actor is a second set of parameters that the actor takes on for this pass.
  std::ranges::swap_ranges(target_actor_, actor_.parameters());
  actor_.draw_noise(batch.size, rng);
  actor_.forward(batch.next_x(), next.matrix(next.mean), next.matrix(next.log_std));
  std::ranges::swap_ranges(target_actor_, actor_.parameters());
  squash_means(next);
  const auto deviation = static_cast<float>(options_.target_noise);
  const auto limit = static_cast<float>(options_.target_noise_limit);
  for (std::size_t i = 0; i < noise.size(); ++i) {
    const float smoothing = std::clamp(deviation * noise[i], -limit, limit);
    next.action[i] = std::clamp(next.action[i] + smoothing, -1.0f, 1.0f);
  }
}

// Loss: sum over critics of mean((q - y)^2), y = r + discount * (1 - terminated) * min of
// targets(x', a').
void Td3::step_critics(const Batch& batch, bool move_targets, Td3Report& report) {
  PolicyPass& next = trace_.next;
  critic_.evaluate_targets({batch.next_x(), next.matrix(next.action)}, trace_.next_q);
  const auto discount = static_cast<float>(options_.discount);
  for (int i = 0; i < batch.size; ++i) {
    const float value = trace_.next_q.minimum(i);
    trace_.target[i] = batch.rewards[i] + (1 - batch.terminated[i]) * discount * value;
  }
  report.critic_loss =
      critic_.regress({batch.x(), batch.a()}, trace_.target, 1.0f, trace_.current_q);
  check_loss("critic", report.critic_loss);
  critic_.step(options_.learning_rate, move_targets ? options_.tau : 0);
}

// Loss -mean(first critic(x, tanh(mean))), with the critic after its step; plus the actor's own
// penalty. Then the target actor follows.
void Td3::step_actor(const Batch& batch, Rng& rng, Td3Report& report) {
  PolicyPass& now = trace_.now;
  actor_.draw_noise(batch.size, rng);
  actor_.forward(batch.x(), now.matrix(now.mean), now.matrix(now.log_std));
  squash_means(now);
  critic_.actor_gradient({batch.x(), now.matrix(now.action)}, ActorValue::First, trace_.policy_q,
                         now.matrix(trace_.d_action));
  squash_means_backward(now, trace_.d_action, trace_.d_mean);
  std::ranges::fill(trace_.actor_gradient, 0.0f);
  actor_.backward(now.matrix(trace_.d_mean), now.matrix(trace_.d_log_std), trace_.actor_gradient);
  report.penalty = static_cast<double>(actor_.penalty(rng, trace_.actor_gradient));
  for (const float q : trace_.policy_q.q[0])
    report.value += static_cast<double>(q) / static_cast<double>(batch.size);
  report.actor_loss = -report.value + report.penalty;
  check_loss("actor", report.actor_loss);
  actor_adam_.step_and_smooth(actor_.parameters(), trace_.actor_gradient,
                              actor_share() * options_.actor_learning_rate, target_actor_,
                              options_.tau);
  average_.update();
}

void Td3::check_loss(std::string_view which, double loss) const {
  check_finite_loss("TD3", which, updates_ + 1, loss);
}

Td3Report Td3::update(const Batch& batch, Rng& rng) {
  noise_next_.resize(static_cast<std::size_t>(batch.size) *
                     static_cast<std::size_t>(actor_.actions()));
  fill_normal(rng, noise_next_);
  return update(batch, noise_next_, rng);
}

void Td3::explore(std::span<const double> x, Rng& rng, std::span<double> action) {
  const FlushDenormals flush;
  PolicyPass& pass = exploration_;
  ICCT_CHECK(x.size() == exploration_x_.size() && action.size() == pass.action.size());
  std::ranges::transform(x, exploration_x_.begin(), [](double v) { return static_cast<float>(v); });
  actor_.draw_noise(1, rng);
  actor_.forward({exploration_x_.data(), 1, static_cast<int>(x.size())}, pass.matrix(pass.mean),
                 pass.matrix(pass.log_std));
  squash_means(pass);
  fill_normal(rng, exploration_noise_);
  for (std::size_t i = 0; i < action.size(); ++i) {
    const double noise = options_.exploration_noise * static_cast<double>(exploration_noise_[i]);
    action[i] = std::clamp(static_cast<double>(pass.action[i]) + noise, -1.0, 1.0);
  }
}

Td3::Td3(Actor<float>& actor, const Td3Options& options, Rng& rng)
    : actor_(actor),
      options_((validate(options), options)),
      team_(options.threads),
      critic_(actor.observations(), actor.actions(), options.critic_hidden, options.batch_size,
              team_, rng),
      actor_adam_(actor.parameters().size()),
      target_actor_(actor.parameters().begin(), actor.parameters().end()),
      average_(actor, options.actor_average),
      release_(options.actor_starts),
      trace_(options.batch_size, actor.actions()),
      exploration_(1, actor.actions()),
      exploration_x_(static_cast<std::size_t>(actor.observations())),
      exploration_noise_(static_cast<std::size_t>(actor.actions())) {
  trace_.actor_gradient.resize(actor.parameters().size());
  noise_next_.reserve(trace_.d_action.size());
  actor_.set_team(&team_);
}

void Td3::move_actor(std::span<const float> parameters) {
  std::ranges::copy(parameters, actor_.parameters().begin());
  actor_adam_ = Adam(parameters.size());
  std::ranges::copy(parameters, target_actor_.begin());
  average_.restart();
  release_ = std::max(release_, updates_);
}

Td3::~Td3() {
  actor_.set_team(nullptr);
}

void Td3::visit_state(StateArchive& archive) {
  archive.value("td3.updates", updates_);
  archive.value("td3.release", release_);
  archive.values("actor.parameters", actor_.parameters());
  archive.values("actor.target", std::span<float>(target_actor_));
  actor_adam_.visit_state(archive, "actor.adam");
  average_.visit_state(archive);
  critic_.visit_state(archive);
}

void validate(const Td3Options& options) {
  require_positive("learning_rate", options.learning_rate, 1);
  require_positive("actor_learning_rate", options.actor_learning_rate, 1);
  require_fraction("discount", options.discount);
  require_positive("tau", options.tau, 1);
  require_between("batch_size", options.batch_size, 1, 1 << 20);
  require_layers("critic_hidden", options.critic_hidden);
  require_between("exploration_noise", options.exploration_noise, 0, 2);
  require_between("target_noise", options.target_noise, 0, 2);
  require_between("target_noise_limit", options.target_noise_limit, 0, 2);
  require_between("policy_delay", options.policy_delay, 1, 1000);
  require_between("actor_starts", options.actor_starts, 0, 1 << 30);
  require_fraction("actor_average", options.actor_average);
  require_between("threads", options.threads, 1, 2);
}

Td3Trace::Td3Trace(int batch, int actions) : now(batch, actions), next(batch, actions) {
  resize(batch);
}

void Td3Trace::resize(int batch) {
  now.resize(batch);
  next.resize(batch);
  for (auto* values : {&d_action, &d_mean, &d_log_std}) values->resize(now.mean.size());
  for (auto* values : {&next_q, &current_q, &policy_q}) values->resize(batch);
  target.resize(static_cast<std::size_t>(batch));
}

}  // namespace icct
