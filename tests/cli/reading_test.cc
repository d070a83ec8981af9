#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "icct/base/json.h"
#include "tests/cli/program.h"

namespace icct {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kCarriage = "examples/policies/near_human.json";
const std::string kLander = "examples/policies/lunar_lander.json";

TEST(ShowForms, AreDrawingPageGraphAndText) {
  EXPECT_THAT(run_icct("show --svg " + kCarriage).out, StartsWith("<svg "));
  EXPECT_THAT(run_icct("show --html " + kCarriage).out, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(run_icct("show --dot " + kCarriage).out, StartsWith("digraph"));
  EXPECT_EQ(run_icct("show --text " + kCarriage).out, run_icct("show " + kCarriage).out);
  EXPECT_THAT(run_icct("show --paragraph " + kCarriage).out,
              HasSubstr("distance_to_human is between 1 and 5 m, then acceleration is hard braking "
                        "to speeding up (8 tanh("));
  EXPECT_EQ(run_icct("show --svg --dot " + kCarriage).exit_code, 2) << "one of them";
}

TEST(ShowForms, GoToAFile) {
  const TemporaryFolder folder;
  const ProgramResult result = run_icct("show --svg " + kCarriage + " -o " + (folder / "a.svg"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(content_of(folder / "a.svg"), run_icct("show --svg " + kCarriage).out);
  const ProgramResult failed = run_icct("show --svg " + kCarriage + " -o /nowhere/a.svg");
  EXPECT_EQ(failed.exit_code, 2);
  EXPECT_THAT(failed.err, HasSubstr("/nowhere/a.svg"));
}

TEST(ShowVisits, CountsALog) {
  const TemporaryFolder folder;
  write_text(folder / "log.csv",
             "speed,distance_to_human,target_speed\n1,10,1\n1,9,1\n1,8,1\n2,0.5,1\n");
  const std::string log = " --log " + (folder / "log.csv");
  const ProgramResult result = run_icct("show " + kCarriage + log);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("brisk  [75 %]"));
  EXPECT_THAT(result.out, HasSubstr("4 observations; never used: cautious"));
  const Json json = parse_json(run_icct("show --json " + kCarriage + log).out, "out");
  EXPECT_EQ(json.at("rules")[0].at("visits"), 3);
  EXPECT_THAT(run_icct("show --html " + kCarriage + log).out, HasSubstr("\"use\": \"75 %\""));
}

TEST(ShowVisits, CountsEpisodesOfAnEnvironment) {
  const ProgramResult result = run_icct("show " + kLander + " --visits lunar_lander --episodes 2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("first_leg_down: leg0_contact >= 0.5?  [100 %]"));
  EXPECT_EQ(result.out, run_icct("show " + kLander + " --visits lunar_lander --episodes 2").out);
}

TEST(ShowVisits, ExplainsWhatIsWrongWithTheLog) {
  const TemporaryFolder folder;
  write_text(folder / "log.csv", "1,2,3\n1,x,3\n");
  const ProgramResult result = run_icct("show " + kCarriage + " --log " + (folder / "log.csv"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr((folder / "log.csv") + ", line 2: 'x' is not a number"));
  EXPECT_THAT(run_icct("show " + kCarriage + " --visits lunar_lander").err,
              HasSubstr("observations"));
}

TEST(ExplainCommand, TellsWhy) {
  const ProgramResult result =
      run_icct("explain " + kCarriage + " --at 'distance_to_human = 2, speed = 1' --change 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("alone: distance_to_human >= 5 m? no, 2 m is 3 m below"));
  EXPECT_THAT(result.out, HasSubstr("cautious answers\n  acceleration = "));
  EXPECT_THAT(result.out, HasSubstr("+0.3  target_speed: 0.2 times 1.5 m/s"));
  EXPECT_THAT(result.out, HasSubstr("coasting"));
  EXPECT_THAT(result.out, HasSubstr("nearest observation of another leaf: distance 1\n"
                                    "  distance_to_human = 1 m\n  stop answers"));
  EXPECT_THAT(result.out, HasSubstr("nearest observation that moves an action by more than 1: "));
}

TEST(ExplainCommand, AnswersAsJson) {
  const Json json = parse_json(
      run_icct("explain " + kCarriage + " --at 'distance_to_human = 60' --json").out, "out");
  EXPECT_EQ(json.at("leaf"), "brisk") << "outside the declared bounds too";
  EXPECT_EQ(json.at("path")[0].at("margin"), 55);
  EXPECT_EQ(json.at("nearest_other_leaf").at("leaf"), "cautious");
  EXPECT_EQ(json.at("actions")[0].at("terms").size(), 2U);
}

TEST(ExplainCommand, ExplainsWhatItCannotRead) {
  EXPECT_THAT(run_icct("explain " + kCarriage + " --at 'mood = 1'").err, HasSubstr("'mood'"));
  EXPECT_THAT(run_icct("explain " + kCarriage + " --at 'speed = nan'").err,
              HasSubstr("no finite number"));
  EXPECT_EQ(run_icct("explain " + kCarriage).exit_code, 2);
}

TEST(EditCommand, WritesAndTellsWhatChanged) {
  const TemporaryFolder folder;
  const std::string out = folder / "new.json";
  const ProgramResult result = run_icct(
      "edit " + kCarriage + " --set alone.threshold=6 --set brisk.acceleration.bias=0.1 -o " + out);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "alone: threshold 5 -> 6 m\nbrisk, acceleration: bias 0 -> 0.1\nWrote " + out + "\n");
  EXPECT_THAT(content_of(out), HasSubstr("icct edit --set alone.threshold=6"));
  const ProgramResult diff = run_icct("diff " + kCarriage + " " + out);
  EXPECT_EQ(diff.exit_code, 1);
  EXPECT_THAT(diff.out, StartsWith("alone: threshold 5 -> 6 m\n"));
  EXPECT_THAT(diff.out, HasSubstr("acceleration: differs by at most"));
}

TEST(EditCommand, RefusesWhatBreaksAProvenRule) {
  const TemporaryFolder folder;
  write_text(folder / "rules.txt",
             "calm: when distance_to_human < 5 then acceleration <= 5\n"
             "still: when distance_to_human < 5 then acceleration <= -5\n");
  const std::string edit = "edit " + kCarriage + " --keep " + (folder / "rules.txt") + " -o " +
                           (folder / "new.json") + " --set ";
  const ProgramResult refused = run_icct(edit + "alone.threshold=4");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.out, HasSubstr("calm: proven -> violated\n  at distance_to_human = 4"));
  EXPECT_THAT(refused.out, HasSubstr("still: violated -> violated")) << "not the edit's fault";
  EXPECT_FALSE(std::filesystem::exists(folder / "new.json"));
  const ProgramResult kept = run_icct(edit + "alone.threshold=6");
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("calm: proven -> proven"));
  EXPECT_TRUE(std::filesystem::exists(folder / "new.json"));
}

TEST(EditCommand, TakesACopyEditedByHand) {
  const TemporaryFolder folder;
  std::string text = content_of(ICCT_SOURCE_DIR "/" + kCarriage);
  text.replace(text.find("\"at_least\": 5"), 13, "\"at_least\": 4");
  write_text(folder / "mine.json", text);
  EXPECT_EQ(run_icct("edit " + kCarriage + " --by-hand " + (folder / "mine.json")).out,
            "alone: threshold 5 -> 4 m\n");
  write_text(folder / "broken.json", "{}");
  EXPECT_EQ(run_icct("edit " + kCarriage + " --by-hand " + (folder / "broken.json")).exit_code, 2);
}

TEST(EditCommand, ComparesReturnsOnTheSameEpisodes) {
  const Json json = parse_json(
      run_icct("edit " + kLander + " --set fly_left.main_engine.bias=-1 --episodes 2 --json").out,
      "out");
  EXPECT_TRUE(json.at("changes").empty());
  EXPECT_EQ(json.at("returns").at("difference"), 0);
  EXPECT_EQ(json.at("returns").at("mean_before"), json.at("returns").at("mean_after"));
}

TEST(EditCommand, ExplainsWhatItCannotDo) {
  EXPECT_THAT(run_icct("edit " + kCarriage).err, HasSubstr("what is to change?"));
  EXPECT_THAT(run_icct("edit " + kCarriage + " --set nothing.threshold=1").err,
              HasSubstr("--set 'nothing.threshold=1': no node or leaf has this name"));
  EXPECT_THAT(run_icct("edit " + kCarriage + " --set alone.threshold=6 --episodes 1").err,
              HasSubstr("--env"));
}

TEST(ExportFormats, AreWritten) {
  const TemporaryFolder folder;
  for (const char* format : {"js", "json", "onnx", "st"}) {
    const std::string arguments = std::string("export ") + kCarriage + " --to " + format +
                                  " --name carriage --out " + (folder / "deployed");
    const ProgramResult result = run_icct(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_FALSE(content_of(folder / ("deployed/carriage." + std::string(format))).empty());
  }
  EXPECT_THAT(run_icct(std::string("export ") + kCarriage + " --to js --float --out /tmp").err,
              HasSubstr("always double"));
}

}  // namespace
}  // namespace icct
