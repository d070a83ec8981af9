#include "icct/search/moved_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "icct/base/rng.h"
#include "tests/weaving_environment.h"

namespace icct {
namespace {

// The first action pushes the last feature, with noise; the second one nothing but the first
// feature. What is between moves by itself.
class Pushed final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 50; }
  void reset(std::uint64_t seed, std::span<double> x) override {
    rng_ = Rng(seed);
    count_ = 0;
    x_ = {0, 0, 0};
    std::ranges::copy(x_, x.begin());
  }
  Step step(std::span<const double> action, std::span<double> x) override {
    x_[0] -= action[1];
    x_[1] = 100 * rng_.normal();
    x_[2] += 0.01 * action[0] + 0.01 * rng_.normal();
    std::ranges::copy(x_, x.begin());
    return {.truncated = ++count_ == max_steps()};
  }

 private:
  std::string name_ = "pushed";
  Space observations_ = {
      {.name = "a", .unit = ""}, {.name = "b", .unit = ""}, {.name = "c", .unit = ""}};
  Space actions_ = {{.name = "p", .unit = "", .lower = -1, .upper = 1},
                    {.name = "q", .unit = "", .lower = -5, .upper = 5}};
  Rng rng_{0};
  int count_ = 0;
  std::array<double, 3> x_{};
};

TEST(MovedFeatures, AreThoseWhoseChangesGoWithTheAction) {
  Pushed environment;
  for (const std::uint64_t seed : {1, 2, 3})
    EXPECT_EQ(moved_features(environment, seed, 0), (std::vector{2, 0})) << seed;
}

TEST(MovedFeatures, ALaneIsMovedByCommandsToChangeIt) {
  Weaving environment(20);
  EXPECT_EQ(moved_features(environment, 1, 0), std::vector{0});
}

}  // namespace
}  // namespace icct
