#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <numeric>
#include <thread>

#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/env/make_environment.h"
#include "icct/policy/policy_file.h"
#include "tests/cli/program.h"

namespace icct {
namespace {

const std::string kMerge = "examples/merge.json";

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

// Full throttle, and into the first main lane.
std::string write_driver(const TemporaryFolder& folder) {
  Policy policy;
  policy.name = "driver";
  const auto road = make_environment(ICCT_SOURCE_DIR "/" + kMerge);
  policy.observations = road->observations();
  policy.actions = road->actions();
  policy.squashing = Squashing::Clip;
  policy.controller = make_leaf({{.bias = 2, .terms = {}}, {.bias = 1, .terms = {{2, -1}}}});
  save_policy(policy, folder / "driver.json");
  return folder / "driver.json";
}

// The example, but in some episodes a wreck stands where the car is to enter.
std::string write_road_with_wrecks(const TemporaryFolder& folder) {
  const std::string example = std::string(ICCT_SOURCE_DIR "/") + kMerge;
  Json road = parse_json(read_file(example, 1 << 20), example);
  Json& traffic = road["traffic"];
  traffic["types"]["wreck"] = {{"length", 60}, {"maxSpeed", 0.01}};
  traffic["flows"] = Json::array({{{"route", {"on", "merge", "after"}},
                                   {"per_hour", 120},
                                   {"type", "wreck"},
                                   {"depart_lane", "0"}}});
  traffic["warm_up"] = 20;
  write_file_atomically(folder / "wrecks.json", write_json(road));
  return folder / "wrecks.json";
}

// How many episodes were told to be lost.
int told_lost(const std::string& text) {
  const std::string words = "when the episode was played again, which is lost\n";
  int count = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++count;
  return count;
}

TEST(EvalTraffic, CountsCollisionsBrakesLaneChangesAndArrivals) {
  const TemporaryFolder folder;
  const std::string arguments =
      "eval " + write_driver(folder) + " --episodes 2 --env " + kMerge + ":density=0";
  const ProgramResult json = run_icct(arguments + " --json");
  ASSERT_EQ(json.exit_code, 0) << json.err;
  const Json output = parse_json(json.out, "output");
  const Json& metrics = output.at("metrics");
  EXPECT_EQ(metrics.size(), 4U);
  EXPECT_EQ(metrics.at("collisions"), 0);
  EXPECT_EQ(metrics.at("hard_brakes"), 0);
  EXPECT_EQ(metrics.at("arrivals"), 2);
  const int refused = metrics.at("unsafe_lane_changes");
  EXPECT_GT(refused, 0) << "there is no lane beside the ramp";
  EXPECT_EQ(output.at("episode_metrics").at("arrivals"), Json::array({1, 1}));
  const std::vector<int> refusals = output.at("episode_metrics").at("unsafe_lane_changes");
  EXPECT_EQ(refusals.size(), 2U);
  EXPECT_EQ(std::accumulate(refusals.begin(), refusals.end(), 0), refused);
  const ProgramResult text = run_icct(arguments);
  expect_contains(text.out,
                  "in all of them together: collisions 0, hard brakes 0, unsafe lane changes " +
                      std::to_string(refused) + ", arrivals 2\n");
}

TEST(EvalTraffic, WithoutAPolicyNobodyActsOrSumoDrives) {
  const ProgramResult nobody = run_icct("eval ring --episodes 2 --json");
  const ProgramResult sumo = run_icct("eval --env ring:sumo_drives=on --episodes 2 --json");
  EXPECT_EQ(nobody.exit_code, 0) << nobody.err;
  EXPECT_LT(parse_json(nobody.out, "nobody")["mean_return"], 110);
  EXPECT_GT(parse_json(sumo.out, "sumo")["mean_return"], 115);
  const ProgramResult two = run_icct("eval ring --env figure8");
  EXPECT_EQ(two.exit_code, 2);
  expect_contains(two.err, "'ring' and 'figure8' are both environments");
}

TEST(EvalTraffic, AFileOfARoadIsAnEnvironmentWithOptionsToo) {
  const ProgramResult nobody = run_icct("eval " + kMerge + " --episodes 1 --json");
  const ProgramResult sumo = run_icct("eval " + kMerge + ":sumo_drives=on --episodes 1 --json");
  EXPECT_EQ(nobody.exit_code, 0) << nobody.err;
  EXPECT_EQ(sumo.exit_code, 0) << sumo.err;
  EXPECT_GT(parse_json(sumo.out, "sumo")["mean_return"],
            parse_json(nobody.out, "nobody")["mean_return"]);
}

TEST(EvalTraffic, DrawsTheFirstEpisodeAsAPictureAndAsAPage) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("eval " + write_driver(folder) + " --episodes 1 --env " + kMerge + " --svg " +
               (folder / "road.svg") + " --film " + (folder / "film.html"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_contains(content_of(folder / "road.svg"), "</svg>");
  expect_contains(content_of(folder / "film.html"), "</html>");
  expect_contains(content_of(folder / "film.html"), "acceleration");
}

TEST(EvalTraffic, LeavesOutEpisodesThatCannotBeginAndTellsWhy) {
  const TemporaryFolder folder;
  const std::string road = write_road_with_wrecks(folder);
  const ProgramResult result =
      run_icct("eval " + write_driver(folder) + " --episodes 8 --json --env " + road);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = parse_json(result.out, "output");
  const int lost = json.at("lost_episodes");
  EXPECT_GT(lost, 0);
  EXPECT_EQ(json.at("episodes"), 8 - lost);
  EXPECT_EQ(json.at("metrics").at("arrivals"), 8 - lost);
  EXPECT_EQ(json.at("episode_metrics").at("arrivals").size(), json.at("returns").size());
  EXPECT_EQ(told_lost(result.err), lost) << result.err;
  expect_contains(result.err, "the car found no gap to enter at on within 60 s");
}

TEST(EditTraffic, ComparesTheEpisodesThatNeitherPolicyLost) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("edit " + write_driver(folder) + " --set leaf0.acceleration.bias=1.5 --episodes 8" +
               " --json --jobs 1 --env " + write_road_with_wrecks(folder));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json returns = parse_json(result.out, "output").at("returns");
  const int lost = returns.at("lost_episodes");
  EXPECT_GT(lost, 0);
  EXPECT_EQ(returns.at("episodes"), 8 - lost);
  EXPECT_EQ(told_lost(result.err), lost) << result.err;
}

TEST(RefineTraffic, TellsWhatGoesWrong) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("refine " + write_driver(folder) + " --steps 100 --episodes 8 --json --jobs 1" +
               " --out " + (folder / "better.json") + " --env " + write_road_with_wrecks(folder));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = parse_json(result.out, "output");
  const int lost = json.at("before").at("lost_episodes");
  EXPECT_EQ(json.at("after").at("lost_episodes"), lost) << "the resets are the same";
  EXPECT_GE(told_lost(result.err), std::max(lost, 1)) << result.err;
}

// Always the same acceleration.
std::string write_constant(const TemporaryFolder& folder) {
  const auto ring = make_environment("ring");
  Policy policy;
  policy.name = "constant";
  policy.observations = ring->observations();
  policy.actions = ring->actions();
  policy.controller = make_leaf({Controller{}});
  save_policy(policy, folder / "constant.json");
  return folder / "constant.json";
}

// The third field after the name in brackets.
int parent_of(const std::string& process) {
  const std::string status = content_of(process + "/stat");
  std::istringstream rest(status.substr(std::min(status.rfind(')') + 1, status.size())));
  std::string state;
  int parent = 0;
  rest >> state >> parent;
  return parent;
}

// The simulator's process of the program that writes into `folder`; 0: there is none.
int find_simulator(const std::string& folder) {
  const auto is_program = [&folder](const std::string& process) {
    return content_of(process + "/comm") == "icct\n" &&
           content_of(process + "/cmdline").find(folder) != std::string::npos;
  };
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string process = entry.path();
    if (is_program(process) && is_program("/proc/" + std::to_string(parent_of(process))))
      return std::stoi(entry.path().filename());
  }
  return 0;
}

TEST(TrainTraffic, LearnsTheSameIfASimulatorIsKilled) {
  const TemporaryFolder folder;
  const std::string train = "train ring --from " + write_constant(folder) +
                            " --features 0 --steps 15000 --validation-episodes 2"
                            " --report-episodes 2 --jobs 1 --json --out ";
  const std::string calm = folder / "calm", killed = folder / "killed";
  const ProgramResult undisturbed = run_icct(train + calm);
  ASSERT_EQ(undisturbed.exit_code, 0) << undisturbed.err;
  EXPECT_GT(parse_json(undisturbed.out, "result")["mean_return"], 110) << "from 100";

  std::atomic<bool> ended = false;
  std::thread killer([&] {
    while (!ended && !std::filesystem::exists(killed + "/options.json"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (const int simulator = find_simulator(killed); simulator != 0) kill(simulator, SIGKILL);
  });
  const ProgramResult disturbed = run_icct(train + killed);
  ended = true;
  killer.join();
  EXPECT_EQ(disturbed.exit_code, 0) << disturbed.err;
  expect_contains(content_of(killed + "/report.md"), "What went wrong");
  const auto policy_of = [](const std::string& run) {
    Policy policy = load_policy(run + "/policy.json");
    policy.provenance = {};
    return policy;
  };
  EXPECT_EQ(policy_of(killed), policy_of(calm));
}

}  // namespace
}  // namespace icct
