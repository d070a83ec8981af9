// `icct distill` and `icct train --from` as people use them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTeacher = "examples/policies/inverted_pendulum.json";

std::string quick(const std::string& method, int iterations = 3) {
  return "distill --teacher " + std::string(kTeacher) + " --method " + method +
         " --leaves 4 --samples 1000 --validation-episodes 4 --report-episodes 4 --iterations " +
         std::to_string(iterations) + " ";
}

TEST(DistillCommand, LeavesARunFolderThatTrainingCanBeginFrom) {
  const TemporaryFolder folder;
  for (const char* method : {"cart", "dagger", "linear"}) {
    const std::string run = folder / method;
    const ProgramResult result = run_icct(quick(method) + "--out " + run);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("fresh episodes"), std::string::npos) << result.out;
    for (const char* file :
         {"options.json", "policy.json", "progress.csv", "report.md", "learning_curve.svg"})
      EXPECT_TRUE(fs::exists(run + "/" + file)) << file;
    EXPECT_NE(content_of(run + "/report.md").find("icct distill --env inverted_pendulum"),
              std::string::npos);
  }
  for (const char* algorithm : {"search --steps 3000", "sac --steps 300", "td3 --steps 300"}) {
    const std::string run = folder / std::string(algorithm).substr(0, 3);
    const ProgramResult result = run_icct(
        "train inverted_pendulum --validation-episodes 2 --report-episodes 2 "
        "--learning-starts 100 --batch-size 16 --critic-width 8 --algorithm " +
        std::string(algorithm) + " --from " + (folder / "linear") + " --out " + run);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(content_of(run + "/progress.csv").find("start"), std::string::npos);
  }
}

TEST(DistillCommand, ResumesOnlyWhatItBegan) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_icct(quick("cart") + "--out " + (folder / "a")).exit_code, 0);
  EXPECT_NE(run_icct("train --resume --out " + (folder / "a")).err.find("icct distill --resume"),
            std::string::npos);
  ASSERT_EQ(run_icct(quick("cart") + "--seeds 2 --out " + (folder / "b")).exit_code, 0);
  EXPECT_NE(run_icct("distill --resume --out " + (folder / "b")).err.find("several seeds"),
            std::string::npos);
}

TEST(DistillCommand, StoppedAnywhereItEndsWithTheSameBytes) {
  const TemporaryFolder folder;
  const std::string command = quick("linear", 12) + "--jobs 1 --out ";
  ASSERT_EQ(run_icct(command + (folder / "whole")).exit_code, 0);
  int stops = 0;
  for (; stops < 40; ++stops) {
    const std::string seconds = "0." + std::to_string(1 + stops % 3);
    const std::string killed = "exec timeout -s KILL " + seconds + " " +
                               std::getenv("ICCT_PROGRAM") + " " + command + (folder / "killed") +
                               " --resume > /dev/null 2>&1";
    if (std::system(("cd " ICCT_SOURCE_DIR " && " + killed).c_str()) == 0) break;
  }
  EXPECT_GT(stops, 0) << "nothing was killed";
  const ProgramResult rest = run_icct("distill --resume --out " + (folder / "killed"));
  ASSERT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_EQ(content_of(folder / "killed/policy.json"), content_of(folder / "whole/policy.json"));
}

TEST(DistillCommand, TakesTheTeacherOfEachSeedFromAFolderOfSeveral) {
  const TemporaryFolder folder;
  const std::string seeds = " --seeds 2 --json --out ";
  ASSERT_EQ(run_icct(quick("linear") + seeds + (folder / "a")).exit_code, 0);
  const ProgramResult result = run_icct(
      "distill --env inverted_pendulum --iterations 2 --samples 500 --leaves 3 "
      "--validation-episodes 2 --report-episodes 2 --teacher " +
      (folder / "a") + seeds + (folder / "b"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\"worst_seed\""), std::string::npos);
  EXPECT_TRUE(fs::exists(folder / "b/seed1/policy.json"));
}

TEST(DistillCommand, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string out = " --out " + (folder / "run");
  const auto complaint = [](const std::string& arguments) {
    const ProgramResult result = run_icct(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    return result.err;
  };
  const std::string teacher = std::string("distill --teacher ") + kTeacher;
  EXPECT_NE(complaint("distill" + out).find("--teacher"), std::string::npos);
  EXPECT_NE(complaint(teacher + " --method forest" + out).find("dagger"), std::string::npos);
  EXPECT_NE(complaint(teacher + " --leaves 0" + out).find("leaves"), std::string::npos);
  EXPECT_NE(complaint(teacher + " --env lunar_lander" + out).find("observations"),
            std::string::npos);
  EXPECT_NE(complaint("distill --teacher none.json" + out).find("none.json"), std::string::npos);
  EXPECT_NE(complaint("distill --teacher none.so" + out).find("--env"), std::string::npos);
  EXPECT_NE(complaint("train inverted_pendulum --from none.json" + out).find("none.json"),
            std::string::npos);
  EXPECT_NE(
      complaint("train lunar_lander --from " + std::string(kTeacher) + out).find("observations"),
      std::string::npos);
  EXPECT_NE(complaint("train inverted_pendulum --algorithm sac --actor mlp_max --from " +
                      std::string(kTeacher) + out)
                .find("icct to begin with a tree"),
            std::string::npos);
  const std::string failing = "int fails_act(const double* x, double* a) { return *a = *x, 7; }";
  std::ofstream(folder / "fails.c") << failing;
  ASSERT_EQ(
      std::system(
          ("cc -shared -fPIC -o " + (folder / "fails.so") + " " + (folder / "fails.c")).c_str()),
      0);
  EXPECT_NE(complaint("distill --env inverted_pendulum --teacher " + (folder / "fails.so") + out)
                .find("returned 7 instead of 0"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "run"));
}

}  // namespace
}  // namespace icct
