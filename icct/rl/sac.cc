#include "icct/rl/sac.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/base/option_range.h"
#include "icct/nn/denormals.h"
#include "icct/rl/check_finite.h"
#include "icct/rl/normal_noise.h"

namespace icct {
namespace {

double mean_of(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value);
  return sum / static_cast<double>(values.size());
}

}  // namespace

// One update, top to bottom.
SacReport Sac::update(const Batch& batch, std::span<const float> noise_now,
                      std::span<const float> noise_next, Rng& rng) {
  check_finite(batch);
  const FlushDenormals flush;
  trace_.resize(batch.size);
  SacReport report{};
  // Both actions come from the actor before its step; backward refers to the later pass.
  act(batch.next_x(), noise_next, rng, trace_.next);
  act(batch.x(), noise_now, rng, trace_.now);
  // The whole update uses the coefficient from before its step.
  const auto coefficient = static_cast<float>(entropy_coefficient());
  report.entropy_coefficient = static_cast<double>(coefficient);
  step_entropy_coefficient(report);
  step_critics(batch, coefficient, report);  // and their targets follow
  if (actor_share() > 0) step_actor(batch, coefficient, rng, report);
  average_.update();
  ++updates_;
  return report;
}

// a = tanh(mean + std * noise) and log pi(a | x).
void Sac::act(MatrixView<const float> x, std::span<const float> noise, Rng& rng, PolicyPass& pass) {
  actor_.draw_noise(x.rows, rng);
  actor_.forward(x, pass.matrix(pass.mean), pass.matrix(pass.log_std));
  sample_actions(pass, noise);
}

// Loss -log(coefficient) * mean(log pi + target entropy): the coefficient grows while the policy is
// less random than wanted.
void Sac::step_entropy_coefficient(SacReport& report) {
  const double log_prob = mean_of(trace_.now.log_prob);
  report.entropy = -log_prob;
  const double gradient = -(log_prob + target_entropy());
  report.entropy_loss = static_cast<double>(log_coefficient_) * gradient;
  check_loss("entropy", report.entropy_loss);
  trace_.log_coefficient_gradient = static_cast<float>(gradient);
  if (actor_share() == 0) {
    waiting_entropy_ += (report.entropy - waiting_entropy_) / static_cast<double>(updates_ + 1);
    return;
  }
  coefficient_adam_.step({&log_coefficient_, 1}, {&trace_.log_coefficient_gradient, 1},
                         options_.learning_rate);
}

// Loss 0.5 * sum over critics of mean((q - y)^2) with
// y = r + discount * (1 - terminated) * (min of targets(x', a') - coefficient * log pi(a' | x')).
void Sac::step_critics(const Batch& batch, float coefficient, SacReport& report) {
  PolicyPass& next = trace_.next;
  critic_.evaluate_targets({batch.next_x(), next.matrix(next.action)}, trace_.next_q);
  const auto discount = static_cast<float>(options_.discount);
  for (int i = 0; i < batch.size; ++i) {
    const float soft_value = trace_.next_q.minimum(i) - coefficient * next.log_prob[i];
    trace_.target[i] = batch.rewards[i] + (1 - batch.terminated[i]) * discount * soft_value;
  }
  report.critic_loss =
      critic_.regress({batch.x(), batch.a()}, trace_.target, 0.5f, trace_.current_q);
  check_loss("critic", report.critic_loss);
  critic_.step(options_.learning_rate, options_.tau);
}

// Loss mean(coefficient * log pi(a | x) - min of critics(x, a)), with the critics after their step
// and the action sampled before it; plus the actor's own penalty.
void Sac::step_actor(const Batch& batch, float coefficient, Rng& rng, SacReport& report) {
  PolicyPass& now = trace_.now;
  critic_.actor_gradient({batch.x(), now.matrix(now.action)}, ActorValue::Minimum, trace_.policy_q,
                         now.matrix(trace_.d_action));
  sample_actions_backward(now, trace_.d_action, coefficient / static_cast<float>(batch.size),
                          trace_.d_mean, trace_.d_log_std);
  std::ranges::fill(trace_.actor_gradient, 0.0f);
  actor_.backward(now.matrix(trace_.d_mean), now.matrix(trace_.d_log_std), trace_.actor_gradient);
  report.penalty = static_cast<double>(actor_.penalty(rng, trace_.actor_gradient));
  report.value = trace_.policy_q.mean_minimum();
  report.actor_loss =
      -static_cast<double>(coefficient) * report.entropy - report.value + report.penalty;
  check_loss("actor", report.actor_loss);
  actor_adam_.step(actor_.parameters(), trace_.actor_gradient,
                   actor_share() * options_.actor_learning_rate);
}

void Sac::check_loss(std::string_view which, double loss) const {
  check_finite_loss("SAC", which, updates_ + 1, loss);
}

SacReport Sac::update(const Batch& batch, Rng& rng) {
  const auto size =
      static_cast<std::size_t>(batch.size) * static_cast<std::size_t>(actor_.actions());
  noise_now_.resize(size);
  noise_next_.resize(size);
  fill_normal(rng, noise_now_);
  fill_normal(rng, noise_next_);
  return update(batch, noise_now_, noise_next_, rng);
}

void Sac::explore(std::span<const double> x, Rng& rng, std::span<double> action) {
  const FlushDenormals flush;
  ICCT_CHECK(x.size() == exploration_x_.size() && action.size() == exploration_.action.size());
  std::ranges::transform(x, exploration_x_.begin(), [](double v) { return static_cast<float>(v); });
  fill_normal(rng, exploration_noise_);
  act({exploration_x_.data(), 1, static_cast<int>(x.size())}, exploration_noise_, rng,
      exploration_);
  std::ranges::copy(exploration_.action, action.begin());
}

Sac::Sac(Actor<float>& actor, const SacOptions& options, Rng& rng)
    : actor_(actor),
      options_((validate(options), options)),
      team_(options.threads),
      critic_(actor.observations(), actor.actions(), options.critic_hidden, options.batch_size,
              team_, rng),
      log_coefficient_(static_cast<float>(std::log(options.initial_entropy_coefficient))),
      coefficient_adam_(1),
      actor_adam_(actor.parameters().size()),
      average_(actor, options.actor_average),
      release_(options.actor_starts),
      trace_(options.batch_size, actor.actions()),
      exploration_(1, actor.actions()),
      exploration_x_(static_cast<std::size_t>(actor.observations())),
      exploration_noise_(static_cast<std::size_t>(actor.actions())) {
  trace_.actor_gradient.resize(actor.parameters().size());
  noise_now_.reserve(trace_.d_action.size());
  noise_next_.reserve(trace_.d_action.size());
  actor_.set_team(&team_);
}

void Sac::move_actor(std::span<const float> parameters) {
  std::ranges::copy(parameters, actor_.parameters().begin());
  actor_adam_ = Adam(parameters.size());
  average_.restart();
  release_ = std::max(release_, updates_);
}

Sac::~Sac() {
  actor_.set_team(nullptr);
}

double Sac::entropy_coefficient() const {
  return std::exp(static_cast<double>(log_coefficient_));
}

// A good actor whose actions saturate is less random than the usual target. Steering it there would
// raise the coefficient until rewards no longer count.
double Sac::target_entropy() const {
  const auto usual = static_cast<double>(-actor_.actions());
  return options_.target_entropy.value_or(std::min(usual, waiting_entropy_));
}

void Sac::visit_state(StateArchive& archive) {
  archive.value("sac.updates", updates_);
  archive.value("sac.release", release_);
  archive.value("sac.waiting_entropy", waiting_entropy_);
  archive.value("sac.log_entropy_coefficient", log_coefficient_);
  coefficient_adam_.visit_state(archive, "sac.entropy_adam");
  archive.values("actor.parameters", actor_.parameters());
  actor_adam_.visit_state(archive, "actor.adam");
  average_.visit_state(archive);
  critic_.visit_state(archive);
}

void validate(const SacOptions& options) {
  require_positive("learning_rate", options.learning_rate, 1);
  require_positive("actor_learning_rate", options.actor_learning_rate, 1);
  require_fraction("discount", options.discount);
  require_positive("tau", options.tau, 1);
  require_between("batch_size", options.batch_size, 1, 1 << 20);
  require_layers("critic_hidden", options.critic_hidden);
  require_positive("initial_entropy_coefficient", options.initial_entropy_coefficient, 1e6);
  if (options.target_entropy) require_between("target_entropy", *options.target_entropy, -1e6, 1e6);
  require_between("actor_starts", options.actor_starts, 0, 1 << 30);
  require_fraction("actor_average", options.actor_average);
  require_between("threads", options.threads, 1, 2);
}

SacTrace::SacTrace(int batch, int actions) : now(batch, actions), next(batch, actions) {
  resize(batch);
}

void SacTrace::resize(int batch) {
  now.resize(batch);
  next.resize(batch);
  for (auto* values : {&d_action, &d_mean, &d_log_std}) values->resize(now.mean.size());
  for (auto* values : {&next_q, &current_q, &policy_q}) values->resize(batch);
  target.resize(static_cast<std::size_t>(batch));
}

}  // namespace icct
