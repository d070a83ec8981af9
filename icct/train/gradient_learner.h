#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "icct/rl/actor.h"
#include "icct/rl/replay_buffer.h"
#include "icct/rl/sac.h"
#include "icct/rl/td3.h"
#include "icct/rl/tree_actor.h"
#include "icct/train/learner.h"

namespace icct {

// The actor is a tree or a network with these hidden layers.
struct TreeActorPlan {
  TreeOptions tree;
  TreeActorOptions learning;
};
struct MlpActorPlan {
  std::vector<int> hidden;
};

struct GradientOptions {
  std::variant<SacOptions, Td3Options> algorithm;
  std::variant<TreeActorPlan, MlpActorPlan> actor;  // its sizes must fit the environment
  std::int64_t steps = 500'000;                     // of the environment, >= 1
  int replay_capacity = 1'000'000;                  // transitions kept, >= 1
  int learning_starts = 10'000;  // steps of uniformly random actions before learning, >= 1
  int validate_every = 1500;     // steps between validations, >= 1
  int validation_episodes = 20;  // per validation, >= 1
  // A tree to begin with, squashed by tanh. It explores from the first step on, with some random
  // actions all along; the actor's tree must be able to hold it.
  std::optional<Policy> start = {};
};

// Throws Error naming the field, its value and its range.
void validate(const GradientOptions& options);

// Off-policy reinforcement learning: one update per environment step, from a replay buffer. A
// simulator in another process takes its step while the update is made, which then does not know
// that step yet. A piece of work is one episode, so that a saved state never holds a running
// simulator.
class GradientLearner final : public Learner {
 public:
  // Trains on `environment`, validates on `workers`. `blank` gives names, spaces and squashing.
  GradientLearner(std::unique_ptr<Environment> environment, Workers& workers, const Policy& blank,
                  const GradientOptions& options, std::uint64_t seed);
  ~GradientLearner() override;

  bool finished() const override { return done_; }
  void advance() override;
  std::int64_t steps() const override { return steps_; }
  std::int64_t budget() const override { return options_.steps; }
  Selection& selection() override { return selection_; }
  void tell_incidents(const TellIncident& tell) override { environment_->tell_incidents(tell); }
  void visit_state(StateArchive& archive) override;

  // What the learner needs of an algorithm.
  class Algorithm;

 private:
  void step(bool& running);
  void choose_action();
  bool learning() const { return replay_.size() > 0 && steps_ + 1 >= options_.learning_starts; }
  void learn();
  void validate_policy();
  void guard(const Evaluation& validation);

  std::unique_ptr<Environment> environment_;
  Workers& workers_;
  Policy policy_;  // the present one, made at validations
  GradientOptions options_;
  std::uint64_t seed_;
  Rng rng_;
  std::unique_ptr<Actor<float>> actor_;
  std::unique_ptr<Algorithm> algorithm_;
  ReplayBuffer replay_;
  Batch batch_;
  Selection selection_;
  std::int64_t steps_ = 0, episodes_ = 0;
  std::vector<float> best_actor_;  // parameters at the best validation; of a run with a start
  bool done_ = false;
  double recent_return_;       // mean of the latest training episodes, NaN before the first
  double episode_return_ = 0;  // so far, NaN once the episode is lost
  std::vector<double> observation_, next_observation_, action_, scaled_action_;
};

}  // namespace icct
