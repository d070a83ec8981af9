#include "icct/search/cma_es.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace icct {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

void run(CmaEs& search, const Function& function, int generations) {
  for (int g = 0; g < generations; ++g) {
    std::vector<double> fitness;
    for (const auto& candidate : search.ask()) fitness.push_back(function(candidate));
    search.tell(fitness);
  }
}

double sphere(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += (value - 1) * (value - 1);
  return -sum;
}

// Axes a thousand times longer than others, turned out of the coordinate system.
double turned_ellipsoid(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double y = x[i] + (i + 1 < x.size() ? x[i + 1] : -x[0]);
    sum += std::pow(1e6, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * y * y;
  }
  return -sum;
}

double rosenbrock(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum += 100 * std::pow(x[i + 1] - x[i] * x[i], 2) + std::pow(1 - x[i], 2);
  }
  return -sum;
}

TEST(CmaEs, FindsTheTopOfASphere) {
  CmaEs search(std::vector<double>(10, -2.0), 0.5, 0, 1);
  run(search, sphere, 200);
  EXPECT_GT(sphere(search.state().mean), -1e-10);
}

TEST(CmaEs, LearnsTheShapeOfATurnedEllipsoid) {
  CmaEs search(std::vector<double>(8, 1.0), 0.5, 0, 2);
  run(search, turned_ellipsoid, 800);
  EXPECT_GT(turned_ellipsoid(search.state().mean), -1e-10);
}

// Every coordinate has a scale of its own, up to a hundred times that of another.
double scaled_sphere(const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += std::pow(1e4, static_cast<double>(i) / static_cast<double>(x.size() - 1)) * x[i] * x[i];
  return -sum;
}

TEST(CmaEs, ADiagonalLearnsManyScalesInFewGenerations) {
  const std::vector<double> start(60, 1.0);
  CmaEs full(start, 0.3, 0, 9);
  CmaEs diagonal(start, 0.3, 0, 9, Covariance::Diagonal);
  run(full, scaled_sphere, 400);
  run(diagonal, scaled_sphere, 400);
  EXPECT_GT(scaled_sphere(diagonal.state().mean), scaled_sphere(full.state().mean) / 20);
}

TEST(CmaEs, ADiagonalStaysOne) {
  CmaEs search(std::vector<double>(4, 0.0), 0.3, 0, 10, Covariance::Diagonal);
  run(search, rosenbrock, 30);
  for (std::size_t i = 0; i < 16; ++i)
    EXPECT_EQ(search.state().covariance[i] != 0, i % 5 == 0) << i;
}

TEST(CmaEs, FollowsTheValleyOfRosenbrock) {
  CmaEs search(std::vector<double>(6, 0.0), 0.3, 0, 3);
  run(search, rosenbrock, 900);
  EXPECT_GT(rosenbrock(search.state().mean), -1e-8);
}

TEST(CmaEs, SearchesASingleNumber) {
  CmaEs search(std::vector<double>{5.0}, 1.0, 0, 4);
  run(search, sphere, 100);
  EXPECT_NEAR(search.state().mean[0], 1, 1e-6);
}

TEST(CmaEs, ContinuesFromASavedStateAsIfItHadNeverStopped) {
  CmaEs whole(std::vector<double>(5, 0.0), 0.5, 0, 5);
  run(whole, rosenbrock, 60);
  CmaEs first(std::vector<double>(5, 0.0), 0.5, 0, 5);
  run(first, rosenbrock, 25);
  CmaEs second(std::vector<double>(5, 9.0), 3, 0, 6);
  StateArchive saved;
  first.visit_state(saved);
  const std::string bytes = saved.take_bytes();
  StateArchive restored(bytes);
  second.visit_state(restored);
  run(second, rosenbrock, 35);
  EXPECT_EQ(second.state().mean, whole.state().mean);
  EXPECT_EQ(second.state().covariance, whole.state().covariance);
}

TEST(CmaEs, TheSeedDecidesTheCandidates) {
  const std::vector<double> start(3, 0.0);
  EXPECT_EQ(CmaEs(start, 1, 8, 7).ask(), CmaEs(start, 1, 8, 7).ask());
  EXPECT_NE(CmaEs(start, 1, 8, 7).ask(), CmaEs(start, 1, 8, 8).ask());
  EXPECT_EQ(CmaEs(start, 1, 8, 7).ask().size(), 8U);
}

}  // namespace
}  // namespace icct
