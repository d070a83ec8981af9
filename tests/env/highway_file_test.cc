#include <cstdlib>

#include "tests/complaint.h"
#include "tests/env/small_road.h"

namespace icct {
namespace {

// What is said about the small road, with a flow, after `change`; it begins with the file's name.
std::string complaint_after(const std::function<void(Json&)>& change) {
  const TemporaryFolder folder;
  Json road = small_road();
  road["traffic"]["flows"] = {{{"route", {"off"}}, {"per_hour", 0}, {"type", "car"}},
                              {{"route", {"first", "second"}}, {"per_hour", 300}, {"type", "car"}}};
  change(road);
  const std::filesystem::path file = folder / "road.json";
  write_file_atomically(file, write_json(road));
  const std::string text = complaint([&] { make_traffic(file); });
  EXPECT_NE(text.find(file.string() + ": "), std::string::npos) << text;
  return text;
}

void expect_words(const std::function<void(Json&)>& change, const std::string& words) {
  const std::string text = complaint_after(change);
  EXPECT_NE(text.find(words), std::string::npos) << text << "\nshould have: " << words;
}

TEST(HighwayFile, AMisspeltAttributeOfAVehicleTypeIsNamed) {
  expect_words([](Json& j) { j["traffic"]["types"]["car"]["acel"] = 3; },
               "traffic.types.car.acel: SUMO knows no such attribute");
}

TEST(HighwayFile, AttributesOfDriversAndTheirLaneChangesAreAccepted) {
  Json road = small_road();
  road["traffic"]["types"]["car"]["carFollowModel"] = "IDM";
  road["traffic"]["types"]["car"]["delta"] = 4;
  road["traffic"]["types"]["car"]["lcStrategic"] = 2;
  road["traffic"]["types"]["car"]["jmTimegapMinor"] = 1;
  road["traffic"]["types"]["car"]["vClass"] = "passenger";
  EXPECT_EQ(complaint([&] { const Road made(road); }), "none");
}

TEST(HighwayFile, ATaskWithoutRewardIsRefused) {
  expect_words([](Json& j) { j["reward"] = Json::array(); }, "reward: expected at least one");
}

TEST(HighwayFile, LanesThatThereAreNotAreFoundBeforeAnyEpisode) {
  expect_words([](Json& j) { j["traffic"]["flows"][1]["depart_lane"] = "3"; },
               "traffic.flows[1]: its depart_lane is 3, but edge 'first' has lanes 0 to 2");
  expect_words([](Json& j) { j["traffic"]["flows"][1]["depart_lane"] = "middle"; },
               "flows[1].depart_lane: expected a lane's number");
  expect_words([](Json& j) { j["car"]["lane"] = "3"; },
               "the car's lane is 3, but edge 'first' has lanes 0 to 2");
  expect_words([](Json& j) { j["car"]["lane"] = "-1"; }, "car.lane: expected a lane's number");
}

TEST(HighwayFile, AStepTakesWholeMillisecondsAndNotTooMany) {
  expect_words([](Json& j) { j["step_length"] = 1e5; }, "step_length: expected a number from");
  expect_words([](Json& j) { j["step_length"] = 0.0015; }, "step_length: expected whole milli");
  for (const double seconds : {0.001, 0.025, 0.1, 10.0}) {
    Json road = small_road();
    road["step_length"] = seconds;
    EXPECT_EQ(complaint([&] { Road(road).drive(1); }), "none") << seconds;
  }
}

TEST(HighwayFile, WhatSumoRefusesIsToldWithTheFlowItIsAbout) {
  expect_words([](Json& j) { j["traffic"]["flows"][1]["type"] = "lorry"; },
               "'lorry' for flow 'traffic.flows[1]");
  expect_words([](Json& j) { j["traffic"]["flows"][1]["depart_speed"] = "quick"; },
               "flow 'traffic.flows[1]");
  expect_words(
      [](Json& j) {
        j["traffic"]["flows"][1]["route"] = {"first", "nowhere"};
      },
      "traffic.flows[1]");
}

TEST(HighwayFile, NetconvertsErrorsComeWithoutItsUsualWarnings) {
  const std::string text =
      complaint_after([](Json& j) { j["network"]["edges"]["off"]["to"] = "nowhere"; });
  EXPECT_NE(text.find("netconvert failed: Error: Edge's 'off'"), std::string::npos) << text;
  EXPECT_EQ(text.find("SUMO_HOME"), std::string::npos) << text;
  EXPECT_EQ(text.find("Quitting"), std::string::npos) << text;
}

}  // namespace
}  // namespace icct
