#pragma once

#include <span>
#include <vector>

#include "icct/base/matrix.h"

// The policy of SAC for a batch: u ~ Normal(mean, exp(log_std)), action = tanh(u). TD3 uses
// tanh(mean).

namespace icct {

// Inside the logarithm of the squashing, as published; keeps it finite at |action| = 1.
inline constexpr float kSquashingEpsilon = 1e-6f;

// One pass of a policy over a batch. Matrices are batch x actions, row after row.
struct PolicyPass {
  PolicyPass(int batch, int actions);
  void resize(int new_batch);  // allocates only beyond the largest batch so far
  MatrixView<float> matrix(std::vector<float>& values) { return {values.data(), batch, actions}; }

  int batch, actions;
  std::vector<float> mean, log_std;  // of u, from the actor
  std::vector<float> spread;         // u - mean
  std::vector<float> action;         // tanh(u)
  std::vector<float> density;        // log density of each action alone
  std::vector<float> log_prob;       // batch: log density of all actions together
};

// From mean, log_std and standard normal `noise` to all other fields. log_prob is the sum over
// actions of log Normal(u; mean, std) - log(1 - action^2 + 1e-6).
void sample_actions(PolicyPass& pass, std::span<const float> noise);

// Gradients at mean and log_std of a loss with gradient `d_action` at the actions and `d_log_prob`,
// the same for every sample, at the log densities.
void sample_actions_backward(const PolicyPass& pass, std::span<const float> d_action,
                             float d_log_prob, std::span<float> d_mean, std::span<float> d_log_std);

// action = tanh(mean), without any noise.
void squash_means(PolicyPass& pass);
void squash_means_backward(const PolicyPass& pass, std::span<const float> d_action,
                           std::span<float> d_mean);

}  // namespace icct
