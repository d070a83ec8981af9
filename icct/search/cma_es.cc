#include "icct/search/cma_es.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "icct/base/check.h"

namespace icct {
namespace {

using Vector = Eigen::VectorXd;

// Eigen stays inside this file: its alignment depends on compiler flags that users need not share.
Eigen::Map<Vector> as_vector(std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

Eigen::Map<Eigen::MatrixXd> as_matrix(std::vector<double>& values, int n) {
  return {values.data(), n, n};
}

std::vector<double> identity(int n) {
  std::vector<double> values(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  as_matrix(values, n).setIdentity();
  return values;
}

}  // namespace

int default_population(std::size_t numbers) {
  return 4 + static_cast<int>(3 * std::log(numbers));
}

CmaEs::CmaEs(std::span<const double> mean, double sigma, int population, std::uint64_t seed,
             Covariance kind)
    : kind_(kind),
      n_(static_cast<int>(mean.size())),
      population_(population > 0 ? population : default_population(mean.size())),
      parents_(population_ / 2) {
  ICCT_CHECK(n_ > 0 && population_ >= 2 && sigma > 0);
  const double n = n_;
  weights_.resize(static_cast<std::size_t>(population_));
  for (int i = 0; i < population_; ++i)
    weights_[i] = std::log((population_ + 1) / 2.0) - std::log(i + 1.0);
  auto better = as_vector(weights_).head(parents_);
  auto worse = as_vector(weights_).tail(population_ - parents_);
  mu_eff_ = better.sum() * better.sum() / better.squaredNorm();
  const double mu_eff_worse = worse.sum() * worse.sum() / worse.squaredNorm();
  c_sigma_ = (mu_eff_ + 2) / (n + mu_eff_ + 5);
  d_sigma_ = 1 + 2 * std::max(0.0, std::sqrt((mu_eff_ - 1) / (n + 1)) - 1) + c_sigma_;
  c_c_ = (4 + mu_eff_ / n) / (n + 4 + 2 * mu_eff_ / n);
  // n scales are learned faster than n^2 numbers of a matrix.
  const double faster = kind == Covariance::Diagonal ? (n + 2) / 3 : 1;
  c_1_ = std::min(0.5, faster * 2 / ((n + 1.3) * (n + 1.3) + mu_eff_));
  c_mu_ = std::min(1 - c_1_,
                   faster * 2 * (0.25 + mu_eff_ + 1 / mu_eff_ - 2) / ((n + 2) * (n + 2) + mu_eff_));
  chi_n_ = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  const double limit = std::min(
      {1 + c_1_ / c_mu_, 1 + 2 * mu_eff_worse / (mu_eff_ + 2), (1 - c_1_ - c_mu_) / (n * c_mu_)});
  better /= better.sum();
  worse *= -limit / worse.sum();

  state_.rng = Rng(seed).state();
  state_.sigma = sigma;
  state_.mean.assign(mean.begin(), mean.end());
  state_.path_sigma.resize(mean.size());
  state_.path_c.resize(mean.size());
  state_.covariance = state_.axes = identity(n_);
  state_.lengths.assign(mean.size(), 1.0);
  steps_.resize(mean.size() * static_cast<std::size_t>(population_));
  candidates_.assign(static_cast<std::size_t>(population_), std::vector<double>(mean.size()));
}

void CmaEs::visit_state(StateArchive& archive) {
  archive.values("cma_es.rng", std::span<std::uint64_t>(state_.rng));
  archive.value("cma_es.generation", state_.generation);
  archive.value("cma_es.decomposed_at", state_.decomposed_at);
  archive.value("cma_es.sigma", state_.sigma);
  archive.values("cma_es.mean", std::span<double>(state_.mean));
  archive.values("cma_es.path_sigma", std::span<double>(state_.path_sigma));
  archive.values("cma_es.path_c", std::span<double>(state_.path_c));
  archive.values("cma_es.covariance", std::span<double>(state_.covariance));
  archive.values("cma_es.axes", std::span<double>(state_.axes));
  archive.values("cma_es.lengths", std::span<double>(state_.lengths));
}

const std::vector<std::vector<double>>& CmaEs::ask() {
  Rng rng(0);
  rng.set_state(state_.rng);
  Vector z(n_);
  for (int i = 0; i < population_; ++i) {
    for (double& value : z) value = rng.normal();
    Eigen::Map<Vector> step(steps_.data() + static_cast<std::ptrdiff_t>(i) * n_, n_);
    step = as_matrix(state_.axes, n_) * as_vector(state_.lengths).cwiseProduct(z);
    as_vector(candidates_[i]) = as_vector(state_.mean) + state_.sigma * step;
  }
  state_.rng = rng.state();
  return candidates_;
}

void CmaEs::tell(std::span<const double> fitness) {
  ICCT_CHECK(fitness.size() == static_cast<std::size_t>(population_));
  std::vector<int> order(fitness.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return fitness[a] > fitness[b]; });
  const Eigen::Map<Eigen::MatrixXd> steps(steps_.data(), n_, population_);
  Vector step = Vector::Zero(n_);
  for (int i = 0; i < parents_; ++i) step += weights_[i] * steps.col(order[i]);
  as_vector(state_.mean) += state_.sigma * step;
  ++state_.generation;

  // Step size: grows while steps point the same way, shrinks while they cancel.
  const auto axes = as_matrix(state_.axes, n_);
  const Vector whitened = axes * (axes.transpose() * step).cwiseQuotient(as_vector(state_.lengths));
  auto path_sigma = as_vector(state_.path_sigma);
  path_sigma =
      (1 - c_sigma_) * path_sigma + std::sqrt(c_sigma_ * (2 - c_sigma_) * mu_eff_) * whitened;
  const double length = path_sigma.norm();
  const double start_up = std::sqrt(1 - std::pow(1 - c_sigma_, 2.0 * state_.generation));
  const bool steady = length / start_up < (1.4 + 2.0 / (n_ + 1)) * chi_n_;
  auto path_c = as_vector(state_.path_c);
  path_c *= 1 - c_c_;
  if (steady) path_c += std::sqrt(c_c_ * (2 - c_c_) * mu_eff_) * step;
  state_.sigma *= std::exp(std::min(1.0, c_sigma_ / d_sigma_ * (length / chi_n_ - 1)));
  adapt_covariance(order, steady);
}

// Towards good steps and away from bad ones, the latter scaled so that the matrix stays positive.
void CmaEs::adapt_covariance(std::span<const int> order, bool steady) {
  const auto axes = as_matrix(state_.axes, n_);
  const Eigen::Map<Eigen::MatrixXd> steps(steps_.data(), n_, population_);
  auto covariance = as_matrix(state_.covariance, n_);
  const auto path_c = as_vector(state_.path_c);
  const double stalled = steady ? 0 : c_c_ * (2 - c_c_);
  covariance *= 1 + c_1_ * stalled - c_1_ - c_mu_ * as_vector(weights_).sum();
  covariance += c_1_ * path_c * path_c.transpose();
  for (int i = 0; i < population_; ++i) {
    const auto step = steps.col(order[i]);
    double weight = weights_[i];
    if (weight < 0) {
      weight *=
          n_ / (axes.transpose() * step).cwiseQuotient(as_vector(state_.lengths)).squaredNorm();
    }
    covariance += c_mu_ * weight * step * step.transpose();
  }
  // The eigenvalues change slowly; computing them every so often is enough.
  if (kind_ == Covariance::Diagonal ||
      state_.generation - state_.decomposed_at > 0.1 / ((c_1_ + c_mu_) * n_))
    decompose();
}

void CmaEs::decompose() {
  state_.decomposed_at = state_.generation;
  auto covariance = as_matrix(state_.covariance, n_);
  if (kind_ == Covariance::Diagonal) {
    const Vector squares = covariance.diagonal().cwiseMax(1e-40);
    covariance = squares.asDiagonal();
    as_vector(state_.lengths) = squares.cwiseSqrt();
    return;
  }
  covariance = ((covariance + covariance.transpose()) / 2).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);
  as_matrix(state_.axes, n_) = solver.eigenvectors();
  as_vector(state_.lengths) = solver.eigenvalues().cwiseMax(1e-20).cwiseSqrt();
}

}  // namespace icct
