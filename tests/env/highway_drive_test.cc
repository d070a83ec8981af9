#include "icct/policy/policy_file.h"
#include "icct/rollout/rollout.h"
#include "tests/env/small_road.h"

namespace icct {
namespace {

Json road_that_pays(const Json& reward) {
  Json road = small_road();
  road["reward"] = reward;
  road["car"]["speed"] = 15;
  return road;
}

TEST(HighwayDrive, BrakingByFiveToTenIsAHardBrakeAndByMoreCountsAsACollision) {
  Road road(road_that_pays({{{"what", "hard_braking"}, {"weight", -3}, {"deceleration", 5}}}));
  EXPECT_EQ(road.drive(-4).reward, 0);
  EXPECT_EQ(road.counts("hard_brakes"), 0);
  EXPECT_EQ(road.drive(-7).reward, -3);
  EXPECT_EQ(road.counts("hard_brakes"), 1);
  const Step hardest = road.drive(-12);
  EXPECT_EQ(hardest.reward, -3);
  EXPECT_FALSE(hardest.terminated);
  EXPECT_EQ(road.counts("hard_brakes"), 1);
  EXPECT_EQ(road.counts("collisions"), 1);
}

TEST(HighwayDrive, RunningIntoAnotherCarIsACollisionThatEndsTheEpisode) {
  Road road(road_that_pays(
                {{{"what", "collision"}, {"weight", -50}}, {{"what", "arrival"}, {"weight", 7}}}),
            {{"first", 1, 260}});
  Step step;
  for (int i = 0; i < 20 && !step.terminated; ++i) step = road.drive(0);
  EXPECT_TRUE(step.terminated);
  EXPECT_EQ(step.reward, -50);
  EXPECT_EQ(road.counts("collisions"), 1);
  EXPECT_EQ(road.counts("arrivals"), 0);
}

// Gone in the same step in which it leaves.
TEST(HighwayDrive, AShortExitThatIsNotTheCarsIsAMissedOneToo) {
  Json json = road_that_pays(
      {{{"what", "missed_exit"}, {"weight", -50}}, {{"what", "arrival"}, {"weight", 7}}});
  json["step_length"] = 1;
  json["network"]["edges"]["off"]["length"] = 5;
  json["observations"] = {{{"what", "neighbours"}, {"range", 100}}};
  json["car"]["lane"] = "0";
  json["car"]["position"] = 360;
  Road road(json);
  Step step;
  for (int i = 0; i < 20 && !step.terminated; ++i) step = road.drive(0);
  EXPECT_FALSE(step.lost);
  EXPECT_TRUE(step.terminated);
  EXPECT_EQ(step.reward, -50);
  EXPECT_EQ(road.counts("arrivals"), 0);
}

TEST(HighwayDrive, TheHandWrittenPolicyArrivesOnI280) {
  const Policy policy = load_policy(ICCT_SOURCE_DIR "/examples/policies/i280.json");
  const auto environment = make_traffic("i280:density=0.2");
  const Episode episode = run_episode(*environment, policy, 1);
  EXPECT_TRUE(episode.terminated);
  EXPECT_EQ(
      episode.metrics,
      (std::vector<Metric>{
          {"collisions", 0}, {"hard_brakes", 0}, {"unsafe_lane_changes", 0}, {"arrivals", 1}}));
  EXPECT_GT(episode.total_reward, 180);
}

}  // namespace
}  // namespace icct
