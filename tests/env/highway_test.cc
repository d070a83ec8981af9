#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/env/check_environment.h"
#include "icct/env/conformance/recording.h"
#include "icct/env/traffic.h"
#include "tests/complaint.h"
#include "tests/env/small_road.h"
#include "tests/temporary_folder.h"

namespace icct {
namespace {

const std::string kExample = ICCT_SOURCE_DIR "/examples/merge.json";

Json example() {
  return parse_json(read_file(kExample, 1 << 20), kExample);
}

// What is said about the example after `change`.
std::string complaint_about(const TemporaryFolder& folder,
                            const std::function<void(Json&)>& change) {
  Json json = example();
  change(json);
  const std::filesystem::path file = folder.path() / "road.json";
  write_file_atomically(file, write_json(json));
  return complaint([&] { make_traffic(file); });
}

// Full throttle, and to the left whenever the car is not in a lane that leads on.
struct Drive {
  double total = 0;
  int steps = 0;
  Step last;
};
Drive drive(Environment& environment, std::uint64_t seed, double acceleration,
            const std::function<double(std::span<const double>)>& lane_command) {
  std::vector<double> x(environment.observations().size());
  environment.reset(seed, x);
  Drive result;
  for (;;) {
    result.last = environment.step(std::vector{acceleration, lane_command(x)}, x);
    result.total += result.last.reward;
    ++result.steps;
    if (result.last.terminated || result.last.truncated) return result;
  }
}

double metric(Environment& environment, const std::string& name) {
  for (const Metric& each : environment.metrics()) {
    if (each.name == name) return each.value;
  }
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

TEST(Highway, AFileOfOnesOwnIsAnEnvironmentThatKeepsAllPromises) {
  const auto environment = make_traffic(kExample);
  for (const CheckResult& check : check_environment(*environment))
    EXPECT_TRUE(check.passed) << check.name << ": " << check.explanation;
}

TEST(Highway, ACarThatMergesArrives) {
  const auto environment = make_traffic(kExample + ":density=0.2");
  const Drive drive_on = drive(*environment, 1, 2, [](std::span<const double> x) {
    return x[2] == 0 ? 1.0 : 0.0;  // on the ramp or its lane: to the left
  });
  EXPECT_TRUE(drive_on.last.terminated);
  EXPECT_EQ(metric(*environment, "arrivals"), 1);
  EXPECT_EQ(metric(*environment, "collisions"), 0);
  EXPECT_GT(drive_on.total, 20);
}

TEST(Highway, ACarThatStaysOnTheRampStandsAtItsEndUntilTimeIsUp) {
  const auto environment = make_traffic(kExample + ":density=0");
  const Drive drive_on = drive(*environment, 1, 2, [](std::span<const double>) { return 0.0; });
  EXPECT_TRUE(drive_on.last.truncated);
  EXPECT_EQ(metric(*environment, "arrivals"), 0);
}

TEST(Highway, ACommandIntoALaneThatDoesNotExistIsCountedAndNotCarriedOut) {
  const auto environment = make_traffic(kExample + ":density=0");
  std::vector<double> x(environment->observations().size());
  environment->reset(1, x);
  for (int i = 0; i < 5; ++i) environment->step(std::vector{0.0, -1.0}, x);
  EXPECT_EQ(metric(*environment, "unsafe_lane_changes"), 5);
  EXPECT_EQ(x[2], 0);
}

TEST(Highway, RefusedCommandsCostWhatTheOptionSays) {
  const auto cost = [](const std::string& option) {
    const auto environment = make_traffic(kExample + ":density=0" + option);
    std::vector<double> x(environment->observations().size());
    environment->reset(1, x);
    const double refused = environment->step(std::vector{0.0, -1.0}, x).reward;
    environment->reset(1, x);
    return environment->step(std::vector{0.0, 0.0}, x).reward - refused;
  };
  EXPECT_NEAR(cost(""), 1, 1e-9);
  EXPECT_NEAR(cost(",refusals=10"), 10, 1e-9);
  EXPECT_NEAR(cost(",refusals=0"), 0, 1e-9);
  EXPECT_NE(complaint([] { make_traffic("i94:refusals=-1"); }).find("from 0 to 1000"),
            std::string::npos);
}

TEST(Highway, SumoCanDriveTheCarWhateverTheActions) {
  const auto environment = make_traffic("i94:density=0.1,sumo_drives=on");
  const auto absurd = [](std::span<const double>) { return -1.0; };
  const Drive first = drive(*environment, 1, -3, absurd);
  EXPECT_EQ(metric(*environment, "arrivals"), 1);
  EXPECT_EQ(metric(*environment, "unsafe_lane_changes"), 0);
  EXPECT_GT(first.total, 900);
}

TEST(Highway, ACarThatMissesItsExitEndsTheEpisodeWithThePenalty) {
  const auto environment = make_traffic("i94:density=0.02");
  const Drive drive_on = drive(*environment, 1, 3, [](std::span<const double> x) {
    return x[2] < 0.5 ? 1.0 : 0.0;  // keeps to the second main lane
  });
  EXPECT_TRUE(drive_on.last.terminated);
  EXPECT_LT(drive_on.last.reward, -90);
  EXPECT_EQ(metric(*environment, "arrivals"), 0);
}

TEST(Highway, I94IsLeftByItsLastExit) {
  const auto environment = make_traffic("i94:density=0.02");
  const Drive drive_on = drive(*environment, 1, 3, [](std::span<const double> x) {
    if (x[0] < 0.3) return x[2] == 0 ? 1.0 : 0.0;
    return x[0] > 0.89 && x[2] > 0 ? -1.0 : 0.0;  // to the right beside the last exit lane
  });
  EXPECT_EQ(metric(*environment, "arrivals"), 1);
  EXPECT_EQ(metric(*environment, "collisions"), 0);
  EXPECT_GT(drive_on.total, 800);
}

TEST(Highway, OnAFreeRoadTheCarOfI94ReachesTheLimitAndKeepsToIt) {
  const auto environment = make_traffic("i94:density=0");
  for (const std::uint64_t seed : {1, 2, 3}) {
    double fastest = 0;
    drive(*environment, seed, 3, [&](std::span<const double> x) {
      fastest = std::max(fastest, x[1]);
      return x[2] == 0 && x[0] < 0.3 ? 1.0 : 0.0;
    });
    EXPECT_NEAR(fastest, 1, 1e-9) << "seed " << seed;
  }
}

TEST(Highway, I280HasTheNineteenObservationsOfThePaper) {
  const auto environment = make_traffic("i280:density=0.02");
  EXPECT_EQ(environment->observations().size(), 19U);
  EXPECT_EQ(make_traffic("i94:density=0.02")->observations().size(), 19U);
}

TEST(Highway, ANetworkAndRoutesInSumosOwnFilesDoAsWell) {
  const TemporaryFolder folder;
  const std::string at = folder.path().string() + "/";
  write_file_atomically(at + "road.nod.xml",
                        "<nodes><node id='a' x='0' y='0'/><node id='b' x='400' y='0'/></nodes>");
  write_file_atomically(at + "road.edg.xml",
                        "<edges><edge id='e' from='a' to='b' numLanes='2' speed='20'/></edges>");
  const std::string command = "netconvert -n " + at + "road.nod.xml -e " + at + "road.edg.xml -o " +
                              at + "road.net.xml > /dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  write_file_atomically(at + "road.rou.xml",
                        "<routes><vType id='car' sigma='0'/><vType id='slow' maxSpeed='10'/>"
                        "<flow id='f' type='slow' begin='0' end='999' probability='0.1'>"
                        "<route edges='e'/></flow></routes>");
  Json json = example();
  json["network"] = "road.net.xml";
  json["traffic"] = {{"routes", "road.rou.xml"}, {"warm_up", 20}};
  json["car"]["route"] = {"e"};
  write_file_atomically(at + "road.json", write_json(json));
  const auto environment = make_traffic(at + "road.json");
  const Drive drive_on = drive(*environment, 1, 1, [](std::span<const double>) { return 0.0; });
  EXPECT_EQ(metric(*environment, "arrivals"), 1) << drive_on.steps;
  const auto cars_at = [&](const std::string& density) {
    const auto denser = make_traffic(at + "road.json:density=" + density);
    std::vector<double> x(denser->observations().size());
    denser->reset(1, x);
    return denser->scene().cars.size();
  };
  EXPECT_EQ(cars_at("0"), 1U);
  EXPECT_GT(cars_at("5"), cars_at("1"));
}

// SUMO reads such a file little by little, and processes that are forked read it together.
TEST(Highway, ALargeFileOfRoutesBringsTheSameTrafficInEveryEpisode) {
  const TemporaryFolder folder;
  std::string routes = "<routes><vType id='calm' sigma='0'/>";
  const std::string long_remark(20'000, '-');
  for (int time = 0; time < 900; time += 3) {
    const std::string number = std::to_string(time);
    routes += "<vehicle id='v" + number + "' type='calm' depart='" + number +
              "' departLane='2'><route edges='first second'/><param key='remark' value='" +
              long_remark + "'/></vehicle>";
  }
  write_file_atomically(folder / "cars.rou.xml", routes + "</routes>");
  Json road = small_road();
  road["max_steps"] = 1500;
  road["traffic"]["routes"] = "cars.rou.xml";
  road["traffic"]["warm_up"] = 5;
  write_file_atomically(folder / "road.json", write_json(road));
  const auto environment = make_traffic(folder / "road.json");
  const auto last_scene = [&environment] {
    record(*environment, 1, constant_action({0, 0}), 1400);
    return environment->scene();
  };
  const Scene first = last_scene();
  EXPECT_GT(first.cars.size(), 5U);
  EXPECT_EQ(last_scene(), first);
}

// A program called netconvert that breaks off, as on a full disk.
TEST(Highway, ANetworkOfWhichOnlyAPartWasWrittenIsNotKept) {
  const TemporaryFolder folder;
  const std::string at = folder.path().string();
  write_file_atomically(at + "/netconvert",
                        "#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\nprintf '<net' > \"$1\"\n");
  std::filesystem::permissions(at + "/netconvert", std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (at + ":" + path).c_str(), 1);
  setenv("XDG_CACHE_HOME", (at + "/cache").c_str(), 1);
  EXPECT_NE(complaint([] { make_traffic(kExample); }).find("is the disk full?"), std::string::npos);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(complaint([] { make_traffic(kExample); }), "none");
  unsetenv("XDG_CACHE_HOME");
}

TEST(Highway, MistakesInAFileAreNamedWithTheirPlace) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::function<void(Json&)>& change, const std::string& words) {
    const std::string text = complaint_about(folder, change);
    EXPECT_NE(text.find(words), std::string::npos) << text << "\nshould have: " << words;
  };
  expect([](Json& j) { j["format"] = "icct-highway-9"; }, "format: expected");
  expect([](Json& j) { j["observations"][0]["what"] = "sped"; }, "'sped' is not one of");
  expect([](Json& j) { j["reward"][1].erase("weight"); }, "weight");
  expect([](Json& j) { j["actions"]["acceleration"] = {1, -1}; }, "expected [lowest, highest]");
  expect([](Json& j) { j["max_steps"] = 0; }, "max_steps: expected a whole number");
  expect([](Json& j) { j["network"]["connections"][0] = "before > merge"; }, "EDGE.LANE");
  expect([](Json& j) { j["car"]["route"][2] = "nowhere"; }, "'nowhere'");
  expect([](Json& j) { j["network"] = "missing.net.xml"; }, "missing.net.xml");
  expect([](Json& j) { j["car"]["type"] = "tank"; }, "tank");
  expect([](Json& j) { j["observations"].push_back({{"what", "speed"}}); }, "speed");
  expect([](Json& j) { j["observations"][0]["lanes"] = 3; }, "unknown key \"lanes\"");
  expect([](Json& j) { j["reward"][0]["share"] = 3; }, "unknown key \"share\"");
}

TEST(Highway, NumbersThatMakeNoSenseAreRefused) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::function<void(Json&)>& change, const std::string& words) {
    const std::string text = complaint_about(folder, change);
    EXPECT_NE(text.find(words), std::string::npos) << text << "\nshould have: " << words;
  };
  expect([](Json& j) { j["actions"]["lane_changes"] = 1; }, "lane_changes: expected true or false");
  expect([](Json& j) { j["traffic"]["warm_up"] = -1; }, "warm_up: expected a number from 0");
  expect([](Json& j) { j["traffic"]["warm_up"] = 1e12; }, "warm_up: expected a number from 0");
  expect([](Json& j) { j["actions"]["safe_gap"]["distance"] = -5; }, "distance: expected a number");
  expect([](Json& j) { j["car"]["position"] = -10; }, "position: expected a number from 0");
  expect([](Json& j) { j["car"]["position"] = 5000; }, "the car's position is 5000 m");
  expect([](Json& j) { j["car"]["speed"] = 100; }, "the car cannot enter");
  expect([](Json& j) { j["network"]["edges"]["merge"]["speed_limit"] = 0; }, "above 0");
}

TEST(Highway, RoutesMustBeConnectedAndPassAnEdgeOnce) {
  const TemporaryFolder folder;
  const Json route = example().at("car").at("route");
  const auto with = [&](const Json& changed) {
    return complaint_about(folder, [&](Json& j) { j["car"]["route"] = changed; });
  };
  EXPECT_NE(with({route.back(), route.front()}).find("which no connection does"),
            std::string::npos);
  const std::string flow = complaint_about(folder, [&](Json& j) {
    j["traffic"]["flows"][0]["route"] = {route.back(), route.front()};
  });
  EXPECT_NE(flow.find("traffic.flows[0]: its route goes from"), std::string::npos) << flow;
}

TEST(Highway, TrafficCanBeMadeDenser) {
  const auto cars_at = [](const std::string& density) {
    const auto environment = make_traffic(kExample + ":density=" + density);
    std::vector<double> x(environment->observations().size());
    environment->reset(1, x);
    return environment->scene().cars.size();
  };
  const std::size_t usual = cars_at("1");
  EXPECT_GT(cars_at("3"), usual);
  EXPECT_LT(cars_at("0.1"), usual);
}

TEST(Highway, TrafficBeyondTheRadiusIsTakenOut) {
  const TemporaryFolder folder;
  const double radius = 250;
  const auto farthest_with = [&](double kept_within, const std::string& option = "") {
    Json json = example();
    if (kept_within > 0) json["traffic"]["radius"] = kept_within;
    write_file_atomically(folder.path() / "road.json", write_json(json));
    const auto environment = make_traffic(folder.path() / ("road.json:density=2" + option));
    std::vector<double> x(environment->observations().size());
    environment->reset(1, x);
    environment->step(std::vector{0.0, 0.0}, x);
    const Scene scene = environment->scene();
    const auto car = std::ranges::find_if(scene.cars, &Scene::Car::controlled);
    double farthest = 0;
    for (const Scene::Car& each : scene.cars)
      farthest =
          std::max(farthest, std::hypot(each.front.x - car->front.x, each.front.y - car->front.y));
    return farthest;
  };
  EXPECT_GT(farthest_with(0), radius + 50);
  const double farthest = farthest_with(radius);
  EXPECT_LT(farthest, radius + 5);  // all move on for one step
  EXPECT_GT(farthest, 100);
  EXPECT_EQ(farthest_with(0, ",radius=250"), farthest);
  EXPECT_GT(farthest_with(radius, ",radius=1000"), radius + 50);
  EXPECT_NE(complaint([] { make_traffic("i94:radius=150"); }).find("from 200"), std::string::npos);
  const std::string short_sighted =
      complaint_about(folder, [](Json& j) { j["traffic"]["radius"] = 150; });
  EXPECT_NE(short_sighted.find("radius: expected at least what the car sees, 200 m"),
            std::string::npos)
      << short_sighted;
}

TEST(Highway, OptionsThatThereAreNotAreRefused) {
  EXPECT_NE(complaint([] { make_traffic("i94:densty=2"); }).find("it has: density"),
            std::string::npos);
}

}  // namespace
}  // namespace icct
