#include "icct/rl/squashed_gaussian.h"

#include "icct/base/check.h"
#include "icct/nn/elementary.h"

namespace icct {

PolicyPass::PolicyPass(int new_batch, int new_actions) : batch(0), actions(new_actions) {
  resize(new_batch);
}

void PolicyPass::resize(int new_batch) {
  batch = new_batch;
  const auto rows = static_cast<std::size_t>(batch);
  const std::size_t size = rows * static_cast<std::size_t>(actions);
  for (auto* values : {&mean, &log_std, &spread, &action, &density}) values->resize(size);
  log_prob.resize(rows);
}

void sample_actions(PolicyPass& pass, std::span<const float> noise) {
  ICCT_CHECK(noise.size() == pass.mean.size());
  constexpr float kHalfLogTwoPi = 0.918938533204672742f;
  const float* mean = pass.mean.data();
  const float* log_std = pass.log_std.data();
  const float* normal = noise.data();
  float* spread = pass.spread.data();
  float* action = pass.action.data();
  float* density = pass.density.data();
#pragma omp simd
  for (std::size_t i = 0; i < noise.size(); ++i) {
    spread[i] = fast_exp(log_std[i]) * normal[i];
    action[i] = fast_tanh(mean[i] + spread[i]);
    density[i] = -0.5f * normal[i] * normal[i] - log_std[i] - kHalfLogTwoPi -
                 fast_log(1.0f - action[i] * action[i] + kSquashingEpsilon);
  }
  const auto actions = static_cast<std::size_t>(pass.actions);
  for (std::size_t i = 0; i < pass.log_prob.size(); ++i) {
    float sum = 0;
    for (std::size_t a = 0; a < actions; ++a) sum += density[i * actions + a];
    pass.log_prob[i] = sum;
  }
}

void sample_actions_backward(const PolicyPass& pass, std::span<const float> d_action,
                             float d_log_prob, std::span<float> d_mean,
                             std::span<float> d_log_std) {
  ICCT_CHECK(d_action.size() == pass.mean.size() && d_mean.size() == pass.mean.size());
  ICCT_CHECK(d_log_std.size() == pass.mean.size());
  const float* spread = pass.spread.data();
  const float* action = pass.action.data();
  const float* d_a = d_action.data();
  float* d_m = d_mean.data();
  float* d_s = d_log_std.data();
#pragma omp simd
  for (std::size_t i = 0; i < pass.mean.size(); ++i) {
    // d action / d u, and d log_prob / d u. The noise itself is fixed, so the normal density
    // contributes -log_std alone.
    const float slope = 1.0f - action[i] * action[i];
    const float d_density = 2.0f * action[i] * slope / (slope + kSquashingEpsilon);
    const float d_u = d_a[i] * slope + d_log_prob * d_density;
    d_m[i] = d_u;
    d_s[i] = d_u * spread[i] - d_log_prob;
  }
}

void squash_means(PolicyPass& pass) {
  const float* mean = pass.mean.data();
  float* action = pass.action.data();
#pragma omp simd
  for (std::size_t i = 0; i < pass.mean.size(); ++i) action[i] = fast_tanh(mean[i]);
}

void squash_means_backward(const PolicyPass& pass, std::span<const float> d_action,
                           std::span<float> d_mean) {
  ICCT_CHECK(d_action.size() == pass.mean.size() && d_mean.size() == pass.mean.size());
  for (std::size_t i = 0; i < d_mean.size(); ++i)
    d_mean[i] = d_action[i] * (1.0f - pass.action[i] * pass.action[i]);
}

}  // namespace icct
