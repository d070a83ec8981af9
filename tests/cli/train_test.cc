// `icct train` as people use it: files, complaints, Ctrl-C, kills and resuming.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "icct/base/rng.h"
#include "tests/cli/program.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

// Sanitizers slow everything down; the budgets shrink with it.
#ifdef __clang__
constexpr int kSlower = 20;
#else
constexpr int kSlower = 1;
#endif

std::string program() {
  const char* chosen = std::getenv("ICCT_PROGRAM");
  return chosen != nullptr ? chosen : "build/release/icct";
}

// Starts `icct <arguments>` without waiting for it.
pid_t start(const std::string& arguments) {
  const std::string command = std::string("cd ") + ICCT_SOURCE_DIR + " && exec '" + program() +
                              "' " + arguments + " > /dev/null 2>&1";
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  return child;
}

// Waits `seconds`, sends the signal if the process still runs, and gives its wait status.
int signal_after(pid_t child, double seconds, int signal) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  ::kill(child, signal);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

// Runs to the end without interruption, then again with up to 20 kills; gives how many there were.
int kills_until_end(const std::string& options, const TemporaryFolder& folder) {
  const std::string whole = folder / "whole";
  const std::string killed = folder / "killed";
  EXPECT_EQ(run_icct("train " + options + " --jobs 1 --out " + whole).exit_code, 0);
  Rng rng(1);
  int kills = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t child = start("train " + options + " --jobs 2 --resume --out " + killed);
    const int status = signal_after(child, rng.uniform(0.02, 0.4), SIGKILL);
    if (!WIFSIGNALED(status)) break;
    ++kills;
  }
  const ProgramResult rest = run_icct("train " + options + " --resume --out " + killed);
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(content_of(killed + "/policy.json"), content_of(whole + "/policy.json"));
  EXPECT_GT(content_of(whole + "/policy.json").size(), 100U);
  return kills;
}

TEST(TrainCommand, EndsWithTheSameBytesAfterTwentyKillsOfDirectSearch) {
  const TemporaryFolder folder;
  const std::string steps = std::to_string(40'000'000 / kSlower);
  EXPECT_GE(kills_until_end("lane_keeping --leaves 4 --steps " + steps, folder), 5);
}

TEST(TrainCommand, EndsWithTheSameBytesAfterTwentyKillsOfSac) {
  const TemporaryFolder folder;
  const std::string steps = std::to_string(60'000 / kSlower);
  EXPECT_GE(kills_until_end("inverted_pendulum --algorithm sac --leaves 4 --learning-starts 500 "
                            "--critic-width 32 --batch-size 32 --validation-episodes 2 "
                            "--report-episodes 2 --steps " +
                                steps,
                            folder),
            5);
}

TEST(TrainCommand, LeavesEverythingInTheFolder) {
  const TemporaryFolder folder;
  const ProgramResult result = run_icct(
      "train inverted_pendulum --steps 20000 --leaves 2 "
      "--validation-episodes 5 --report-episodes 5 --out " +
      (folder / "run"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* file : {"options.json", "policy.json", "progress.csv", "checkpoint", "report.md",
                           "learning_curve.svg", "events.out.tfevents.icct"})
    EXPECT_TRUE(fs::exists(folder / ("run/" + std::string(file)))) << file;
  EXPECT_NE(result.out.find("fresh episodes"), std::string::npos) << result.out;
  EXPECT_EQ(run_icct("eval --episodes 3 " + (folder / "run/policy.json")).exit_code, 0);
}

TEST(TrainCommand, StopsCleanlyAtCtrlCAndGoesOn) {
  const TemporaryFolder folder;
  const std::string options = "lane_keeping --leaves 2 --steps 30000000 ";
  const pid_t child = start("train " + options + " --out " + (folder / "run"));
  const int status = signal_after(child, 0.5, SIGINT);
  ASSERT_TRUE(WIFEXITED(status)) << "it must end by itself, having saved";
  EXPECT_TRUE(fs::exists(folder / "run/checkpoint"));
  const ProgramResult rest = run_icct("train --resume --out " + (folder / "run"));
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
}

TEST(RefineCommand, WritesTheBestSoFarAtCtrlC) {
  const TemporaryFolder folder;
  const pid_t child = start("refine examples/policies/lunar_lander.json --out " +
                            (folder / "best.json") + " --steps 1000000000");
  const int status = signal_after(child, 1, SIGINT);
  ASSERT_TRUE(WIFEXITED(status)) << "it must end by itself, having saved";
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_EQ(run_icct("show " + (folder / "best.json")).exit_code, 0);
}

TEST(TrainCommand, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string out = " --out " + (folder / "run");
  const auto complaint = [](const std::string& arguments) {
    const ProgramResult result = run_icct("train " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    return result.err;
  };
  EXPECT_NE(complaint("moon" + out).find("lunar_lander"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander --leaves many" + out).find("--leaves"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander --features some" + out).find("features"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander --preset best" + out).find("paper"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander --actor mlp_max" + out).find("sac"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander --out /proc/none").find("/proc/none"), std::string::npos);
  EXPECT_NE(complaint("--resume" + out).find("no run"), std::string::npos);
  EXPECT_NE(complaint("lunar_lander").find("--out"), std::string::npos);
}

TEST(TrainCommand, RefusesADamagedCheckpointAndKeepsThePolicy) {
  const TemporaryFolder folder;
  const std::string run =
      "train inverted_pendulum --steps 20000 --leaves 1 --validation-episodes 3 "
      "--report-episodes 3 --out " +
      (folder / "run");
  ASSERT_EQ(run_icct(run).exit_code, 0);
  const std::string policy = content_of(folder / "run/policy.json");
  std::string damaged = content_of(folder / "run/checkpoint");
  damaged[damaged.size() / 2] ^= 1;
  write_text(folder / "run/checkpoint", damaged);
  const ProgramResult result = run_icct(run + " --resume");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("damaged"), std::string::npos) << result.err;
  EXPECT_EQ(content_of(folder / "run/policy.json"), policy);
  EXPECT_NE(run_icct(run).err.find("--resume"), std::string::npos) << "a run is never overwritten";
}

}  // namespace
}  // namespace icct
