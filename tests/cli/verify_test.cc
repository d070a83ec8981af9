#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "icct/base/json.h"
#include "tests/cli/program.h"

namespace icct {
namespace {

using testing::HasSubstr;

constexpr const char* kPolicy = "examples/policies/near_human.json";

Json answer_of(const std::string& arguments) {
  return parse_json(run_icct(arguments + " --json").out, "answer");
}

TEST(VerifyCommand, ProvesTheExampleOfThePaper) {
  const ProgramResult result =
      run_icct(std::string("verify ") + kPolicy +
               " --when 'distance_to_human < 5 m' --then 'acceleration <= 5 m/s2'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "proven: when distance_to_human < 5 m then acceleration <= 5 m/s2\n"
            "  for every observation inside the declared bounds\n");
}

TEST(VerifyCommand, AnswersWithACounterexampleThatActRepeats) {
  const std::string rule = " --when 'distance_to_human < 5' --then 'acceleration <= 2'";
  EXPECT_EQ(run_icct(std::string("verify ") + kPolicy + rule).exit_code, 1);
  const Json answer = answer_of(std::string("verify ") + kPolicy + rule);
  EXPECT_EQ(answer["verdict"], "violated");
  const Json& example = answer["properties"][0]["counterexample"];
  EXPECT_EQ(example["leaf"], "cautious");
  EXPECT_GT(example["action"]["acceleration"], 2);
  EXPECT_LT(example["observation"]["distance_to_human"], 5);
  const ProgramResult replay =
      run_icct(std::string("act ") + kPolicy, example["observation"].dump() + "\n");
  EXPECT_EQ(parse_json(replay.out, "action"), example["action"]);
}

TEST(VerifyCommand, LooksBeyondTheDeclaredBoundsWhenAsked) {
  const std::string rule = std::string("verify ") + kPolicy +
                           " --when 'distance_to_human < 5' --then 'acceleration <= 5'";
  EXPECT_EQ(run_icct(rule).exit_code, 0);
  EXPECT_EQ(run_icct(rule + " --everywhere").exit_code, 1) << "a target speed of 1e300";
  EXPECT_EQ(run_icct(rule + " --where 'speed > 1'").exit_code, 0);
}

TEST(VerifyCommand, WritesCertificatesThatAnotherProgramChecks) {
  const TemporaryFolder folder;
  write_text(folder / "rules.txt",
             "near: when distance_to_human < 5 m then acceleration <= 5 m/s2\n"
             "slow: when speed - target_speed > 0.125 then acceleration <= 0  # together\n");
  const ProgramResult result =
      run_icct(std::string("verify ") + kPolicy + " --property '" + (folder / "rules.txt") +
               "' --certificate '" + (folder / "proof") + "'");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* number : {".1", ".2"}) {
    const std::string command = std::string("cd " ICCT_SOURCE_DIR " && tools/check_certificate ") +
                                kPolicy + " '" + (folder / "proof") + number + "' > /dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << number;
  }
}

TEST(VerifyCommand, ReadsAndWritesVnnLib) {
  const TemporaryFolder folder;
  const std::string file = folder / "rule.vnnlib";
  const std::string rule = " --when 'distance_to_human < 5' --then 'acceleration <= 2'";
  run_icct(std::string("verify ") + kPolicy + rule + " --write-vnnlib '" + file + "'");
  EXPECT_THAT(content_of(file), HasSubstr("(declare-const X_0 Real)"));
  const ProgramResult result =
      run_icct(std::string("verify ") + kPolicy + " --property '" + file + "'");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("violated: never: distance_to_human < 5 m and"));
}

TEST(VerifyCommand, SaysUndecidedWithItsOwnExitCode) {
  const ProgramResult result = run_icct(
      "verify examples/policies/lunar_lander.json --effort 3 --where 'height > 0'"
      " --then 'main_engine - side_engine < 1.5 or main_engine + side_engine < 1.5'");
  EXPECT_EQ(result.exit_code, 3) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("undecided"));
}

TEST(VerifyCommand, ExplainsWhatItCannotRead) {
  const auto complaint_of = [](const std::string& arguments) {
    const ProgramResult result = run_icct("verify " + arguments);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  const std::string policy = kPolicy;
  EXPECT_THAT(complaint_of(policy), HasSubstr("give --then"));
  EXPECT_THAT(complaint_of(policy + " --then 'acceleration <= 5 km'"), HasSubstr("m/s2"));
  EXPECT_THAT(complaint_of(policy + " --then 'force <= 5'"), HasSubstr("acceleration"));
  EXPECT_THAT(complaint_of(policy + " --property nowhere.txt"), HasSubstr("nowhere.txt"));
  EXPECT_THAT(complaint_of(policy + " --then 'acceleration < 5' --where 'speed < -1'"),
              HasSubstr("'speed' is empty"));
}

TEST(RangeCommand, GivesEndsThatAreTaken) {
  const TemporaryFolder folder;
  write_text(folder / "box.json", R"({"lower": [0, 0, null], "upper": [4, 10, 2]})");
  const Json answer =
      answer_of(std::string("range ") + kPolicy + " --box '" + (folder / "box.json") + "'");
  ASSERT_EQ(answer["actions"].size(), 1U);
  const Json& action = answer["actions"][0];
  EXPECT_EQ(action["name"], "acceleration");
  EXPECT_EQ(answer["unreachable_leaves"], Json::array({"brisk"}));
  for (const auto& [end, at] : {std::pair{"min", "at_min"}, {"max", "at_max"}}) {
    const ProgramResult replay = run_icct(std::string("act ") + kPolicy, action[at].dump() + "\n");
    EXPECT_EQ(parse_json(replay.out, "action")[0], action[end]);
  }
}

TEST(RangeCommand, RefusesABoxThatDoesNotFit) {
  const TemporaryFolder folder;
  write_text(folder / "box.json", R"({"lower": [0, 0], "upper": [4, 10]})");
  const ProgramResult result =
      run_icct(std::string("range ") + kPolicy + " --box '" + (folder / "box.json") + "'");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("expected 3 numbers"));
}

TEST(RobustnessCommand, FindsTheSmallestErrorThatMatters) {
  const std::string at = " --at 'distance_to_human = 5.5, speed = 2, target_speed = 2'";
  const Json answer = answer_of(std::string("robustness ") + kPolicy + at +
                                " --change 0.1 --weights 'speed = 0, target_speed = 0'");
  EXPECT_NEAR(answer["radius"].get<double>(), 0.5, 1e-12) << "the threshold at 5 m";
  EXPECT_EQ(answer["perturbed"]["leaf"], "cautious");
  const ProgramResult never = run_icct(std::string("robustness ") + kPolicy + at +
                                       " --allow 'acceleration between -8 and 8'");
  EXPECT_THAT(never.out, HasSubstr("no error of the observation makes a difference"));
}

TEST(RobustnessCommand, DrawsAHistogramOfTheObservationsMet) {
  const TemporaryFolder folder;
  const ProgramResult result = run_icct(
      "robustness examples/policies/inverted_pendulum.json --env inverted_pendulum"
      " --episodes 1 --change 0.5 --svg '" +
      (folder / "h.svg") + "'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("weakest: radius"));
  EXPECT_THAT(content_of(folder / "h.svg"), HasSubstr("</svg>"));
}

TEST(SimplifyAndDiffCommands, AgreeOnWhatChangedAtMost) {
  const TemporaryFolder folder;
  const std::string smaller = folder / "smaller.json";
  const Json simplified = answer_of(std::string("simplify ") + kPolicy +
                                    " --where 'distance_to_human > 2' -o '" + smaller + "'");
  EXPECT_EQ(simplified["after"]["leaves"], 2) << "nobody is that near";
  EXPECT_EQ(simplified["proven_bounds"]["acceleration"], 0);
  const std::string diff = std::string("diff ") + kPolicy + " '" + smaller + "'";
  EXPECT_EQ(run_icct(diff + " --where 'distance_to_human > 2'").exit_code, 0);
  const ProgramResult elsewhere = run_icct(diff);
  EXPECT_EQ(elsewhere.exit_code, 1);
  EXPECT_THAT(elsewhere.out, HasSubstr("acceleration: differs by at most"));
}

TEST(SliceCommand, DrawsAndAsksForBoundsWhereThereAreNone) {
  const TemporaryFolder folder;
  const std::string svg = folder / "s.svg";
  EXPECT_EQ(run_icct(std::string("slice ") + kPolicy + " --x speed --y distance_to_human --svg '" +
                     svg + "'")
                .exit_code,
            0);
  EXPECT_THAT(content_of(svg), HasSubstr("distance_to_human"));
  const ProgramResult unbounded = run_icct(std::string("slice ") + kPolicy +
                                           " --x speed --y target_speed --everywhere --svg x.svg");
  EXPECT_EQ(unbounded.exit_code, 2);
  EXPECT_THAT(unbounded.err, HasSubstr("--where 'speed between"));
}

}  // namespace
}  // namespace icct
