#include "icct/train/train_options.h"

#include <gtest/gtest.h>

#include <limits>

#include "icct/policy/policy_file.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/learning.h"
#include "tests/train/short_options.h"

namespace icct {
namespace {

TrainOptions unusual() {
  TrainOptions o = short_options("td3");
  o.seed = std::numeric_limits<std::uint64_t>::max();
  o.actor = "mlp_max";
  o.features = "all";
  o.steps = 123'456'789'012;
  o.learning_rate = 0.1;
  o.actor_learning_rate = 1.0 / 3;
  o.tau = 1e-9;
  o.discount = 0.5;
  o.actor_average = 0.99;
  o.l1 = 1e-5;
  o.gumbel = o.combined_selector_gradient = true;
  return o;
}

TrainOptions read(const Json& json) {
  return train_options_from(JsonReader(json, "options.json"));
}

std::string complaint_about(const Json& json) {
  return complaint([&] { read(json); });
}

Json changed(const std::string& name, const Json& value) {
  Json json = to_json(unusual());
  json[name] = value;
  return json;
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST(TrainOptions, JsonHoldsEveryOption) {
  for (const TrainOptions& options : {unusual(), TrainOptions{.environment = "lunar_lander"}}) {
    const Json json = parse_json(write_json(to_json(options)), "options.json");
    EXPECT_EQ(read(json), options);
  }
  int fields = 1;
  TrainOptions options;
  visit_fields(options, [&](const char*, auto&, const char*) { ++fields; });
  EXPECT_EQ(to_json(options).size(), static_cast<std::size_t>(fields));
}

TEST(TrainOptions, AnUnknownKeyIsRefusedByName) {
  expect_in(complaint_about(changed("leafs", 3)), "options.json: leafs: there is no such option");
}

TEST(TrainOptions, AMissingKeyIsNamed) {
  Json json = to_json(unusual());
  json.erase("batch_size");
  expect_in(complaint_about(json), "batch_size");
  json = to_json(unusual());
  json.erase("environment");
  expect_in(complaint_about(json), "environment");
}

TEST(TrainOptions, AValueOfAnotherTypeIsNamed) {
  expect_in(complaint_about(changed("seed", -1)), "seed: expected a whole number");
  expect_in(complaint_about(changed("leaves", 2.5)), "leaves: expected a whole number");
  expect_in(complaint_about(changed("leaves", "8")), "leaves: expected a whole number");
  expect_in(complaint_about(changed("tau", "small")), "tau: expected a finite number");
  expect_in(complaint_about(changed("gumbel", 1)), "gumbel: expected true or false");
  expect_in(complaint_about(changed("features", 2)), "features");
}

TEST(TrainOptions, ANumberTooLargeForItsOptionIsRefused) {
  expect_in(complaint_about(changed("leaves", 4'294'967'304)), "leaves: expected a whole number");
  expect_in(complaint_about(changed("leaves", -4'294'967'288)), "leaves: expected a whole number");
  expect_in(complaint_about(changed("steps", 1e300)), "steps: expected a whole number");
  expect_in(complaint_about(changed("steps", std::numeric_limits<std::uint64_t>::max())),
            "steps: expected a whole number");
}

TEST(TrainOptions, ThePaperPresetHoldsThePublishedNumbers) {
  struct Row {
    const char* environment;
    int leaves;
    double learning_rate;
    int batch_size;
  };
  for (const Row& row : {Row{"inverted_pendulum", 4, 5e-4, 1024}, Row{"lunar_lander", 8, 5e-4, 256},
                         Row{"lane_keeping", 16, 3e-4, 1024}}) {
    const TrainOptions o = preset_options(row.environment, "paper", "");
    EXPECT_EQ(o.environment, row.environment);
    EXPECT_EQ(o.algorithm, "sac");
    EXPECT_EQ(o.leaves, row.leaves);
    EXPECT_EQ(o.learning_rate, row.learning_rate);
    EXPECT_EQ(o.actor_learning_rate, row.learning_rate);
    EXPECT_EQ(o.batch_size, row.batch_size);
    EXPECT_EQ(o.steps, 500'000);
    EXPECT_EQ(o.tau, 0.01);
    EXPECT_EQ(o.critic_width, 256);
    EXPECT_NO_THROW(validate(o));
  }
  expect_in(complaint([] { preset_options("tracking", "paper", ""); }),
            "no hyper-parameters for 'tracking'");
}

TEST(TrainOptions, TheDefaultPresetSearches) {
  const TrainOptions o = preset_options("lunar_lander", "default", "");
  EXPECT_EQ(o.algorithm, "search");
  EXPECT_EQ(preset_options("lunar_lander", "default", "td3").algorithm, "td3");
  EXPECT_EQ(preset_options("lunar_lander", "default", "td3").tau, 0.005);
  expect_in(complaint([] { preset_options("lunar_lander", "best", ""); }),
            "'preset' is 'best'; it must be one of default, paper");
  expect_in(complaint([] { preset_options("lunar_lander", "default", "ppo"); }),
            "'algorithm' is 'ppo'");
}

TEST(TrainOptions, ARoadOfOnesOwnHasTheBudgetOfASlowSimulatorWhateverItsName) {
  for (const char* road : {"my_road.json", "ring_road.json:density=2"}) {
    const TrainOptions options = preset_options(road, "default", "search");
    EXPECT_EQ(options.steps, 1'500'000) << road;
    EXPECT_EQ(options.validation_episodes, 10) << road;
    EXPECT_EQ(preset_options(road, "default", "sac").validation_episodes, 5) << road;
  }
}

TEST(CommandOf, MentionsOnlyWhatDiffers) {
  TrainOptions o = preset_options("lunar_lander", "default", "");
  EXPECT_EQ(command_of(o), "icct train lunar_lander --seed 0");
  o.leaves = 4;
  o.features = "all";
  EXPECT_EQ(command_of(o), "icct train lunar_lander --seed 0 --leaves 4 --features all");
  o = preset_options("lunar_lander", "default", "sac");
  o.seed = 7;
  o.learning_rate = 5e-4;
  EXPECT_EQ(command_of(o),
            "icct train lunar_lander --seed 7 --learning-rate 0.0005 --algorithm sac");
}

TEST(TrainOptions, BadValuesAreRefusedByName) {
  const auto complaint_of = [](const std::function<void(TrainOptions&)>& change) {
    TrainOptions options = short_options("sac");
    change(options);
    return complaint([&] { validate(options); });
  };
  EXPECT_EQ(complaint_of([](TrainOptions&) {}), "none");
  for (const char* text : {"", "two", "-1", "2x", " 2", "99999999999"}) {
    expect_in(complaint_of([text](TrainOptions& o) { o.features = text; }),
              "'features' is '" + std::string(text) + "'; it must be 0, 1, 2, ... or all");
  }
  expect_in(complaint_of([](TrainOptions& o) { o.algorithm = "ppo"; }),
            "'algorithm' is 'ppo'; it must be one of search, sac, td3");
  expect_in(complaint_of([](TrainOptions& o) { o.actor = "forest"; }), "'actor' is 'forest'");
  expect_in(complaint_of([](TrainOptions& o) { o.report_episodes = 0; }), "'report_episodes' is 0");
  expect_in(complaint_of([](TrainOptions& o) { o.critic_width = 0; }), "'critic_width' is 0");
}

TEST(TrainOptions, LeavesAreCheckedAlsoIfATreeHasMore) {
  for (const char* algorithm : {"search", "sac", "td3"}) {
    TrainOptions options = short_options(algorithm);
    options.from = "start.json";
    EXPECT_EQ(complaint([&] { validate(options); }), "none");
    for (const int leaves : {0, -1, 2'000'000'000}) {
      options.leaves = leaves;
      expect_in(complaint([&] { validate(options); }), "it must be from 1 to 1048576");
    }
  }
}

TEST(TrainOptions, DirectSearchLearnsNoNetwork) {
  for (const char* actor : {"mlp_lower", "mlp_upper", "mlp_max", "cddt"}) {
    TrainOptions options = short_options("search");
    options.actor = actor;
    expect_in(complaint([&] { validate(options); }), "it must be icct for direct search");
  }
}

// What is said when training is to begin with a policy.
std::string complaint_about_start(const std::string& algorithm, const Policy& start,
                                  const std::string& keep = "") {
  const TemporaryFolder folder;
  save_policy(start, folder / "start.json");
  TrainOptions options = short_options(algorithm);
  options.from = (folder / "start.json").string();
  options.keep = keep;
  Workers workers(tracking(), 1);
  return complaint([&] { make_learner(options, tracking(), workers, 1); });
}

TEST(TrainOptions, OnlySearchThatBeginsWithATreeKeepsPartsOfIt) {
  for (const char* algorithm : {"search", "sac"}) {
    TrainOptions options = short_options(algorithm);
    options.keep = "node0";
    expect_in(complaint([&] { validate(options); }), "'keep' is 'node0'; it must be for direct");
    options.from = "start.json";
    EXPECT_EQ(complaint([&] { validate(options); }) == "none", options.algorithm == "search");
  }
}

TEST(MakeLearner, SaysWhatCanBeKept) {
  const Policy start = tracking_policy(make_leaf({{.bias = 0}}));
  const std::string action = start.actions[0].name;
  EXPECT_EQ(complaint_about_start("search", start, "leaf1"),
            "the tree has no split, leaf or action 'leaf1'; it has: " + action + ", leaf0");
  expect_in(complaint_about_start("search", start, "leaf0,"), "or action ''");
  expect_in(complaint_about_start("search", start, "leaf0," + action), "nothing to learn");
}

TEST(MakeLearner, SaysHowToBeginWithANetwork) {
  Policy network = tracking_policy(make_leaf({{.bias = 0}}));
  network.controller = Mlp<double>({1, 2, 1});
  for (const char* algorithm : {"search", "sac"}) {
    const std::string said = complaint_about_start(algorithm, network);
    expect_in(said, "start.json: is a network");
    expect_in(said, "make one of it with icct distill --teacher ");
  }
}

TEST(MakeLearner, NumbersBeyondSinglePrecisionAreForDirectSearchOnly) {
  const auto with = [](double threshold, double bias, double gain) {
    Policy policy = tracking_policy(make_split(0, threshold, make_leaf({{.bias = bias}}),
                                               make_leaf({{.bias = 0, .terms = {{0, gain}}}})));
    policy.squashing = Squashing::Tanh;
    return policy;
  };
  for (const char* algorithm : {"sac", "td3"}) {
    expect_in(complaint_about_start(algorithm, with(1e39, 0, 1)),
              "start.json: 'node0' has the number 1e+39");
    expect_in(complaint_about_start(algorithm, with(0, -1e300, 1)), "'leaf0' has the number");
    expect_in(complaint_about_start(algorithm, with(0, 0, 1e39)), "'leaf1' has the number");
    EXPECT_EQ(complaint_about_start(algorithm, with(3e38, -3e38, 1)), "none");
  }
  EXPECT_EQ(complaint_about_start("search", with(1e39, 0, 1)), "none");
}

TEST(MakeLearner, TakesTheLimitsOfASearchFromTheOptions) {
  Workers workers(tracking(true), 1);
  TrainOptions options = short_options("search");
  options.leaves = 1;
  for (const char* features : {"0", "all", "50"}) {
    options.features = features;
    const auto learner = make_learner(options, tracking(true), workers, 1);
    EXPECT_EQ(learner->budget(), 8'000);
    finish(*learner);
    const Policy& best = learner->selection().best();
    EXPECT_EQ(tree_of(best).leaves.size(), 1U);
    if (std::string(features) == "0") {
      EXPECT_TRUE(tree_of(best).leaves[0].controllers[0].terms.empty());
    }
    EXPECT_EQ(best.provenance.command, command_of(options));
    EXPECT_EQ(best.provenance.options, write_json(to_json(options)));
  }
}

}  // namespace
}  // namespace icct
