#include "icct/nn/batched_mlp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/nn/slow_mlp.h"

namespace icct {
namespace {

struct Case {
  std::vector<int> sizes;
  int batch;
};

struct Result {
  std::vector<float> y, d_parameters, d_x;
};

struct Problem {
  explicit Problem(const Case& c) : mlp(c.sizes), batch(c.batch) {
    Rng rng(7);
    initialise(mlp, rng);
    x.resize(static_cast<std::size_t>(batch * c.sizes.front()));
    d_y.resize(static_cast<std::size_t>(batch * c.sizes.back()));
    fill_random<float>(x, rng);
    fill_random<float>(d_y, rng);
  }

  Result solve(Team* team, int max_batch) const {
    BatchedMlp<float> batched(mlp.sizes(), max_batch);
    batched.set_team(team);
    Result r{{}, std::vector<float>(mlp.parameters().size()), std::vector<float>(x.size())};
    const int inputs = mlp.sizes().front();
    const auto y = batched.forward(mlp, {x.data(), batch, inputs});
    r.y.assign(y.data, y.data + y.size());
    batched.backward(mlp, {d_y.data(), batch, mlp.sizes().back()}, r.d_parameters,
                     {r.d_x.data(), batch, inputs});
    return r;
  }

  Mlp<float> mlp;
  int batch;
  std::vector<float> x, d_y;
};

void expect_near(const std::vector<float>& actual, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(static_cast<double>(actual[i]), expected[i],
                tolerance * std::max(1.0, std::abs(expected[i])))
        << i;
}

void expect_same(const std::vector<float>& actual, const std::vector<float>& expected,
                 const char* what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    ASSERT_EQ(actual[i], expected[i]) << what << " " << i;
}

void expect_same(const Result& actual, const Result& expected) {
  expect_same(actual.y, expected.y, "y");
  expect_same(actual.d_parameters, expected.d_parameters, "d_parameters");
  expect_same(actual.d_x, expected.d_x, "d_x");
}

class BatchedMlpSizes : public testing::TestWithParam<Case> {};

TEST_P(BatchedMlpSizes, MatchThePaperFormInDouble) {
  const Problem problem(GetParam());
  const Result actual = problem.solve(nullptr, problem.batch);
  SlowMlp slow(problem.mlp.sizes(), problem.mlp.parameters());
  const auto rows = [&](const std::vector<float>& values, int i) {
    const std::size_t columns = values.size() / static_cast<std::size_t>(problem.batch);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(columns) * i;
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(columns));
  };
  std::vector<double> y, d_x, d_parameters(problem.mlp.parameters().size());
  for (int i = 0; i < problem.batch; ++i) {
    for (const double value : slow.forward(rows(problem.x, i))) y.push_back(value);
    for (const double value : slow.backward(rows(problem.d_y, i), d_parameters))
      d_x.push_back(value);
  }
  expect_near(actual.y, y, 1e-5);
  expect_near(actual.d_parameters, d_parameters, 1e-4);
  expect_near(actual.d_x, d_x, 1e-5);
}

TEST_P(BatchedMlpSizes, GiveTheSameBitsForEveryTeamAndCapacity) {
  const Problem problem(GetParam());
  const Result alone = problem.solve(nullptr, problem.batch);
  Team two(2), three(3);
  expect_same(problem.solve(&two, problem.batch), alone);
  expect_same(problem.solve(&three, problem.batch + 100), alone);
  expect_same(problem.solve(&two, 1), alone);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BatchedMlpSizes,
                         testing::Values(Case{{1, 1, 1, 1}, 1}, Case{{3, 1, 7, 1}, 5},
                                         Case{{10, 16, 16, 1}, 16}, Case{{10, 17, 31, 1}, 13},
                                         Case{{5, 33, 2}, 257}, Case{{46, 100, 50, 6}, 135},
                                         Case{{18, 64, 64, 1}, 300}, Case{{2, 3}, 9},
                                         Case{{20, 300, 400, 1}, 31}, Case{{7, 1024, 5, 1}, 83},
                                         Case{{33, 5, 1024, 2}, 161}, Case{{4, 8, 8, 8, 8, 1}, 100},
                                         Case{{3, 130, 170, 8, 1}, 47}));

TEST(BatchedMlp, KeepsRowsThatAreLeftOutAsTheyWere) {
  Rng rng(1);
  Mlp<float> mlp({3, 20, 1});
  initialise(mlp, rng);
  std::vector<float> x(30);
  fill_random<float>(x, rng);
  BatchedMlp<float> batched(mlp.sizes(), 10);
  const auto all = batched.forward(mlp, {x.data(), 10, 3});
  const std::vector<float> before(all.data, all.data + 10);
  PackedMlp<float> weights(mlp.shape(), Passes::Forward);
  weights.load(mlp.parameters());
  for (float& value : x) value = -value;
  const std::vector<int> chosen = {1, 4, 9};
  batched.set_input({x.data(), 10, 3}, 0, chosen);
  batched.forward_rows(weights, chosen);
  for (int i = 0; i < 10; ++i) {
    const bool is_chosen = i == 1 || i == 4 || i == 9;
    EXPECT_EQ(batched.output()(i, 0) == before[static_cast<std::size_t>(i)], !is_chosen) << i;
  }
}

TEST(BatchedMlp, LetsNanThrough) {
  Rng rng(1);
  Mlp<float> mlp({2, 16, 16, 1});
  initialise(mlp, rng);
  mlp.weights(0)(3, 1) = std::numeric_limits<float>::quiet_NaN();
  const float x[2] = {1, 1};
  BatchedMlp<float> batched(mlp.sizes(), 1);
  EXPECT_TRUE(std::isnan(batched.forward(mlp, {x, 1, 2})(0, 0)));
}

}  // namespace
}  // namespace icct
