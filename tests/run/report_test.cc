#include "icct/run/report.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

Policy small_policy() {
  Policy policy;
  policy.name = "landing";
  policy.observations = {{.name = "speed", .unit = "m/s"}, {.name = "gap", .unit = "m"}};
  policy.actions = {{.name = "brake", .unit = "", .lower = -1, .upper = 1}};
  policy.squashing = Squashing::Clip;
  policy.controller = make_split(0, 2, make_leaf({{.bias = 0.5}}), make_leaf({{.bias = -0.5}}));
  return policy;
}

ProgressRow row(std::int64_t steps, std::int64_t episodes, double best) {
  ProgressRow result;
  result.steps = steps;
  result.episodes = episodes;
  result.best_validation = best;
  return result;
}

RunReport finished_run() {
  RunReport report;
  report.title = "lunar_lander, 2 leaves";
  report.command = "icct train lunar_lander --seed 3";
  report.options_json = "{\"seed\": 3}";
  report.progress.rows = {row(1000, 4, 100), row(250000, 700, 270), row(1500000, 4100, 270)};
  report.policy = small_policy();
  report.validation_episodes = 20;
  report.final_episodes = 160;
  report.validation_mean = 270;
  report.kept_after = 250000;
  report.fresh = summarise({200, 240, 280});
  report.report_seed = 77;
  report.published_protocol = 291.5;
  report.seconds = 3725;
  report.files = {{"policy.json", "the tree"}};
  return report;
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in\n" << text;
}

void expect_not_in(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << "'" << part << "' in\n" << text;
}

TEST(Report, BeginsWithTheReturnOnFreshEpisodes) {
  const std::string text = to_markdown(finished_run());
  EXPECT_TRUE(
      text.starts_with("# lunar_lander, 2 leaves\n\n**Return 240 ± 23** on 3 fresh "
                       "episodes (mean ± standard error).\n"))
      << text;
  expect_in(text, "standard deviation 40, worst 200, best 280");
}

TEST(Report, SaysHowManyEpisodesWereLost) {
  RunReport report = finished_run();
  expect_not_in(to_markdown(report), "Left out");
  report.fresh.lost = 2;
  expect_in(to_markdown(report), "Left out, because the simulator failed: 2 more episodes.\n");
}

TEST(Report, SaysHowThePolicyWasChosen) {
  expect_in(to_markdown(finished_run()),
            "chosen on other episodes, the validation episodes: 3 validations of 20 episodes, the "
            "best of which met again on up to 160 others. It was met after 250,000 steps.");
  RunReport report = finished_run();
  report.final_episodes = 0;
  expect_in(to_markdown(report), "3 validations of 20 episodes. It was met after");
}

TEST(Report, NamesThePublishedProtocolAsOptimistic) {
  RunReport report = finished_run();
  expect_in(to_markdown(report), "| published protocol | 291.5 | optimistic: the best mean of 5");
  report.published_protocol.reset();
  expect_not_in(to_markdown(report), "published protocol");
}

TEST(Report, ShowsTheTreeAndTheSameInWords) {
  const std::string text = to_markdown(finished_run());
  expect_in(text, "A tree with 2 leaves and 5 parameters.");
  expect_in(text, "```\nnode0: speed >= 2 m/s?\n");
  expect_in(text, "leaf1. If speed is below 2 m/s, then brake is -0.5.\n");
  expect_not_in(text, "landing");
}

TEST(Report, CountsTheParametersOfCartTreesAlsoAsThePaperDoes) {
  RunReport report = finished_run();
  const auto text_of = [&report](const Tree& tree) {
    report.policy.controller = tree;
    return to_markdown(report);
  };
  const Tree constant = make_leaf({{.bias = 0.5}});
  const Tree linear = make_leaf({{.bias = 0.5, .terms = {{0, 1}}}});
  expect_in(text_of(make_split_less(0, 2, constant, make_split_less(1, 3, constant, constant))),
            "A tree with 3 leaves and 9 parameters (7 as the paper counts those of CART: 2 per "
            "split, not 3).");
  for (const Tree& other :
       {make_split(0, 2, constant, constant), constant, make_split_less(0, 2, constant, linear)})
    expect_not_in(text_of(other), "CART");
}

TEST(Report, DescribesANetworkByItsParameters) {
  RunReport report = finished_run();
  report.policy.controller = Mlp<double>({2, 8, 1});
  const std::string text = to_markdown(report);
  expect_in(text, "A network, not a tree: layers of 2 8 1 numbers, ReLU in between.\n");
  expect_in(text, "It has 33 parameters.");
  expect_not_in(text, "in words");
}

TEST(Report, TellsHowToRepeatTheRunAndWhatItCost) {
  const std::string text = to_markdown(finished_run());
  expect_in(text,
            "1,500,000 environment steps in 4,100 training episodes, 1 h 2 min of wall-clock");
  expect_in(text, "```sh\nicct train lunar_lander --seed 3\n```\n");
  expect_in(text, "```json\n{\"seed\": 3}\n```\n");
}

TEST(Report, LeadsToThePictureAndTheFiles) {
  const std::string text = to_markdown(finished_run());
  expect_in(text, "\n![learning curve](learning_curve.svg)\n");
  expect_in(text, "| [policy.json](policy.json) | the tree |\n");
}

TEST(Report, KeepsBackticksInsideTheirBlock) {
  RunReport report = finished_run();
  report.command = "icct train '```'";
  expect_in(to_markdown(report), "````sh\nicct train '```'\n````\n");
}

TEST(Report, ClaimsNothingThatWasNotMeasured) {
  RunReport report = finished_run();
  report.progress.rows.clear();
  report.fresh = {};
  report.published_protocol.reset();
  const std::string text = to_markdown(report);
  expect_in(text, "No fresh episodes were run");
  expect_not_in(text, "chosen on");
  expect_not_in(text, "measured on");
  report.fresh = summarise({12});
  expect_in(to_markdown(report), "**Return 12** in a single fresh episode.");
}

TEST(Report, SpeaksOfTimesAsPeopleDo) {
  RunReport report = finished_run();
  report.seconds = 4.218;
  expect_in(to_markdown(report), ", 4.22 s of wall-clock time");
  report.seconds = 59.7;
  expect_in(to_markdown(report), ", 1 min 0 s of wall-clock time");
}

}  // namespace
}  // namespace icct
