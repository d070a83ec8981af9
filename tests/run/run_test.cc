#include "icct/run/run.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

#include "icct/base/file.h"
#include "icct/env/isolation/isolated_environment.h"
#include "icct/env/isolation/shared_memory.h"
#include "icct/policy/policy_file.h"
#include "icct/run/run_directory.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/short_options.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

RunPlan plan_of(const fs::path& folder, const TrainOptions& options,
                const EnvironmentFactory& environment = tracking()) {
  RunPlan plan;
  plan.task = training_task(options, environment);
  plan.folder = folder;
  return plan;
}

RunPlan plan_of(const fs::path& folder, const std::string& algorithm = "search") {
  return plan_of(folder, short_options(algorithm));
}

std::string content(const fs::path& path) {
  return read_file(path, 1 << 24);
}

std::function<bool()> stop_after(int questions) {
  return [left = questions]() mutable { return left-- <= 0; };
}

std::string complaint_of(const RunPlan& plan) {
  return complaint([&] { run(plan); });
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(Run, WritesAllItsFiles) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder / "new" / "run");
  RunProgress last;
  plan.report = [&](const RunProgress& progress) { last = progress; };
  const std::optional<RunResult> result = run(plan);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->fresh.returns.size(), 8U);
  EXPECT_GE(result->steps, short_options("search").steps);
  EXPECT_EQ(last.steps, result->steps);
  EXPECT_EQ(last.budget, short_options("search").steps);
  EXPECT_EQ(load_policy(plan.folder / "policy.json"), result->policy);
  EXPECT_EQ(options_of_run(plan.folder), to_json(short_options("search")));
  for (const char* name : {"progress.csv", "events.out.tfevents.icct", "checkpoint"})
    EXPECT_GT(fs::file_size(plan.folder / name), 0U) << name;
  expect_in(content(plan.folder / "learning_curve.svg"), "<svg");
  expect_in(content(plan.folder / "report.md"), "on 8 fresh episodes");
  // Nothing is left lying about.
  EXPECT_EQ(std::distance(fs::directory_iterator(plan.folder), fs::directory_iterator()), 7);
}

// Tracking, for something else to happen as well.
class TrackingWith : public Environment {
 public:
  const std::string& name() const override { return inner_.name(); }
  const Space& observations() const override { return inner_.observations(); }
  const Space& actions() const override { return inner_.actions(); }
  int max_steps() const override { return inner_.max_steps(); }
  void reset(std::uint64_t seed, std::span<double> x) override { inner_.reset(seed, x); }
  Step step(std::span<const double> action, std::span<double> x) override {
    return inner_.step(action, x);
  }

 private:
  Tracking inner_;
};

// Its process is killed in the middle of an episode, when the steps left, which all processes count
// together, are used up.
class Doomed final : public TrackingWith {
 public:
  explicit Doomed(std::atomic<int>& steps_left) : steps_left_(steps_left) {}
  Step step(std::span<const double> action, std::span<double> x) override {
    if (steps_left_-- == 0) kill(getpid(), SIGKILL);
    return TrackingWith::step(action, x);
  }

 private:
  std::atomic<int>& steps_left_;
};

EnvironmentFactory doomed(std::atomic<int>& steps_left) {
  return [&steps_left] {
    return std::make_unique<IsolatedEnvironment>(
        [&steps_left] { return std::make_unique<Doomed>(steps_left); });
  };
}

TEST(Run, AWorkerKilledWhileTrainingIsToldAndChangesNothing) {
  for (const char* algorithm : {"search", "sac"}) {
    const TemporaryFolder folder;
    const SharedMemory<std::atomic<int>> steps_left;
    *steps_left = 233;
    const auto isolated = [] { return std::make_unique<IsolatedEnvironment>(tracking()); };
    const std::optional<RunResult> undisturbed =
        run(plan_of(folder / "a", short_options(algorithm), isolated));
    RunPlan plan = plan_of(folder / "b", short_options(algorithm), doomed(*steps_left));
    std::vector<std::string> told;
    plan.tell = [&told](const std::string& incident) { told.push_back(incident); };
    const std::optional<RunResult> disturbed = run(plan);
    EXPECT_EQ(disturbed->policy, undisturbed->policy);
    EXPECT_EQ(disturbed->fresh.returns, undisturbed->fresh.returns);
    ASSERT_EQ(disturbed->incidents.size(), 1U) << algorithm;
    EXPECT_EQ(told, disturbed->incidents);
    expect_in(content(folder / "b" / "report.md"), disturbed->incidents[0]);
    EXPECT_EQ(content(folder / "a" / "report.md").find("What went wrong"), std::string::npos);
  }
}

TEST(Run, AnIncidentIsToldAndWrittenDownAtOnceHoweverEarly) {
  for (const int steps : {3, 1000}) {  // the first as the learner is made, before there is a folder
    const TemporaryFolder folder;
    const SharedMemory<std::atomic<int>> steps_left;
    *steps_left = steps;
    RunPlan plan = plan_of(folder / "run", short_options("search"), doomed(*steps_left));
    bool told = false;
    plan.tell = [&](const std::string&) {
      told = true;
      EXPECT_EQ(fs::exists(plan.folder), steps != 3);
    };
    plan.report = [&](const RunProgress&) {
      EXPECT_EQ(told, fs::exists(plan.folder / "incidents.txt"));
    };
    const RunResult result = run(plan).value();
    ASSERT_EQ(result.incidents.size(), 1U);
    EXPECT_EQ(content(plan.folder / "incidents.txt"), result.incidents[0] + "\n");
  }
}

TEST(Run, TheReportOfAResumedRunHasAllIncidents) {
  const TemporaryFolder folder;
  const SharedMemory<std::atomic<int>> steps_left;
  const auto part = [&](bool stops) {
    *steps_left = 10;
    RunPlan plan = plan_of(folder.path(), short_options("sac"), doomed(*steps_left));
    plan.resume = true;
    if (stops) plan.stop = stop_after(5);
    return run(plan);
  };
  EXPECT_FALSE(part(true));
  const RunResult result = part(false).value();
  ASSERT_EQ(result.incidents.size(), 2U);
  EXPECT_NE(result.incidents[0], result.incidents[1]);
  for (const std::string& incident : result.incidents)
    expect_in(content(folder / "report.md"), "- " + incident + "\n");
  expect_in(content(folder / "report.md"), "[incidents.txt]");
}

TEST(Run, DoesNotWriteOverAnotherRun) {
  const TemporaryFolder folder;
  run(plan_of(folder.path()));
  const std::string policy = content(folder / "policy.json");
  RunPlan again = plan_of(folder.path());
  expect_in(complaint_of(again), folder.path().string() +
                                     ": holds a run already; continue it "
                                     "with --resume or choose another --out");
  again.resume = true;
  TrainOptions other = short_options("search");
  other.leaves = 7;
  again.task = training_task(other, tracking());
  expect_in(complaint_of(again), "other options: 'leaves' is 2 there and 7 here");
  EXPECT_EQ(content(folder / "policy.json"), policy);
}

TEST(Run, ResumingAFinishedRunGivesItsResultAgain) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  const RunResult first = run(plan).value();
  const std::string policy = content(folder / "policy.json");
  const std::string rows = content(folder / "progress.csv");
  plan.resume = true;
  const RunResult second = run(plan).value();
  EXPECT_EQ(second.policy, first.policy);
  EXPECT_EQ(second.fresh.returns, first.fresh.returns);
  EXPECT_EQ(second.published_protocol, first.published_protocol);
  EXPECT_EQ(second.steps, first.steps);
  EXPECT_EQ(content(folder / "policy.json"), policy);
  EXPECT_EQ(content(folder / "progress.csv"), rows);
}

TEST(Run, StoppedAndResumedItEndsWithTheSamePolicy) {
  for (const char* algorithm : {"search", "sac", "td3"}) {
    const TemporaryFolder folder;
    const RunResult whole = run(plan_of(folder / "whole", algorithm)).value();
    RunPlan plan = plan_of(folder / "parts", algorithm);
    plan.resume = true;  // also of a run that has not begun
    std::optional<RunResult> result;
    int parts = 0;
    for (; !result && parts < 1000; ++parts) {
      plan.stop = stop_after(20);
      plan.jobs = 1 + parts % 2;
      result = run(plan);
    }
    ASSERT_TRUE(result);
    EXPECT_GT(parts, 2);
    EXPECT_EQ(result->fresh.returns, whole.fresh.returns);
    EXPECT_EQ(result->published_protocol, whole.published_protocol);
    EXPECT_TRUE(content(folder / "parts" / "policy.json") ==
                content(folder / "whole" / "policy.json"))
        << algorithm;
  }
}

TEST(Run, IsNotGoneOnWithOnAnotherRoad) {
  const TemporaryFolder folder;
  TrainOptions options = short_options("search");
  options.environment = folder / "road.json";
  write_file_atomically(options.environment, "{}");
  RunPlan plan = plan_of(folder / "run", options);
  plan.stop = stop_after(3);
  EXPECT_FALSE(run(plan));
  write_file_atomically(options.environment, "{\"name\": \"another\"}");
  plan.resume = true;
  plan.stop = [] { return false; };
  expect_in(complaint_of(plan), "road.json: has changed since the run was begun");
  EXPECT_EQ(content(folder / "run" / "road.json"), "{}");
  write_file_atomically(options.environment, "{}");
  EXPECT_TRUE(run(plan));
  expect_in(content(folder / "run" / "report.md"), "[road.json](road.json)");
}

TEST(Run, KilledAndResumedItEndsWithTheSamePolicy) {
  const TemporaryFolder folder;
  run(plan_of(folder / "whole"));
  RunPlan plan = plan_of(folder / "killed");
  plan.resume = true;
  // Dies before its first checkpoint, then after a checkpoint that is not its last work.
  plan.report = [](const RunProgress&) { throw Error("killed"); };
  EXPECT_EQ(complaint_of(plan), "killed");
  plan.report = [](const RunProgress&) {};
  plan.stop = stop_after(20);
  EXPECT_FALSE(run(plan));
  plan.stop = [] { return false; };
  plan.report = [](const RunProgress&) { throw Error("killed"); };
  EXPECT_EQ(complaint_of(plan), "killed");
  plan.report = [](const RunProgress&) {};
  EXPECT_TRUE(run(plan));
  EXPECT_TRUE(content(folder / "killed" / "policy.json") ==
              content(folder / "whole" / "policy.json"));
}

TEST(Run, DoesNotDependOnTheNumberOfJobs) {
  const TemporaryFolder folder;
  RunPlan one = plan_of(folder / "one");
  RunPlan three = plan_of(folder / "three");
  three.jobs = 3;
  EXPECT_EQ(run(one)->fresh.returns, run(three)->fresh.returns);
  EXPECT_TRUE(content(folder / "one" / "policy.json") == content(folder / "three" / "policy.json"));
}

TEST(Run, StoppedAtOnceItLeavesARunToResume) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  plan.stop = [] { return true; };
  EXPECT_FALSE(run(plan));
  EXPECT_TRUE(fs::exists(folder / "checkpoint"));
  EXPECT_FALSE(fs::exists(folder / "report.md"));
  plan.stop = [] { return false; };
  plan.resume = true;
  EXPECT_TRUE(run(plan));
}

// Takes its time.
class Slow final : public TrackingWith {
 public:
  explicit Slow(std::atomic<int>& episodes) : episodes_(episodes) {}
  void reset(std::uint64_t seed, std::span<double> x) override {
    ++episodes_;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    TrackingWith::reset(seed, x);
  }

 private:
  std::atomic<int>& episodes_;
};

TEST(Run, StopsInTheMiddleOfALongPieceOfWork) {
  const TemporaryFolder folder;
  TrainOptions options = short_options("search");
  options.validation_episodes = 200;
  std::atomic<int> episodes = 0;
  RunPlan plan = plan_of(folder.path(), options, [&] { return std::make_unique<Slow>(episodes); });
  plan.stop = [&] { return episodes >= 40; };
  EXPECT_FALSE(run(plan));
  EXPECT_LT(episodes, 100);  // of 200 in the first validation
  RunPlan rest = plan_of(folder.path(), options);
  rest.resume = true;
  const TemporaryFolder whole;
  EXPECT_EQ(run(rest).value().policy, run(plan_of(whole.path(), options)).value().policy);
}

TEST(Run, CountsTheSecondsOfEarlierParts) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  plan.report = [first = true](const RunProgress&) mutable {
    if (std::exchange(first, false)) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  };
  EXPECT_GE(run(plan)->seconds, 0.3);
  plan.resume = true;
  plan.report = [](const RunProgress&) {};
  EXPECT_GE(run(plan)->seconds, 0.3);
}

TEST(Run, SaysWhichFolderItCannotCreate) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "in the way";
  expect_in(complaint_of(plan_of(folder / "file")), (folder / "file").string() + ": cannot ");
  expect_in(complaint_of(plan_of(folder / "file" / "run")),
            (folder / "file" / "run").string() + ": cannot create the folder: ");
}

TEST(Run, SaysThatAnotherProcessUsesTheFolder) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  {
    const RunDirectory other(folder.path(), plan.task, false);
    for (const bool resume : {false, true}) {
      plan.resume = resume;
      expect_in(complaint_of(plan), folder.path().string() + ": another process is training");
    }
  }
  EXPECT_TRUE(run(plan));  // free again
}

TEST(Run, AFolderThatWasRefusedIsNotLocked) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  run(plan);
  expect_in(complaint_of(plan), "holds a run already");
  expect_in(complaint_of(plan), "holds a run already");
  EXPECT_NO_THROW(RunDirectory(folder.path(), plan.task, true));
}

TEST(Run, NamesTheFileThatItCannotReplace) {
  for (const std::string name : {"policy.json", "progress.csv", "report.md"}) {
    const TemporaryFolder folder;
    // In the way once the run has begun: a directory that is not empty.
    bool begun = false;
    const auto environment = [&] {
      if (!std::exchange(begun, true)) fs::create_directories(folder / name / "inside");
      return std::make_unique<Tracking>();
    };
    const RunPlan plan = plan_of(folder.path(), short_options("search"), environment);
    expect_in(complaint_of(plan), (folder / name).string() + ": cannot replace: ");
    EXPECT_TRUE(fs::exists(folder / name / "inside"));
  }
}

TEST(Run, SaysWhatToDoAboutADamagedCheckpoint) {
  const TemporaryFolder folder;
  RunPlan plan = plan_of(folder.path());
  const RunResult whole = run(plan).value();
  std::string bytes = content(folder / "checkpoint");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
  write_file_atomically(folder / "checkpoint", bytes);
  plan.resume = true;
  expect_in(complaint_of(plan), (folder / "checkpoint").string() + ": the checkpoint is damaged");
  expect_in(complaint_of(plan), "delete this checkpoint to start the run over");
  fs::remove(folder / "checkpoint");
  EXPECT_EQ(run(plan)->policy, whole.policy);
}

TEST(Run, OptionsThatAreRefusedLeaveNoRunBehind) {
  const TemporaryFolder folder;
  for (const char* algorithm : {"search", "sac"}) {
    TrainOptions options = short_options(algorithm);
    options.steps = 0;
    expect_in(complaint_of(plan_of(folder / algorithm, options)), "steps");
    EXPECT_EQ(complaint_of(plan_of(folder / algorithm, algorithm)), "none");
  }
}

TEST(OptionsOfRun, SaysThatThereIsNoRun) {
  const TemporaryFolder folder;
  EXPECT_EQ(complaint([&] { options_of_run(folder.path()); }),
            folder.path().string() + ": holds no run to resume (there is no options.json)");
  std::filesystem::create_directory(folder / "seed0");
  std::ofstream(folder / "seed0/options.json") << "{}";
  expect_in(complaint([&] { options_of_run(folder.path()); }), "holds the runs of several seeds");
  std::ofstream(folder / "options.json") << "[3]";
  expect_in(complaint([&] { options_of_run(folder.path()); }), "options.json: expected an object");
}

}  // namespace
}  // namespace icct
