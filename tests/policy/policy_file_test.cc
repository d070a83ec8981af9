#include "icct/policy/policy_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/rng.h"
#include "tests/complaint.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

// A small file with everything that a tree policy can have.
const std::string kText = R"({
  "format": "icct-policy", "version": 1, "name": "brakes",
  "observations": [{"name": "speed", "unit": "m/s", "lower": 0, "upper": null}, {"name": "gap"}],
  "actions": [{"name": "brake", "lower": -1, "upper": 1},
              {"name": "steer", "lower": -2, "upper": 2}],
  "squashing": "clip",
  "invalid_observation": {"action": {"steer": 0, "brake": 0.5}},
  "tree": {
    "root": "too fast?",
    "nodes": [
      {"name": "too fast?", "if": "speed", "at_least": 30, "then": "slow", "else": "leaf1"}
    ],
    "leaves": [
      {"name": "slow", "actions": {"brake": 1, "steer": {"gains": {"gap": 2, "speed": 3}}}},
      {"name": "leaf1", "actions": {"brake": {"bias": -0.0}, "steer": 5},
       "log_std": {"brake": -1, "steer": 0}}
    ]
  },
  "provenance": {"program": "icct 0.1.0", "command": "icct train", "seed": 18446744073709551615,
                 "options": {"leaves": 2}}
})";

// `text` with one part replaced; the part must be there.
std::string replaced(const std::string& text, const std::string& part,
                     const std::string& replacement) {
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return std::string(text).replace(at, part.size(), replacement);
}

std::string with(const std::string& part, const std::string& replacement) {
  return replaced(kText, part, replacement);
}

// The complaint must name the file, the place in it and the reason.
void expect_complaint(const std::string& text, const std::string& where, const std::string& what) {
  const std::string found = complaint([&] { parse_policy(text, "dir/p.json"); });
  EXPECT_EQ(found.find("dir/p.json: " + where), 0U) << found;
  EXPECT_NE(found.find(what), std::string::npos) << found;
}

Policy example() {
  return parse_policy(kText, "kText");
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

TEST(PolicyFile, MeansWhatItSays) {
  const Policy policy = example();
  EXPECT_EQ(policy.name, "brakes");
  EXPECT_EQ(policy.observations[0],
            (Dimension{.name = "speed", .unit = "m/s", .lower = 0, .upper = HUGE_VAL}));
  EXPECT_EQ(policy.observations[1],
            (Dimension{.name = "gap", .unit = "", .lower = -HUGE_VAL, .upper = HUGE_VAL}));
  EXPECT_EQ(policy.squashing, Squashing::Clip);
  EXPECT_EQ(policy.safe_action, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(policy.provenance,
            (Provenance{"icct 0.1.0", "icct train", UINT64_MAX, R"({"leaves": 2})"}));
  const Tree& tree = tree_of(policy);
  EXPECT_EQ(tree.splits, (std::vector<Split>{{.feature = 0,
                                              .threshold = 30,
                                              .yes = {0, true},
                                              .no = {1, true},
                                              .name = "too fast?"}}));
  EXPECT_EQ(tree.root, (NodeRef{0, false}));
  ASSERT_EQ(tree.leaves.size(), 2U);
  EXPECT_EQ(tree.leaves[0].name, "slow");
  EXPECT_EQ(tree.leaves[0].controllers,
            (std::vector<Controller>{{.bias = 1}, {.bias = 0, .terms = {{0, 3}, {1, 2}}}}));
  EXPECT_EQ(tree.leaves[1].name, "");  // its position says the same
  EXPECT_EQ(tree.leaves[1].log_std, (std::vector<double>{-1, 0}));
  EXPECT_TRUE(std::signbit(tree.leaves[1].controllers[0].bias));
}

TEST(PolicyFile, TakesGainsInAnyOrder) {
  EXPECT_TRUE(parse_policy(with(R"("gap": 2, "speed": 3)", R"("speed": 3, "gap": 2)"), "p") ==
              example());
}

TEST(PolicyFile, TakesAPlainNumberAsAConstantController) {
  EXPECT_TRUE(parse_policy(with(R"("brake": 1,)", R"("brake": {"bias": 1, "gains": {}},)"), "p") ==
              example());
}

TEST(PolicyFile, SplitsEitherWay) {
  const Policy policy = parse_policy(with("at_least", "at_most"), "p");
  EXPECT_TRUE(tree_of(policy).splits[0].less);
}

// Any finite double, but mostly readable ones.
double random_number(Rng& rng) {
  const std::vector<double> special = {0.0,    -0.0, 5e-324,  -2.5e-310,          1e308,
                                       -1e308, 0.1,  1.0 / 3, 12345678901234567.0};
  if (rng.below(4) == 0) return special[rng.below(static_cast<int>(special.size()))];
  const auto value = std::bit_cast<double>(rng.next());
  return std::isfinite(value) ? value : rng.normal();
}

Policy random_policy(Rng& rng) {
  Policy policy;
  policy.name = "näme \"quoted\" \\ \n 雪";
  policy.observations = {
      {.name = "Öl \"1\"", .unit = "°C"},
      {.name = "two words", .unit = "", .lower = random_number(rng), .upper = HUGE_VAL},
      {.name = "雪", .unit = "m"}};
  policy.actions = {{.name = "a b", .unit = "", .lower = -0.1, .upper = 1e300},
                    {.name = "q'", .unit = "", .lower = -0.0, .upper = 5e-324}};
  policy.squashing = rng.below(2) == 0 ? Squashing::Tanh : Squashing::Clip;
  if (rng.below(2) == 0) policy.safe_action = {1.0 / 3, 5e-324};
  if (rng.below(2) == 0)
    policy.action_words = {{{"so \"so\"", -0.1, 0.1 + 0.2}, {"雪", 0.1 + 0.2, 1e299}}, {}};
  Tree tree;
  const auto controller = [&rng] {
    Controller result{.bias = random_number(rng)};
    for (int j = 0; j < 3; ++j) {
      if (rng.below(2) == 0) result.terms.push_back({j, random_number(rng)});
    }
    return result;
  };
  const auto leaf = [&] { return make_leaf({controller(), controller()}); };
  tree = leaf();
  for (int i = rng.below(6); i > 0; --i) {
    const Tree other = leaf();
    tree = rng.below(2) == 0 ? make_split(rng.below(3), random_number(rng), tree, other)
                             : make_split_less(rng.below(3), random_number(rng), other, tree);
  }
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    if (rng.below(2) == 0) tree.splits[i].name = "ist \"" + std::to_string(i) + "\" zu schnell?";
  }
  for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
    if (rng.below(2) == 0) tree.leaves[i].name = "❄ " + std::to_string(i);
    if (rng.below(2) == 0) tree.leaves[i].log_std = {random_number(rng), random_number(rng)};
  }
  policy.controller = tree;
  policy.provenance = {"icct", "icct train --x \"y\"", std::nullopt,
                       R"({"rate": 0.25, "list": [1, -0.0, "x"]})"};
  if (rng.below(2) == 0) policy.provenance.seed = rng.next();
  return policy;
}

// All numbers of a tree, in order, as bits: equality would not tell -0 from 0.
std::vector<std::uint64_t> number_bits(const Policy& policy) {
  std::vector<std::uint64_t> result;
  for (const Split& split : tree_of(policy).splits) result.push_back(bits(split.threshold));
  for (const Leaf& leaf : tree_of(policy).leaves) {
    for (const double value : leaf.log_std) result.push_back(bits(value));
    for (const Controller& controller : leaf.controllers) {
      result.push_back(bits(controller.bias));
      for (const Term& term : controller.terms) result.push_back(bits(term.gain));
    }
  }
  return result;
}

TEST(PolicyFile, GivesBackEveryBitOfATreeAndTheSameBytesAgain) {
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const Policy policy = random_policy(rng);
    const std::string text = write_policy(policy);
    const Policy read = parse_policy(text, "p");
    ASSERT_TRUE(read == policy) << text;
    ASSERT_EQ(number_bits(read), number_bits(policy)) << text;
    ASSERT_EQ(write_policy(read), text);
  }
}

TEST(PolicyFile, GivesBackEveryBitOfANetwork) {
  Rng rng(2);
  Policy policy = random_policy(rng);
  Mlp<double> mlp({3, 5, 4, 2});
  for (double& value : mlp.parameters()) value = random_number(rng);
  policy.controller = mlp;
  const Policy read = parse_policy(write_policy(policy), "p");
  EXPECT_TRUE(read == policy);
  const auto parameters = std::get<Mlp<double>>(read.controller).parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    EXPECT_EQ(bits(parameters[i]), bits(mlp.parameters()[i]));
  EXPECT_EQ(write_policy(read), write_policy(policy));
}

TEST(PolicyFile, DropsANameThatOnlyRepeatsThePosition) {
  Policy policy = example();
  std::get<Tree>(policy.controller).leaves[1].name = "leaf1";
  EXPECT_TRUE(parse_policy(write_policy(policy), "p") == example());
}

TEST(PolicyFile, KeepsTheMeaningOfOptionsNotTheirLayout) {
  Policy policy = example();
  policy.provenance.options = "{ \"b\":0.5,\n\"a\":[ ]}";
  EXPECT_EQ(parse_policy(write_policy(policy), "p").provenance.options, R"({"b": 0.5, "a": []})");
}

TEST(PolicyFile, IsNotWrittenForAPolicyThatCouldNotBeRead) {
  Policy policy = example();
  policy.provenance.options = "[1]";
  EXPECT_NE(complaint([&] { write_policy(policy); }).find("options"), std::string::npos);
  policy.provenance.options = "{";
  EXPECT_NE(complaint([&] { write_policy(policy); }).find("options"), std::string::npos);
  policy = example();
  policy.actions[0].upper = HUGE_VAL;
  EXPECT_NE(complaint([&] { write_policy(policy); }).find("brake"), std::string::npos);
}

TEST(PolicyFile, IsNotWrittenWithTextThatIsNotUtf8) {
  Policy named = example(), measured = example(), commanded = example();
  named.name = measured.observations[0].unit = commanded.provenance.command = "\xff";
  for (const Policy& policy : {named, measured, commanded})
    EXPECT_THROW(write_policy(policy), Error);
}

TEST(BrokenPolicyFile, IsReportedWhereverItWasCutOff) {
  for (std::size_t length = 0; length < kText.size(); ++length) {
    const std::string found =
        complaint([&] { parse_policy(kText.substr(0, length), "dir/p.json"); });
    ASSERT_EQ(found.find("dir/p.json: not valid JSON: "), 0U) << found << " at " << length;
    ASSERT_NE(found.find("line "), std::string::npos) << found << " at " << length;
  }
}

TEST(BrokenPolicyFile, HasAnotherFormatOrVersion) {
  expect_complaint(with("icct-policy", "onnx"), "format", "icct-policy");
  expect_complaint(with("\"version\": 1", "\"version\": 2"), "version", "the file has 2");
  expect_complaint(with("\"version\": 1", "\"version\": \"1\""), "version", "the file has \"1\"");
  expect_complaint("[]", "", "expected an object");
  expect_complaint("{}", "", "\"format\" is missing");
}

TEST(BrokenPolicyFile, HasKeysTwiceOrUnknown) {
  expect_complaint(with("\"gap\": 2", "\"gap\": 2, \"gap\": 2"), "", "\"gap\" appears twice");
  expect_complaint(with("\"squashing\"", "\"squash\""), "", "unknown key \"squash\"");
  expect_complaint(with("\"unit\"", "\"units\""), "observations[0]", "unknown key \"units\"");
  expect_complaint(with("\"root\"", "\"top\": 1, \"root\""), "tree", "unknown key \"top\"");
  expect_complaint(with("\"if\"", "\"when\""), "tree.nodes[0]", "unknown key \"when\"");
  expect_complaint(with("\"log_std\"", "\"std\""), "tree.leaves[1]", "unknown key \"std\"");
  expect_complaint(with("\"gains\"", "\"gain\""), "tree.leaves[0].actions.steer",
                   "unknown key \"gain\"");
  expect_complaint(with("\"seed\"", "\"speed\""), "provenance", "unknown key \"speed\"");
  expect_complaint(with("{\"action\": {", "{\"actions\": {"), "invalid_observation",
                   "unknown key \"actions\"");
}

TEST(BrokenPolicyFile, LacksSomething) {
  expect_complaint(with("\"squashing\": \"clip\",", ""), "", "\"squashing\" is missing");
  expect_complaint(with("\"root\": \"too fast?\",", ""), "tree", "\"root\" is missing");
  expect_complaint(with("\"then\": \"slow\", ", ""), "tree.nodes[0]", "\"then\" is missing");
  expect_complaint(with("\"brake\": 1, ", ""), "tree.leaves[0].actions", "\"brake\" is missing");
  expect_complaint(with(", \"steer\": 0}", "}"), "tree.leaves[1].log_std", "\"steer\" is missing");
  expect_complaint(with("\"name\": \"gap\"", "\"unit\": \"m\""), "observations[1]",
                   "\"name\" is missing");
  expect_complaint(with(", \"at_least\": 30", ""), "tree.nodes[0]", "exactly one of \"at_least\"");
  expect_complaint(with(", \"at_least\": 30", ", \"at_least\": 30, \"at_most\": 30"),
                   "tree.nodes[0]", "exactly one of \"at_least\"");
}

TEST(BrokenPolicyFile, HasNumbersThatAreNone) {
  expect_complaint(with("30", "1e999"), "not valid JSON", "1e999");
  expect_complaint(with("30", "NaN"), "not valid JSON", "line 11");
  expect_complaint(with("30", "\"fast\""), "tree.nodes[0].at_least", "found \"fast\"");
  expect_complaint(with("30", "null"), "tree.nodes[0].at_least", "found null");
  expect_complaint(with("\"gap\": 2", "\"gap\": true"), "tree.leaves[0].actions.steer.gains.gap",
                   "found true");
  expect_complaint(with("\"brake\": 1,", "\"brake\": [1],"), "tree.leaves[0].actions.brake",
                   "found an array");
  expect_complaint(with("18446744073709551615", "-1"), "provenance.seed", "whole number");
  expect_complaint(with("18446744073709551615", "1.5"), "provenance.seed", "whole number");
  expect_complaint(with("18446744073709551615", "18446744073709551616"), "provenance.seed",
                   "whole number");
}

TEST(BrokenPolicyFile, HasTheWrongTypes) {
  expect_complaint(with("\"brakes\"", "7"), "name", "found 7");
  expect_complaint(with("\"clip\"", "\"sigmoid\""), "squashing", "\"tanh\" or \"clip\"");
  expect_complaint(with("{\"action\": {\"steer\": 0, \"brake\": 0.5}}", "\"stop\""),
                   "invalid_observation", "\"error\"");
  expect_complaint(with("{\"leaves\": 2}", "3"), "provenance.options", "expected an object");
  expect_complaint(with("\"m/s\"", "null"), "observations[0].unit", "found null");
}

TEST(BrokenPolicyFile, LinksWhereItMustNot) {
  expect_complaint(with("\"else\": \"leaf1\"", "\"else\": \"too fast?\""), "", "reached twice");
  expect_complaint(with("\"else\": \"leaf1\"", "\"else\": \"slow\""), "",
                   "slow, which is reached twice");
  expect_complaint(with("\"root\": \"too fast?\"", "\"root\": \"slow\""), "", "not reached");
  expect_complaint(with("\"else\": \"leaf1\"", "\"else\": \"leaf2\""), "tree.nodes[0].else",
                   "\"leaf2\"");
  expect_complaint(with("\"root\": \"too fast?\"", "\"root\": \"x\""), "tree.root", "\"x\"");
  expect_complaint(with("\"name\": \"leaf1\"", "\"name\": \"slow\""), "tree.leaves[1].name",
                   "names must differ");
  expect_complaint(replaced(with("\"else\": \"leaf1\"", "\"else\": \"\""), "\"name\": \"leaf1\"",
                            "\"name\": \"\""),
                   "tree.leaves[1].name", "must not be empty");
}

TEST(BrokenPolicyFile, NamesWhatDoesNotExist) {
  expect_complaint(with("\"if\": \"speed\"", "\"if\": \"velocity\""), "tree.nodes[0].if",
                   "\"velocity\"");
  expect_complaint(with("\"gap\": 2", "\"gaps\": 2"), "tree.leaves[0].actions.steer", "\"gaps\"");
  expect_complaint(with("\"steer\": 5", "\"steer\": 5, \"honk\": 1"), "tree.leaves[1].actions",
                   "\"honk\"");
  expect_complaint(with("\"log_std\": {", "\"log_std\": {\"honk\": 1, "), "tree.leaves[1].log_std",
                   "\"honk\"");
  expect_complaint(with("\"action\": {", "\"action\": {\"honk\": 1, "),
                   "invalid_observation.action", "\"honk\"");
}

TEST(BrokenPolicyFile, BreaksTheRulesOfPolicies) {
  expect_complaint(with("\"upper\": 1}", "\"upper\": null}"), "", "'brake' needs finite bounds");
  expect_complaint(with("\"brake\": 0.5", "\"brake\": 1.5"), "", "safe action for 'brake'");
  expect_complaint(with("{\"name\": \"gap\"}", "{\"name\": \"gap\"}, {\"name\": \"speed\"}"), "",
                   "names must differ");
  expect_complaint(with("\"tree\": {", "\"network\": {}, \"tree\": {"), "",
                   "exactly one of \"tree\" and \"network\"");
  expect_complaint(with("\"tree\": {", "\"trees\": {"), "", "unknown key");
  expect_complaint(R"({"format": "icct-policy", "version": 1, "observations": [], "actions": [],
                       "squashing": "tanh", "invalid_observation": "error"})",
                   "", "exactly one of \"tree\" and \"network\"");
}

TEST(BrokenPolicyFile, NamesRangesThatCannotBe) {
  const auto named = [](const std::string& ranges) {
    return with("\"upper\": 1}", "\"upper\": 1, \"ranges\": " + ranges + "}");
  };
  EXPECT_EQ(word_for(parse_policy(named(R"({"soft": [-1, 0], "hard": [0, 1]})"), "p"), 0, 0.5),
            "hard");
  expect_complaint(named("{\"soft\": [0]}"), "actions[0].ranges.soft", "two numbers");
  expect_complaint(named("{\"soft\": [0, \"x\"]}"), "actions[0].ranges.soft", "number");
  expect_complaint(named("{\"soft\": [0, 2]}"), "", "stay inside -1 to 1");
  expect_complaint(named("{\"soft\": [0, 1], \"hard\": [-1, 0]}"), "", "range 'hard'");
  expect_complaint(named("{\"soft\": [0.5, 0.5]}"), "", "not below its upper end");
  expect_complaint(named("{\"\": [0, 1]}"), "", "printable");
  expect_complaint(with("{\"name\": \"gap\"}", "{\"name\": \"gap\", \"ranges\": {}}"), "",
                   "unknown key");
}

TEST(BrokenPolicyFile, HasANetworkThatDoesNotFitTogether) {
  const auto expect_network_complaint = [](const std::string& network, const std::string& where,
                                           const std::string& what) {
    expect_complaint(R"({"format": "icct-policy", "version": 1, "observations": [{"name": "x"}],
                         "actions": [{"name": "a", "lower": 0, "upper": 1}], "squashing": "tanh",
                         "invalid_observation": "error", "network": )" +
                         network + "}",
                     where, what);
  };
  const std::string relu = R"({"hidden_activation": "relu", "layers": )";
  expect_network_complaint(R"({"hidden_activation": "tanh", "layers": []})",
                           "network.hidden_activation", "relu");
  expect_network_complaint(relu + "[]}", "network.layers", "at least one layer");
  expect_network_complaint(relu + R"([{"weights": [], "bias": []}]})", "network.layers[0].weights",
                           "empty");
  expect_network_complaint(relu + R"([{"weights": [[]], "bias": [0]}]})",
                           "network.layers[0].weights", "empty");
  expect_network_complaint(relu + R"([{"weights": [[1], [1, 2]], "bias": [0, 0]}]})",
                           "network.layers[0].weights", "1 numbers");
  expect_network_complaint(relu + R"([{"weights": [[1], [2]], "bias": [0]}]})",
                           "network.layers[0].bias", "one number per row");
  expect_network_complaint(
      relu + R"([{"weights": [[1], [2]], "bias": [0, 0]}, {"weights": [[1]], "bias": [0]}]})",
      "network.layers[1].weights", "2 numbers");
  expect_network_complaint(relu + R"([{"weights": [[1, 2]], "bias": [0]}]})", "", "2 inputs");
  expect_network_complaint(relu + R"([{"weights": [["1"]], "bias": [0]}]})",
                           "network.layers[0].weights[0][0]", "\"1\"");
}

TEST(BrokenPolicyFile, IsNestedWithoutEnd) {
  expect_complaint(with("{\"leaves\": 2}", std::string(100000, '[')), "", "deeper than");
}

class PolicyOnDisk : public testing::Test {
 protected:
  PolicyOnDisk()
      : folder_(fs::temp_directory_path() /
                ("icct_policy_file_test" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~PolicyOnDisk() override { fs::remove_all(folder_); }

  // Loading `path` must fail with a text that begins with it.
  static void expect_load_complaint(const fs::path& path, const std::string& what) {
    const std::string found = complaint([&] { load_policy(path); });
    EXPECT_EQ(found.find(path.string() + ": "), 0U) << found;
    EXPECT_NE(found.find(what), std::string::npos) << found;
  }

  fs::path folder_;
};

TEST_F(PolicyOnDisk, LoadsAsSavedAndSavesAgainTheSameBytes) {
  Rng rng(3);
  const Policy policy = random_policy(rng);
  save_policy(policy, folder_ / "a.json");
  const Policy read = load_policy(folder_ / "a.json");
  EXPECT_TRUE(read == policy);
  save_policy(read, folder_ / "b.json");
  EXPECT_EQ(read_file(folder_ / "a.json", 1 << 20), read_file(folder_ / "b.json", 1 << 20));
}

TEST_F(PolicyOnDisk, MustBeAFileOfReasonableSize) {
  expect_load_complaint(folder_ / "missing.json", "No such file");
  expect_load_complaint(folder_, "is a directory");
  std::ofstream(folder_ / "large.json") << "{}";
  fs::resize_file(folder_ / "large.json", (std::uintmax_t(64) << 20) + 1);  // sparse
  expect_load_complaint(folder_ / "large.json", "limit");
}

TEST_F(PolicyOnDisk, CannotBeSavedWhereThereIsNoFolder) {
  const fs::path path = folder_ / "no" / "p.json";
  EXPECT_EQ(complaint([&] { save_policy(example(), path); }).find(path.string()), 0U);
}

TEST_F(PolicyOnDisk, StaysAsItWasWhenSavingFails) {
  const fs::path path = folder_ / "p.json";
  save_policy(example(), path);
  Policy invalid = example();
  invalid.actions.clear();
  EXPECT_THROW(save_policy(invalid, path), Error);
  EXPECT_TRUE(load_policy(path) == example());

  // As on a full disk: the file cannot grow beyond 100 bytes.
  Policy changed = example();
  changed.name = "changed";
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{100, old_limit.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string found = complaint([&] { save_policy(changed, path); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_NE(found.find("cannot write"), std::string::npos) << found;
  EXPECT_TRUE(load_policy(path) == example());
}

}  // namespace
}  // namespace icct
