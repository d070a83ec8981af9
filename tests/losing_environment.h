#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "icct/rollout/rollout.h"

namespace icct {

// Another environment whose simulator fails in the second step of some episodes: those for which
// `loses` says so, asked with the episode's seed and how many were begun, itself included. Whoever
// takes the reward of that step for one finds NaN.
class Losing final : public Environment {
 public:
  using Loses = std::function<bool(std::uint64_t seed, int begun)>;

  Losing(std::unique_ptr<Environment> inner, Loses loses)
      : inner_(std::move(inner)), loses_(std::move(loses)) {}
  const std::string& name() const override { return inner_->name(); }
  const Space& observations() const override { return inner_->observations(); }
  const Space& actions() const override { return inner_->actions(); }
  int max_steps() const override { return inner_->max_steps(); }
  void reset(std::uint64_t seed, std::span<double> x) override {
    inner_->reset(seed, x);
    steps_ = 0;
    lost_ = loses_(seed, ++begun_);
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    if (++steps_ == 2 && lost_) return {.reward = NAN, .truncated = true, .lost = true};
    return inner_->step(action, x);
  }

 private:
  std::unique_ptr<Environment> inner_;
  Loses loses_;
  int begun_ = 0, steps_ = 0;
  bool lost_ = false;
};

inline EnvironmentFactory losing(const EnvironmentFactory& inner, const Losing::Loses& loses) {
  return [inner, loses] { return std::make_unique<Losing>(inner(), loses); };
}

// Every third that is begun: played again, none of them is lost.
inline bool every_third(std::uint64_t /*seed*/, int begun) {
  return begun % 3 == 0;
}

}  // namespace icct
