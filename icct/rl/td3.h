#pragma once

#include <cstdint>
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

// Defaults as published.
struct Td3Options {
  double learning_rate = 1e-3;        // Adam step size of the critics, (0, 1]
  double actor_learning_rate = 1e-3;  // Adam step size of the actor, (0, 1]
  double discount = 0.99;             // weight of the next value, [0, 1)
  double tau = 0.005;                 // share of actor and critics that targets take over, (0, 1]
  int batch_size = 100;               // transitions per update, 1 .. 1048576
  std::vector<int> critic_hidden = {400, 300};  // sizes of the critics' hidden layers
  double exploration_noise = 0.1;   // standard deviation added to actions while exploring, [0, 2]
  double target_noise = 0.2;        // standard deviation added to the target's actions, [0, 2]
  double target_noise_limit = 0.5;  // where that noise is cut, [0, 2]
  int policy_delay = 2;             // critic updates per update of actor and targets, 1 .. 1000
  int actor_starts = 0;  // updates of the critics alone at first: new ones would spoil a good actor
  double actor_average = 0;  // weight of the past in an average of the actor's parameters, which
                             // is deployed then; [0, 1), 0: none
  int threads = 1;           // 1 or 2, with the same results
};

// Throws Error naming the field, its value and its range.
void validate(const Td3Options& options);

// The numbers of one update that are worth logging.
struct Td3Report {
  double critic_loss;  // sum over critics of mean squared error
  bool actor_updated;  // every policy_delay-th time; the rest is 0 otherwise
  double actor_loss;   // -mean of the first critic's value of the actor's own actions + penalty
  double value;        // that mean
  double penalty;      // of the actor on itself, e.g. L1
};

// Everything an update computed on its way, for tests.
struct Td3Trace {
  Td3Trace(int batch, int actions);
  void resize(int batch);

  PolicyPass now, next;  // actor at observations, target actor (with noise) at next observations
  TwinValues next_q, current_q, policy_q;
  std::vector<float> target;  // what the critics regress to
  std::vector<float> d_action, d_mean, d_log_std;
  std::vector<float> actor_gradient;
};

// Twin Delayed Deep Deterministic policy gradient (Fujimoto et al., 2018). The policy is
// tanh(mean); the actor's standard deviations are neither used nor learned. Owns critics, targets
// and optimisers; the actor belongs to the caller.
class Td3 {
 public:
  // Throws Error if the options are not valid.
  Td3(Actor<float>& actor, const Td3Options& options, Rng& rng);
  ~Td3();
  Td3(const Td3&) = delete;
  Td3& operator=(const Td3&) = delete;

  // The policy's action at x plus exploration noise, cut at [-1, 1].
  void explore(std::span<const double> x, Rng& rng, std::span<double> action);

  // One step of the critics and, every policy_delay-th time, of the actor and all targets, with all
  // randomness from `rng`. Throws Error if the batch holds NaN or infinity (then nothing has
  // changed) or a loss is not finite.
  Td3Report update(const Batch& batch, Rng& rng);

  // The same with given standard normal numbers (batch x actions) for the target's actions; `rng`
  // serves the actor's own needs only (Gumbel noise, one-leaf L1).
  Td3Report update(const Batch& batch, std::span<const float> noise_next, Rng& rng);

  // The actor takes these parameters and, unless it still waits, is let go anew. The critics stay.
  void move_actor(std::span<const float> parameters);

  // What is to be deployed: the actor, or its average if that is on.
  std::variant<Tree, Mlp<double>> controller() { return average_.controller(); }

  // Everything needed to continue exactly, the actor's parameters included, `rng` excluded.
  void visit_state(StateArchive& archive);

  const Td3Trace& trace() const { return trace_; }
  TwinCritic& critic() { return critic_; }
  std::span<float> target_actor() { return target_actor_; }

 private:
  // The steps of an update, in their order.
  void act_as_target(const Batch& batch, std::span<const float> noise, Rng& rng);
  void step_critics(const Batch& batch, bool move_targets, Td3Report& report);
  void step_actor(const Batch& batch, Rng& rng, Td3Report& report);
  void check_loss(std::string_view which, double loss) const;
  double actor_share() const { return released_share(updates_ - release_, options_.actor_starts); }

  Actor<float>& actor_;
  Td3Options options_;
  Team team_;
  TwinCritic critic_;
  Adam actor_adam_;
  std::vector<float> target_actor_;  // parameters
  ActorAverage average_;
  std::int64_t updates_ = 0;
  std::int64_t release_;  // updates before the actor was let go

  Td3Trace trace_;
  std::vector<float> noise_next_;
  PolicyPass exploration_;
  std::vector<float> exploration_x_, exploration_noise_;
};

}  // namespace icct
