#include "icct/search/race.h"

#include <gtest/gtest.h>

#include <cmath>

#include "icct/base/error.h"
#include "tests/losing_environment.h"
#include "tests/tracking_environment.h"

namespace icct {
namespace {

constexpr RaceRound kRounds[] = {{4, 0.5}, {20, 0}};

Policy constant(double action) {
  return tracking_policy(make_leaf({{.bias = action}}));
}

std::vector<Change> constants(const std::vector<double>& actions) {
  std::vector<Change> changes;
  for (const double action : actions)
    changes.push_back({constant(action), "constant " + std::to_string(action)});
  return changes;
}

RaceResult race_of(const std::vector<double>& actions, int jobs = 1, std::uint64_t seed = 1,
                   std::uint64_t first_episode = 0) {
  Workers workers(tracking(), jobs);
  return race(workers, constant(0), constants(actions), kRounds, seed, first_episode);
}

TEST(Race, TheBestChangeWinsWhereverItStands) {
  for (std::vector<double> actions :
       {std::vector{0.3, -0.9, 0.9, -0.5, 0.7}, std::vector{-0.9, 0.9, -0.5, 0.7, 0.3}}) {
    const RaceResult result = race_of(actions);
    EXPECT_EQ(result.winners[0].policy, constant(0.3));
    EXPECT_EQ(result.winners[0].what, "constant 0.300000");
    EXPECT_GT(result.winners[0].gain, 2 * result.winners[0].gain_error);
  }
}

TEST(Race, TheBestOfEveryKindStaysHoweverBadItsKindIs) {
  std::vector<Change> changes = constants({0.2, -0.9, 0.3, -0.7, 0.4, -0.8});
  for (const std::size_t i : {1, 3, 5}) changes[i].kind = 1;
  Workers workers(tracking(), 1);
  const RaceResult result = race(workers, constant(0), changes, kRounds, 1, 0);
  ASSERT_EQ(result.winners.size(), 2U);
  EXPECT_EQ(result.winners[0].policy, constant(0.3));
  EXPECT_EQ(result.winners[1].policy, constant(-0.7));
  EXPECT_GT(result.winners[0].gain, 0);  // that of the first
  // Of three of a kind, two play on.
  EXPECT_EQ(result.episodes, 7 * 4 + 5 * 20);
}

TEST(Race, TellsWhenTheBestChangeIsWorseThanWhatThereIs) {
  const RaceResult result = race_of({-0.9, 0.95});
  EXPECT_EQ(result.winners[0].policy, constant(0.95));
  EXPECT_LT(result.winners[0].gain, -2 * result.winners[0].gain_error);
}

TEST(Race, AllPlayTheSameEpisodes) {
  // The same policy as at present gains nothing at all, and without luck.
  const RaceResult same = race_of({0});
  EXPECT_EQ(same.winners[0].gain, 0);
  EXPECT_EQ(same.winners[0].gain_error, 0);
  // A shift of a constant: the noise of the rewards is common, what is left is the error of
  // 2 * 0.1 * 0.01 * x over 120 steps. Unpaired it would be five times as much.
  const RaceResult shifted = race_of({0.1});
  EXPECT_NEAR(shifted.winners[0].gain, 5 * (0.09 - 0.04), 5 * shifted.winners[0].gain_error);
  EXPECT_LT(shifted.winners[0].gain_error, 0.05);
}

TEST(Race, AnEpisodeThatIsLostCountsForNobody) {
  const auto race_losing = [](const Losing::Loses& loses) {
    Workers workers(losing(tracking(), loses), 1);
    return race(workers, constant(0), constants({0.3, 0.9}), kRounds, 1, 0);
  };
  const RaceResult result =
      race_losing([](std::uint64_t seed, int /*begun*/) { return seed % 3 == 0; });
  EXPECT_EQ(result.winners[0].policy, constant(0.3));
  EXPECT_GT(result.winners[0].gain, 0);
  EXPECT_LT(result.winners[0].gain, 10);  // no lost return of minus infinity in it
  EXPECT_THROW(race_losing([](std::uint64_t, int) { return true; }), Error);
}

TEST(Race, TheGainIsThatOnTheEpisodesFromTheFirstOneOn) {
  Tracking environment;
  double gain = 0;
  for (std::uint64_t i = 0; i < 24; ++i) {
    const std::uint64_t seed = episode_seed(7, Purpose::Training, 500 + i);
    gain += run_episode(environment, constant(0.2), seed).total_reward / 24;
    gain -= run_episode(environment, constant(0), seed).total_reward / 24;
  }
  EXPECT_NEAR(race_of({-0.9, 0.2, -0.8}, 1, 7, 500).winners[0].gain, gain, 1e-12);
}

TEST(Race, MostEpisodesGoToThoseThatDoWell) {
  const RaceResult result = race_of({0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  // Seven play the first round; the present policy and half of the changes the second.
  EXPECT_EQ(result.episodes, 7 * 4 + 4 * 20);
  EXPECT_EQ(result.steps, 5 * result.episodes);
}

TEST(Race, DoesNotDependOnTheNumberOfWorkers) {
  std::vector<double> actions;
  for (int i = 0; i < 80; ++i) actions.push_back(0.2 + 0.0025 * i);  // more than fits a chunk
  const RaceResult one = race_of(actions, 1);
  const RaceResult three = race_of(actions, 3);
  EXPECT_EQ(one.winners[0].policy, three.winners[0].policy);
  EXPECT_EQ(one.winners[0].gain, three.winners[0].gain);
  EXPECT_EQ(one.winners[0].gain_error, three.winners[0].gain_error);
  EXPECT_EQ(one.steps, three.steps);
}

// Rewards the action; what is above 0.5 breaks it.
class Fragile final : public Environment {
 public:
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 1; }
  void reset(std::uint64_t, std::span<double> x) override { x[0] = 0; }
  Step step(std::span<const double> action, std::span<double>) override {
    return {.reward = action[0] > 0.5 ? NAN : action[0], .terminated = true};
  }

 private:
  std::string name_ = "fragile";
  Space observations_ = {{.name = "x", .unit = ""}};
  Space actions_ = {{.name = "a", .unit = "", .lower = -1, .upper = 1}};
};

TEST(Race, ReturnsThatAreNoNumberLose) {
  Workers workers([] { return std::make_unique<Fragile>(); }, 1);
  const auto result = race(workers, constant(0), constants({0.9, 0.2, 0.8, 0.1, 1}), kRounds, 1, 0);
  EXPECT_EQ(result.winners[0].policy, constant(0.2));
  EXPECT_NEAR(result.winners[0].gain, 0.2, 1e-12);
  const auto broken = race(workers, constant(0), constants({0.9}), kRounds, 1, 0);
  EXPECT_LT(broken.winners[0].gain, -1);
}

}  // namespace
}  // namespace icct
