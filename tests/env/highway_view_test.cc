#include <chrono>

#include "tests/env/small_road.h"

namespace icct {
namespace {

constexpr double kPrecision = 1e-9;

Json road_with(const Json& observations) {
  Json road = small_road();
  road["observations"] = observations;
  return road;
}

TEST(HighwayView, SingleNumbersSayWhereTheCarIs) {
  Road road(road_with({{{"what", "progress"}},
                       {{"what", "speed"}},
                       {{"what", "speed_limit"}},
                       {{"what", "lane"}},
                       {{"what", "lane_count"}},
                       {{"what", "main_lane"}, {"lanes", 2}},
                       {{"what", "target_lanes"}},
                       {{"what", "targets_from_right"}},
                       {{"what", "distance_to_edge_end"}}}));
  EXPECT_NEAR(road.sees("progress"), 200, kPrecision);
  EXPECT_EQ(road.sees("speed"), 0);
  EXPECT_EQ(road.sees("speed_limit"), 20);
  EXPECT_EQ(road.sees("lane"), 1);
  EXPECT_EQ(road.sees("lane_count"), 3);
  EXPECT_EQ(road.sees("main_lane"), 1);
  EXPECT_EQ(road.sees("target_lanes"), 2);
  EXPECT_EQ(road.sees("targets_from_right"), 0);
  EXPECT_NEAR(road.sees("distance_to_edge_end"), 200, kPrecision);

  road.drive(3);  // 1.5 m/s for half a second; SUMO falls short of commands by 0.2 %
  EXPECT_NEAR(road.sees("progress"), 200.75, 0.01);
  EXPECT_NEAR(road.sees("speed"), 1.5, 0.01);
}

TEST(HighwayView, NumbersAreOfTheEdgeThatTheCarHasReached) {
  Road road(road_with({{{"what", "progress"}},
                       {{"what", "speed_limit"}},
                       {{"what", "lane_count"}},
                       {{"what", "target_lanes"}},
                       {{"what", "targets_from_right"}},
                       {{"what", "distance_to_edge_end"}}}));
  while (road.sees("speed_limit") == 20 || road.sees("progress") <= 400) road.drive(3);
  EXPECT_EQ(road.sees("speed_limit"), 30);
  EXPECT_EQ(road.sees("lane_count"), 2);
  EXPECT_EQ(road.sees("target_lanes"), 2);
  EXPECT_EQ(road.sees("targets_from_right"), 1);
  EXPECT_NEAR(road.sees("progress") + road.sees("distance_to_edge_end"), 800, kPrecision);
}

TEST(HighwayView, AMainLaneIsZeroOnAnAuxiliaryLane) {
  Road road(road_with({{{"what", "main_lane"}, {"lanes", 2}}, {{"what", "lane"}}}));
  road.drive(3);
  road.drive(3, -1);
  EXPECT_EQ(road.sees("lane"), 0);
  EXPECT_EQ(road.sees("main_lane"), 0);
}

TEST(HighwayView, NumbersAreDivided) {
  const Road road(road_with({{{"what", "progress"}, {"divide_by", 800}},
                             {{"what", "lane_count"}, {"divide_by", 6}},
                             {{"what", "speed_limit"}, {"divide_by", 10}}}));
  EXPECT_NEAR(road.sees("progress"), 0.25, kPrecision);
  EXPECT_EQ(road.sees("lane_count"), 0.5);
  EXPECT_EQ(road.sees("speed_limit"), 2);
}

TEST(HighwayView, NeighboursAreSeenBumperToBumperWithinTheRange) {
  const Road road(
      road_with(
          {{{"what", "neighbours"}, {"range", 100}, {"divide_by", 10}, {"divide_speeds_by", 20}}}),
      {{"first", 1, 250},
       {"first", 1, 300},
       {"first", 1, 170},
       {"first", 0, 280},
       {"first", 0, 80}});
  EXPECT_NEAR(road.sees("leader_gap"), 4.5, kPrecision);
  EXPECT_EQ(road.sees("leader_speed"), 0);
  EXPECT_NEAR(road.sees("follower_gap"), 2.5, kPrecision);
  EXPECT_EQ(road.sees("follower_speed"), 0);
  EXPECT_NEAR(road.sees("right_leader_gap"), 7.5, kPrecision);
  // 115 m behind, which is too far; and nobody on the left: as on a free road.
  EXPECT_EQ(road.sees("right_follower_gap"), 10);
  EXPECT_EQ(road.sees("right_follower_speed"), 1);
  EXPECT_EQ(road.sees("left_leader_gap"), 10);
  EXPECT_EQ(road.sees("left_leader_speed"), 1);
}

TEST(HighwayView, LaneGapsAreThoseOfTheMainLanesFromTheRight) {
  const Road road(road_with({{{"what", "lane_gaps"}, {"lanes", 2}, {"range", 150}}}),
                  {{"first", 0, 210}, {"first", 1, 250}, {"first", 2, 120}, {"first", 2, 198}});
  EXPECT_NEAR(road.sees("lane1_leader_gap"), 45, kPrecision);
  EXPECT_EQ(road.sees("lane1_follower_gap"), 150);
  EXPECT_EQ(road.sees("lane2_leader_gap"), 150);
  EXPECT_NEAR(road.sees("lane2_follower_gap"), -3, kPrecision);  // beside the car
  EXPECT_EQ(road.sees("lane2_follower_speed"), 0);
}

TEST(HighwayView, WhereThereAreTooFewLanesMainLanesAreEmpty) {
  const Road road(road_with({{{"what", "lane_gaps"}, {"lanes", 4}, {"range", 150}}}),
                  {{"first", 1, 250}});
  for (const char* lane : {"lane1", "lane2", "lane3", "lane4"})
    EXPECT_EQ(road.sees(std::string(lane) + "_leader_gap"), 150);
}

TEST(HighwayView, WhereALaneForksTheLeaderIsOnTheWayOfTheCar) {
  Json json = road_with({{{"what", "neighbours"}, {"range", 100}}});
  json["network"]["connections"] = {"first.0 > off.0", "first.1 > off.0", "first.1 > second.0",
                                    "first.2 > second.1"};
  json["car"]["position"] = 380;
  const Road onwards(json, {{"second", 0, 35}, {"off", 0, 15}});
  EXPECT_NEAR(onwards.sees("leader_gap"), 57, 7);
  json["car"]["route"] = {"first", "off"};
  const Road leaving(json, {{"second", 0, 35}, {"off", 0, 15}});
  EXPECT_NEAR(leaving.sees("leader_gap"), 37, 7);
}

TEST(HighwayView, ALeaderIsSeenBeyondTheEndOfTheEdge) {
  Json json = road_with({{{"what", "neighbours"}, {"range", 100}}});
  json["car"]["position"] = 380;
  const Road road(json, {{"second", 0, 35}, {"second", 1, 15}, {"off", 0, 15}});
  // The pieces of the junction have some metres too.
  EXPECT_NEAR(road.sees("leader_gap"), 57, 7);
  EXPECT_NEAR(road.sees("left_leader_gap"), 37, 7);
  EXPECT_NEAR(road.sees("right_leader_gap"), 37, 7);
}

TEST(HighwayView, TheSceneSaysHowFarTheCarSees) {
  EXPECT_EQ(Road(road_with({{{"what", "neighbours"}, {"range", 120}},
                            {{"what", "lane_gaps"}, {"lanes", 2}, {"range", 150}},
                            {{"what", "speed"}}}))
                .scene()
                .range,
            150);
  EXPECT_EQ(Road(road_with({{{"what", "speed"}}})).scene().range, 0);
}

std::string crossing(int column, int row) {
  return "n" + std::to_string(column) + std::to_string(row);
}

// Streets of 60 m in both directions between 8 times 8 crossings, named as "n00n10".
Json town() {
  constexpr int kSize = 8;
  Json nodes = Json::object(), edges = Json::object();
  const auto street = [&](const std::string& from, const std::string& to) {
    edges[from + to] = {{"from", from}, {"to", to}, {"lanes", 1}, {"speed_limit", 14}};
  };
  for (int column = 0; column < kSize; ++column) {
    for (int row = 0; row < kSize; ++row) {
      const std::string here = crossing(column, row);
      nodes[here] = {60 * column, 60 * row};
      for (const std::string& other : {crossing(column + 1, row), crossing(column, row + 1)}) {
        if (other.find(std::to_string(kSize)) != std::string::npos) continue;
        street(here, other);
        street(other, here);
      }
    }
  }
  return {{"nodes", nodes}, {"edges", edges}, {"connections", Json::array()}};
}

// There are more ways of 1200 m to a crossing of a town than anybody could follow one by one.
TEST(HighwayView, InATownTheNearestFollowerIsFoundAtOnce) {
  Json json = road_with({{{"what", "neighbours"}, {"range", 1200}}});
  json["network"] = town();
  json["car"]["route"] = {crossing(3, 3) + crossing(4, 3), crossing(4, 3) + crossing(5, 3)};
  json["car"]["lane"] = "0";
  json["car"]["position"] = 20;
  const auto begin = std::chrono::steady_clock::now();
  const Road alone(json);
  EXPECT_EQ(alone.sees("follower_gap"), 1200);
  // Two streets lie between either and the car; crossings take some metres of each.
  const Road road(
      json, {{crossing(1, 3) + crossing(2, 3), 0, 30}, {crossing(3, 1) + crossing(3, 2), 0, 5}});
  EXPECT_NEAR(road.sees("follower_gap"), 100, 8);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(taken.count(), 30);
}

}  // namespace
}  // namespace icct
