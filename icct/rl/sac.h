#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "icct/base/rng.h"
#include "icct/base/state_archive.h"
#include "icct/nn/adam.h"
#include "icct/nn/team.h"
#include "icct/rl/actor.h"
#include "icct/rl/actor_average.h"
#include "icct/rl/actor_release.h"
#include "icct/rl/replay_buffer.h"
#include "icct/rl/squashed_gaussian.h"
#include "icct/rl/twin_critic.h"

namespace icct {

struct SacOptions {
  double learning_rate = 3e-4;        // Adam step size of critics and entropy coefficient, (0, 1]
  double actor_learning_rate = 3e-4;  // Adam step size of the actor, (0, 1]
  double discount = 0.99;             // weight of the next value, [0, 1)
  double tau = 0.01;                  // share of the critics that their targets take over, (0, 1]
  int batch_size = 256;               // transitions per update, 1 .. 1048576
  std::vector<int> critic_hidden = {256, 256};  // sizes of the critics' hidden layers
  double initial_entropy_coefficient = 1;       // weight of the entropy at the start, (0, 1e6]
  // What it is steered to; default: minus the actions, or the entropy of an actor that waits if
  // that is less.
  std::optional<double> target_entropy = {};
  int actor_starts = 0;  // updates of the critics alone at first: new ones would spoil a good actor
  double actor_average = 0;  // weight of the past in an average of the actor's parameters, which
                             // is deployed then; [0, 1), 0: none
  int threads = 1;           // 1 or 2, with the same results
};

// Throws Error naming the field, its value and its range.
void validate(const SacOptions& options);

// The numbers of one update that are worth logging.
struct SacReport {
  double critic_loss;          // 0.5 * sum over critics of mean squared error
  double actor_loss;           // mean of coefficient * log_prob - smaller value, plus the penalty
  double entropy_loss;         // -log(coefficient) * mean(log_prob + target entropy)
  double entropy_coefficient;  // used in this update
  double entropy;              // -mean(log_prob) at the batch's observations
  double value;                // mean of the smaller value of the actor's own actions
  double penalty;              // of the actor on itself, e.g. L1
};

// Everything an update computed on its way, for tests.
struct SacTrace {
  SacTrace(int batch, int actions);
  void resize(int batch);

  PolicyPass now, next;                    // the policy at observations and next observations
  TwinValues next_q, current_q, policy_q;  // of targets; before; after the critics' step
  std::vector<float> target;               // what the critics regress to
  std::vector<float> d_action, d_mean, d_log_std;
  std::vector<float> actor_gradient;
  float log_coefficient_gradient = 0;
};

// Soft Actor-Critic (Haarnoja et al., 2018) with a learned entropy coefficient, in the order of
// steps of the published ICCT experiments. Owns critics, targets, coefficient and optimisers; the
// actor belongs to the caller.
class Sac {
 public:
  // Throws Error if the options are not valid.
  Sac(Actor<float>& actor, const SacOptions& options, Rng& rng);
  ~Sac();
  Sac(const Sac&) = delete;
  Sac& operator=(const Sac&) = delete;

  // An action in [-1, 1] drawn from the policy at x.
  void explore(std::span<const double> x, Rng& rng, std::span<double> action);

  // One gradient step of everything, with all randomness from `rng`. Throws Error if the batch
  // holds NaN or infinity (then nothing has changed) or a loss is not finite.
  SacReport update(const Batch& batch, Rng& rng);

  // The same with given standard normal numbers (batch x actions) for the actions at observations
  // and next observations; `rng` serves the actor's own needs only (Gumbel noise, one-leaf L1).
  SacReport update(const Batch& batch, std::span<const float> noise_now,
                   std::span<const float> noise_next, Rng& rng);

  // The actor takes these parameters and, unless it still waits, is let go anew. The critics stay.
  void move_actor(std::span<const float> parameters);

  // What is to be deployed: the actor, or its average if that is on.
  std::variant<Tree, Mlp<double>> controller() { return average_.controller(); }
  double entropy_coefficient() const;
  double target_entropy() const;

  // Everything needed to continue exactly, the actor's parameters included, `rng` excluded.
  void visit_state(StateArchive& archive);

  const SacTrace& trace() const { return trace_; }
  TwinCritic& critic() { return critic_; }
  float& log_entropy_coefficient() { return log_coefficient_; }

 private:
  // The steps of an update, in their order.
  void act(MatrixView<const float> x, std::span<const float> noise, Rng& rng, PolicyPass& pass);
  void step_entropy_coefficient(SacReport& report);
  void step_critics(const Batch& batch, float coefficient, SacReport& report);
  void step_actor(const Batch& batch, float coefficient, Rng& rng, SacReport& report);
  void check_loss(std::string_view which, double loss) const;
  double actor_share() const { return released_share(updates_ - release_, options_.actor_starts); }

  Actor<float>& actor_;
  SacOptions options_;
  double waiting_entropy_ = 0;  // mean entropy of the actor while it waits
  Team team_;
  TwinCritic critic_;
  float log_coefficient_;
  Adam coefficient_adam_, actor_adam_;
  ActorAverage average_;
  std::int64_t updates_ = 0;
  std::int64_t release_;  // updates before the actor was let go

  SacTrace trace_;
  std::vector<float> noise_now_, noise_next_;
  PolicyPass exploration_;
  std::vector<float> exploration_x_, exploration_noise_;
};

}  // namespace icct
