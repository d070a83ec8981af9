#pragma once

#include <array>
#include <span>
#include <vector>

#include "icct/base/matrix.h"
#include "icct/base/rng.h"
#include "icct/base/state_archive.h"
#include "icct/nn/adam.h"
#include "icct/nn/batched_mlp.h"
#include "icct/nn/mlp.h"
#include "icct/nn/panels.h"
#include "icct/nn/team.h"

namespace icct {

// Observations and actions of a batch, one sample per row.
struct StateActions {
  MatrixView<const float> observations;
  MatrixView<const float> actions;
};

// Values of both critics, one per sample.
struct TwinValues {
  std::array<std::vector<float>, 2> q;

  void resize(int batch);
  float minimum(int sample) const {
    return q[1][sample] < q[0][sample] ? q[1][sample] : q[0][sample];
  }
  double mean_minimum() const;
};

// Which value of an action the actor climbs.
enum class ActorValue {
  Minimum,  // of both critics, sample by sample (SAC)
  First,    // of the first critic (TD3)
};

// Two networks that value an action at an observation, and their slowly following targets. Both get
// the same inputs; they differ by their initial weights. Nothing allocates for batches of at most
// `max_batch` samples, and the numbers do not depend on the team.
class TwinCritic {
 public:
  TwinCritic(int observations, int actions, const std::vector<int>& hidden, int max_batch,
             Team& team, Rng& rng);

  void evaluate_targets(const StateActions& at, TwinValues& values);

  // Values at `at` and the gradient of weight * sum over critics of mean((q - target)^2), which is
  // returned.
  double regress(const StateActions& at, std::span<const float> target, float weight,
                 TwinValues& values);

  // One Adam step along the gradient of the last regression, then targets = (1 - tau) targets +
  // tau critics.
  void step(double learning_rate, double tau);

  // Values at `at`, and d_actions = gradient of -mean(value) at the actions. With First only
  // values.q[0] is filled.
  void actor_gradient(const StateActions& at, ActorValue value, TwinValues& values,
                      MatrixView<float> d_actions);

  // Parameters as in Mlp; call parameters_changed after writing to them.
  std::span<float> parameters(int critic) { return networks_[critic].online.parameters(); }
  std::span<float> target_parameters(int critic) { return networks_[critic].target.parameters(); }
  std::span<const float> gradient(int critic) const { return networks_[critic].gradient; }
  void parameters_changed();

  void visit_state(StateArchive& archive);

 private:
  struct Network {
    Network(const std::vector<int>& sizes, int max_batch, Rng& rng);

    Mlp<float> online, target;
    PackedMlp<float> packed_online, packed_target;
    BatchedMlp<float> pass;
    std::vector<float> gradient;
    Adam adam;
  };

  void evaluate(Network& network, const PackedMlp<float>& weights, const StateActions& at,
                std::span<const int> rows, std::vector<float>& q);
  void regress_one(Network& network, const StateActions& at, std::span<const float> target,
                   float weight, std::vector<float>& q);
  // work(part, parts) for every part, or work(network, its index): by the team if it is worth it.
  template <class Work>
  void share(int batch, const Work& work);
  template <class Work>
  void for_each_network(int batch, const Work& work);

  int observations_;
  int batch_ = 0;  // of the last regression
  Team& team_;
  std::array<Network, 2> networks_;
  std::array<std::vector<int>, 2> chosen_;  // samples whose actor gradient goes through a critic
};

}  // namespace icct
