#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "icct/base/rng.h"
#include "icct/base/state_archive.h"

namespace icct {

// Candidates per generation that are usual for so many numbers.
int default_population(std::size_t numbers);

// Full: learns how all numbers depend on each other, which takes more generations than numbers.
// Diagonal: learns a scale for every number alone, many times faster (Ros and Hansen 2008).
enum class Covariance { Full, Diagonal };

// Covariance matrix adaptation evolution strategy, maximising, after Hansen's tutorial
// (arXiv:1604.00772), with rank-mu and active updates. One generation is ask, then tell.
class CmaEs {
 public:
  // All that changes from generation to generation; saved and restored, a run goes on as if it had
  // never stopped.
  struct State {
    Rng::State rng;
    int generation = 0;
    int decomposed_at = 0;                   // generation of `axes` and `lengths`
    double sigma = 0;                        // overall step size
    std::vector<double> mean;                // n
    std::vector<double> path_sigma, path_c;  // n: evolution paths
    std::vector<double> covariance;          // n x n
    std::vector<double> axes, lengths;  // n x n and n: its eigenvectors and standard deviations
  };

  // Starts at `mean` with standard deviation `sigma` in every coordinate. `population` 0 chooses
  // 4 + 3 ln n.
  CmaEs(std::span<const double> mean, double sigma, int population, std::uint64_t seed,
        Covariance kind = Covariance::Full);

  int population() const { return population_; }
  const State& state() const { return state_; }
  void visit_state(StateArchive& archive);

  // Candidate i of the next generation, for i below population().
  const std::vector<std::vector<double>>& ask();

  // Their fitness, in the same order; larger is better. Ties keep the order of the candidates.
  void tell(std::span<const double> fitness);

 private:
  void adapt_covariance(std::span<const int> order, bool steady);
  void decompose();

  Covariance kind_;
  int n_, population_, parents_;
  std::vector<double> weights_;  // by rank: positive for the better half, negative for the worse
  double mu_eff_, c_sigma_, d_sigma_, c_c_, c_1_, c_mu_, chi_n_;
  State state_;
  std::vector<double> steps_;  // population x n, of the last ask
  std::vector<std::vector<double>> candidates_;
};

}  // namespace icct
