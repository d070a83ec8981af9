#include "icct/run/seeds.h"

#include <gtest/gtest.h>

#include <fstream>
#include <mutex>
#include <set>

#include "icct/base/file.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/short_options.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

RunTask task_of(std::uint64_t seed) {
  TrainOptions options = short_options("search");
  options.steps = 4'000;
  options.seed = seed;
  return training_task(options, tracking());
}

SeedsPlan plan_of(const fs::path& folder, int jobs = 1) {
  SeedsPlan plan;
  plan.task = task_of;
  plan.first_seed = 3;
  plan.folder = folder;
  plan.seeds = 3;
  plan.jobs = jobs;
  return plan;
}

std::string content(const fs::path& path) {
  return read_file(path, 1 << 24);
}

TEST(RunSeeds, DoesNotDependOnTheNumberOfJobs) {
  const TemporaryFolder folder;
  const auto one = run_seeds(plan_of(folder / "one", 1)).value();
  const auto three = run_seeds(plan_of(folder / "three", 3)).value();
  ASSERT_EQ(one.size(), 3U);
  ASSERT_EQ(three.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one[i].policy, three[i].policy);
    EXPECT_EQ(one[i].policy.provenance.seed, 3 + i);
    EXPECT_EQ(one[i].fresh.returns, three[i].fresh.returns);
    EXPECT_TRUE(content(seed_folder(folder / "one", 3 + i) / "policy.json") ==
                content(seed_folder(folder / "three", 3 + i) / "policy.json"));
  }
  EXPECT_NE(one[0].policy.controller, one[1].policy.controller);
}

TEST(RunSeeds, ASeedLearnsWhatItLearnsAlone) {
  const TemporaryFolder folder;
  const SeedsPlan plan = plan_of(folder / "several");
  const auto several = run_seeds(plan).value();
  RunPlan alone;
  alone.task = task_of(4);
  alone.folder = folder / "alone";
  EXPECT_EQ(run(alone)->policy, several[1].policy);
}

TEST(RunSeeds, WritesASummaryOfAllSeeds) {
  const TemporaryFolder folder;
  const SeedsPlan plan = plan_of(folder.path());
  const auto results = run_seeds(plan).value();
  std::vector<double> means;
  for (const RunResult& result : results) means.push_back(result.fresh.mean_return);
  const Evaluation all = summarise(means);
  const Json json = parse_json(content(folder / "summary.json"), "summary.json");
  EXPECT_EQ(json.at("mean_return").get<double>(), all.mean_return);
  EXPECT_EQ(json.at("std_over_seeds").get<double>(), all.std_return);
  EXPECT_EQ(json.at("worst_seed").get<double>(), all.worst_return);
  ASSERT_EQ(json.at("runs").size(), 3U);
  EXPECT_EQ(json.at("runs")[2].at("mean_return").get<double>(), means[2]);
  EXPECT_EQ(json.at("runs")[2].at("episodes").get<int>(), 8);
  const std::string text = content(folder / "summary.md");
  EXPECT_NE(text.find(task_of(3).command + " --seeds 3"), std::string::npos) << text;
  for (const char* row : {"\n| 3 | ", "\n| 4 | ", "\n| 5 | "})
    EXPECT_NE(text.find(row), std::string::npos) << text;
}

TEST(RunSeeds, TellsWhichSeedProgresses) {
  const TemporaryFolder folder;
  SeedsPlan plan = plan_of(folder.path(), 2);
  std::mutex mutex;
  std::set<std::uint64_t> seen;
  plan.report = [&](std::uint64_t seed, const RunProgress&) {
    const std::lock_guard lock(mutex);
    seen.insert(seed);
  };
  run_seeds(plan);
  EXPECT_EQ(seen, (std::set<std::uint64_t>{3, 4, 5}));
}

TEST(RunSeeds, StoppedAndResumedItEndsWithTheSamePolicies) {
  const TemporaryFolder folder;
  const auto whole = run_seeds(plan_of(folder / "whole")).value();
  SeedsPlan plan = plan_of(folder / "parts");
  plan.resume = true;
  int left = 60;  // questions until it stops
  plan.stop = [&] { return left-- <= 0; };
  EXPECT_FALSE(run_seeds(plan));
  EXPECT_FALSE(fs::exists(folder / "parts" / "summary.json"));
  plan.stop = [] { return false; };
  const auto parts = run_seeds(plan).value();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(parts[i].policy, whole[i].policy);
}

TEST(RunSeeds, TheErrorOfOneRunIsThrownAndTheOthersCanBeResumed) {
  for (const int jobs : {1, 3}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "seed4") << "in the way";
    SeedsPlan plan = plan_of(folder.path(), jobs);
    const std::string text = complaint([&] { run_seeds(plan); });
    EXPECT_NE(text.find((folder / "seed4").string() + ": cannot"), std::string::npos) << text;
    EXPECT_FALSE(fs::exists(folder / "summary.json"));
    fs::remove(folder / "seed4");
    plan.resume = true;
    EXPECT_TRUE(run_seeds(plan));
  }
}

}  // namespace
}  // namespace icct
