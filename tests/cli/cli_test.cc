#include <gtest/gtest.h>

#include "icct/base/json.h"
#include "tests/cli/program.h"

namespace icct {
namespace {

const std::string kPendulum = "examples/policies/inverted_pendulum.json";
const std::string kLander = "examples/policies/lunar_lander.json";

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in:\n" << text;
}

TEST(Program, HelpTeachesAndSucceeds) {
  for (const std::string arguments : {"--help", "show --help", "act --help", "info --help",
                                      "eval --help", "check-env --help", "refine --help"}) {
    const ProgramResult result = run_icct(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments;
    expect_contains(result.out, "Usage:");
  }
  expect_contains(run_icct("act --help").out, "Examples:");
  expect_contains(run_icct("--version").out, "icct 0.");
}

TEST(Program, WithoutACommandItShowsItsHelpAsAnError) {
  const ProgramResult result = run_icct("");
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.err, "Usage:");
  EXPECT_EQ(result.out, "");
}

TEST(Program, AnUnknownCommandListsTheKnownOnes) {
  const ProgramResult result = run_icct("shwo x");
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(
      result.err,
      "unknown command 'shwo'; the commands are show, act, info, explain, eval, train, "
      "distill, refine, edit, verify, range, robustness, simplify, diff, slice, export, check-env");
}

TEST(Program, AWrongOptionIsAnErrorThatNamesIt) {
  const ProgramResult result = run_icct("show " + kLander + " --colour");
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.err, "--colour");
  EXPECT_EQ(run_icct("show " + kLander + " --digits 99").exit_code, 2);
}

TEST(Program, AMissingFileIsAnErrorThatNamesIt) {
  for (const std::string verb : {"show", "info", "act"}) {
    const ProgramResult result = run_icct(verb + " no/such.json");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "icct: no/such.json: cannot open: No such file or directory\n");
  }
}

TEST(Program, ABrokenFileIsAnErrorWithLineAndColumn) {
  const TemporaryFolder folder;
  write_text(folder / "broken.json", "{\n  \"format\": \"icct-policy\",\n  oops\n}");
  const ProgramResult result = run_icct("show " + (folder / "broken.json"));
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.err, "line 3, column 3");
}

TEST(Program, AFullDiskIsAnError) {
  const ProgramResult result = run_icct("show " + kLander + " > /dev/full #");
  EXPECT_EQ(result.exit_code, 2);
}

TEST(Show, DrawsTheTree) {
  const ProgramResult result = run_icct("show " + kPendulum);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out,
            "Inverted pendulum, written by hand\n"
            "\n"
            "leaning_right: pole_angle >= 0.03 rad?\n"
            "├─ yes ─ catch_right\n"
            "│          push = 3 tanh(8 pole_angle + 1.2 pole_speed) ×100 N\n"
            "└─ no ── leaning_left: pole_angle <= -0.03 rad?\n"
            "         ├─ yes ─ catch_left\n"
            "         │          push = 3 tanh(8 pole_angle + 1.2 pole_speed) ×100 N\n"
            "         └─ no ── balance\n"
            "                    push = 3 tanh(0.2 cart_position + 5 pole_angle + 0.4 cart_speed + "
            "0.8 pole_speed) ×100 N\n");
}

TEST(Show, TellsOneParagraphPerLeafWithConditionsThenConsequence) {
  const ProgramResult result = run_icct("show --paragraph " + kPendulum);
  EXPECT_EQ(result.exit_code, 0);
  expect_contains(result.out,
                  "balance. If pole_angle is between -0.03 and 0.03 rad, then push is 3 "
                  "tanh(0.2 cart_position");
}

TEST(Show, GivesExactRulesAsJson) {
  const ProgramResult result = run_icct("show --json " + kPendulum);
  EXPECT_EQ(result.exit_code, 0);
  const Json json = parse_json(result.out, "out");
  ASSERT_EQ(json.at("rules").size(), 3U);
  const Json& condition = json.at("rules")[2].at("conditions")[0];
  EXPECT_EQ(condition.at("observation"), "pole_angle");
  EXPECT_EQ(condition.at("lower"), -0.03);
  EXPECT_FALSE(condition.at("lower_included").get<bool>());
  EXPECT_EQ(json.at("rules")[0].at("actions")[0].at("gains").at("pole_angle"), 8);
}

TEST(Info, CountsWhatThePolicyHas) {
  const ProgramResult result = run_icct("info --json " + kLander);
  EXPECT_EQ(result.exit_code, 0);
  const Json json = parse_json(result.out, "out");
  EXPECT_EQ(json.at("leaves"), 4);
  EXPECT_EQ(json.at("splits"), 3);
  EXPECT_EQ(json.at("depth"), 3);
  EXPECT_EQ(json.at("parameters"), 49);
  EXPECT_EQ(json.at("features_used").size(), 8U);
  expect_contains(run_icct("info " + kLander).out, "parameters               49\n");
}

TEST(Eval, ReportsFreshEpisodesTheSameForAnyNumberOfJobs) {
  const std::string arguments = "eval " + kPendulum + " --episodes 4 --seed 1 --json";
  const ProgramResult result = run_icct(arguments + " --jobs 1");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = parse_json(result.out, "out");
  EXPECT_EQ(json.at("episodes"), 4);
  EXPECT_EQ(json.at("mean_return"), 1000);
  EXPECT_EQ(json.at("std_return"), 0);
  EXPECT_EQ(json.at("worst_return"), 1000);
  EXPECT_EQ(json.at("returns"), Json::array({1000, 1000, 1000, 1000}));
  EXPECT_TRUE(json.contains("standard_error"));
  EXPECT_EQ(run_icct(arguments + " --jobs 3").out, result.out);
  const std::string lander = "eval " + kLander + " --episodes 6 --json --seed ";
  EXPECT_EQ(run_icct(lander + "1 --jobs 2").out, run_icct(lander + "1 --jobs 1").out);
  EXPECT_NE(run_icct(lander + "1").out, run_icct(lander + "2").out);
}

TEST(Eval, RefusesAnEnvironmentThatDoesNotFit) {
  const ProgramResult result = run_icct("eval " + kPendulum + " --env lunar_lander");
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.err, "has 4 observations, but lunar_lander has 8");
  expect_contains(run_icct("eval " + kPendulum + " --env moon").err, "unknown environment 'moon'");
  expect_contains(run_icct("eval rign").err,
                  "'rign' is neither a policy file nor an environment; known: figure8, i280");
}

TEST(Refine, WritesTheSamePolicyForAnyNumberOfJobs) {
  const TemporaryFolder folder;
  const std::string arguments = "refine " + kLander + " --steps 20000 --episodes 3 --json --seed 4";
  const ProgramResult result = run_icct(arguments + " --jobs 1 --out " + (folder / "one.json"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_contains(result.err, "steps/s");
  EXPECT_EQ(parse_json(result.out, "out").at("episodes"), 3);
  EXPECT_EQ(run_icct(arguments + " --jobs 2 --out " + (folder / "two.json")).exit_code, 0);
  EXPECT_NE(content_of(folder / "one.json"), "");
  EXPECT_EQ(content_of(folder / "one.json"), content_of(folder / "two.json"));
}

TEST(Refine, RefusesBadOptionsBeforeItWorks) {
  const ProgramResult result = run_icct("refine " + kLander + " --out x.json --first-step -1");
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.err, "'first_step' is -1");
}

TEST(Refine, AsksWhetherItCanWriteBeforeItWorks) {
  const ProgramResult result = run_icct("refine " + kLander + " --out no/such/folder/x.json");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "icct: no/such/folder/x.json: cannot create: No such file or directory\n");
}

// What is wrong with the environment would be told first by who makes it first.
TEST(Program, AsksWhetherItCanWriteBeforeItPlaysEpisodes) {
  const std::string nowhere = " --env moon --svg no/such/folder/x.svg";
  for (const std::string& arguments :
       {"robustness " + kLander + " --change 0.5" + nowhere, "eval " + kLander + nowhere,
        "show " + kLander + " --visits moon -o no/such/folder/x.svg"}) {
    const ProgramResult result = run_icct(arguments);
    EXPECT_EQ(result.exit_code, 2);
    expect_contains(result.err, "no/such/folder/x.svg: cannot create");
  }
}

TEST(Eval, TellsTheReturnAlsoIfThereIsNothingToDraw) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_icct("eval " + kLander + " --episodes 1 --svg " + (folder / "x.svg"));
  EXPECT_EQ(result.exit_code, 2);
  expect_contains(result.out, "1 fresh episode: return");
  expect_contains(result.err, "nothing to draw");
}

TEST(Eval, SaysThatTheRoadOfAPolicyIsSomewhereElse) {
  const TemporaryFolder folder;
  Json policy = parse_json(content_of(ICCT_SOURCE_DIR "/" + kLander), kLander);
  policy["environment"] = "roads/mine.json:density=2";
  std::ofstream(folder / "policy.json") << policy.dump();
  expect_contains(run_icct("eval " + (folder / "policy.json")).err,
                  "is for 'roads/mine.json:density=2', and there is no such file here");
}

TEST(CheckEnv, PassesForEveryEnvironment) {
  for (const std::string name : {"inverted_pendulum", "lane_keeping", "lunar_lander"}) {
    const ProgramResult result = run_icct("check-env " + name + " --json");
    EXPECT_EQ(result.exit_code, 0) << result.out;
    EXPECT_TRUE(parse_json(result.out, "out").at("passed").get<bool>());
  }
}

TEST(Act, AnswersCsvWithCsv) {
  const ProgramResult result = run_icct("act " + kPendulum, "0,0.05,0,0\n\n0, -0.05, 0, 0\r\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "1.1398468867656746\n-1.1398468867656746\n");
}

TEST(Act, TakesColumnsInAnyOrderWhenTheyAreNamed) {
  const ProgramResult result =
      run_icct("act " + kPendulum,
               "\xef\xbb\xbf\"pole_angle\",cart_speed,pole_speed,cart_position\n0.05,0,0,0\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "push\n1.1398468867656746\n");
}

TEST(Act, AnswersJsonLinesInTheirOwnForm) {
  const ProgramResult result =
      run_icct("act " + kPendulum,
               "[0, 0.05, 0, 0]\n{\"pole_angle\": 0.05, \"cart_position\": 0, \"cart_speed\": 0, "
               "\"pole_speed\": 0}\n");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "[1.1398468867656746]\n{\"push\":1.1398468867656746}\n");
}

TEST(Act, AnswersCsvAsJsonWhenAsked) {
  EXPECT_EQ(run_icct("act --json " + kPendulum, "0,0.05,0,0\n").out,
            "{\"push\":1.1398468867656746}\n");
}

TEST(Act, AnswersUnknownValuesWithTheSafeAction) {
  EXPECT_EQ(run_icct("act " + kPendulum, "0,nan,0,0\n0,inf,0,0\n[0, null, 0, 0]\n").out,
            "0\n0\n[0.0]\n");
}

TEST(Act, RefusesUnknownValuesWhenThePolicyHasNoSafeAction) {
  const TemporaryFolder folder;
  Json policy = parse_json(content_of(std::string(ICCT_SOURCE_DIR "/") + kPendulum), "policy");
  policy["invalid_observation"] = "error";
  write_text(folder / "strict.json", write_json(policy));
  const ProgramResult result =
      run_icct("act " + (folder / "strict.json"), "0,0.05,0,0\n0,nan,0,0\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "1.1398468867656746\n");
  expect_contains(result.err, "standard input, line 2: observation 'pole_angle' is nan");
}

TEST(Act, ComplaintsNameTheLine) {
  expect_contains(run_icct("act " + kPendulum, "0,0,0,0\n0,0,0\n").err,
                  "line 2: expected 4 numbers");
  expect_contains(run_icct("act " + kPendulum, "0,0,0,0\n0,x,0,0\n").err,
                  "line 2: 'x' is not a number");
  expect_contains(run_icct("act " + kPendulum, "cart,b,c,d\n").err,
                  "line 1: 'cart' is neither a number nor");
  expect_contains(run_icct("act " + kPendulum, "[1, 2\n").err, "line 1: not valid JSON");
  expect_contains(run_icct("act " + kPendulum, "{\"pole\": 1}\n").err,
                  "there is no observation called 'pole'");
  expect_contains(run_icct("act " + kPendulum, "{\"pole_angle\": 1}\n").err,
                  "\"cart_position\" is missing");
  EXPECT_EQ(run_icct("act " + kPendulum, "0,0,0\n").exit_code, 2);
}

TEST(Act, SaysNothingAboutNothing) {
  const ProgramResult result = run_icct("act " + kPendulum, "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace icct
