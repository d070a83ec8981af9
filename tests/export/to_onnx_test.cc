#include "icct/export/to_onnx.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/complaint.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

// Where `make onnxruntime` puts it.
const std::string kNode =
    "NODE_PATH=" ICCT_SOURCE_DIR "/build/onnxruntime/node_modules${NODE_PATH:+:$NODE_PATH} node ";

bool has_runtime() {
  return is_installed("node") &&
         std::system((kNode + "-e 'require(\"onnxruntime-node\")' > /dev/null 2>&1").c_str()) == 0;
}

// Runs the model on all vectors in one batch, and on a NaN and an infinity; prints the largest
// difference, how many of the vectors are valid, and the answers to the others.
constexpr const char* kScript = R"(
const ort = require("onnxruntime-node");
const vectors = require("./vectors.json");
const type = process.argv[2];
const List = type === "float32" ? Float32Array : Float64Array;
(async () => {
  const session = await ort.InferenceSession.create(__dirname + "/policy.onnx");
  const run = async (rows) => {
    const flat = List.from(rows.flat());
    const observation = new ort.Tensor(type, flat, [rows.length, rows[0].length]);
    return session.run({ observation });
  };
  const { action, valid } = await run(vectors.map(([x]) => x));
  let largest = 0, far = 0;
  const actions = vectors[0][1].length;
  vectors.forEach(([, expected], i) => expected.forEach((value, a) => {
    const difference = Math.abs(value - action.data[i * actions + a]);
    largest = Math.max(largest, difference);
    if (difference > 1e-4) ++far;
  }));
  const broken = vectors[0][0].map((v, i) => (i === 1 ? NaN : v));
  const endless = vectors[0][0].map((v, i) => (i === 0 ? Infinity : v));
  const answers = await run([broken, endless]);
  console.log(JSON.stringify({ largest, far, valid: valid.data.reduce((a, b) => a + b, 0),
    others: [...answers.valid.data], safe: [...answers.action.data].map(String) }));
})();
)";

// Numbers that single precision holds exactly, away from thresholds.
std::vector<double> in_float(const Policy& policy, Rng& rng) {
  std::vector<double> x;
  for (std::size_t i = 0; i < policy.observations.size(); ++i)
    x.push_back(static_cast<double>(static_cast<float>(rng.normal())));
  return x;
}

Json in_runtime(const Policy& policy, bool single_precision) {
  const TemporaryFolder folder;
  std::ofstream(folder / "policy.onnx") << to_onnx(policy, single_precision);
  std::ofstream(folder / "vectors.json")
      << test_vectors(policy, 5'000, single_precision ? in_float : moderate).dump();
  std::ofstream(folder / "check.js") << kScript;
  const std::string answer = output_of(kNode + (folder / "check.js").string() +
                                       (single_precision ? " float32" : " float64"));
  return parse_json(answer, "onnxruntime: " + answer);
}

Policy single_leaf() {
  Policy policy = example_policy("near_human");
  policy.controller = make_leaf({{.bias = 0.1, .terms = {{1, -0.5}}}});
  policy.safe_action.reset();
  policy.squashing = Squashing::Clip;
  return policy;
}

TEST(ToOnnx, AgreesWithActInOnnxruntime) {
  if (!has_runtime()) {
    GTEST_SKIP() << "onnxruntime-node is not installed (make onnxruntime): ONNX is NOT CHECKED";
  }
  for (const Policy& policy : {example_policy("lunar_lander"), example_policy("inverted_pendulum"),
                               example_policy("near_human"), single_leaf(), oddly_named()}) {
    const Json answer = in_runtime(policy, false);
    EXPECT_LE(answer.at("largest").get<double>(), 1e-12) << policy.name;
    EXPECT_EQ(answer.at("valid"), 5'000);
    EXPECT_EQ(answer.at("others"), Json({0, 0}));
  }
}

TEST(ToOnnx, AnswersInvalidObservationsAsThePolicySays) {
  if (!has_runtime()) {
    GTEST_SKIP() << "onnxruntime-node is not installed (make onnxruntime): ONNX is NOT CHECKED";
  }
  EXPECT_EQ(in_runtime(example_policy("near_human"), false).at("safe"), Json({"-8", "-8"}));
  EXPECT_EQ(in_runtime(single_leaf(), false).at("safe"), Json({"NaN", "NaN"}));
}

TEST(ToOnnx, InSinglePrecisionIsNear) {
  if (!has_runtime()) {
    GTEST_SKIP() << "onnxruntime-node is not installed (make onnxruntime): ONNX is NOT CHECKED";
  }
  const Json answer = in_runtime(example_policy("lunar_lander"), true);
  EXPECT_LE(answer.at("far").get<int>(), 2) << "only where a threshold, rounded, lies between";
  EXPECT_EQ(answer.at("valid"), 5'000);
}

// Without a runtime: the fields that every reader looks for.
TEST(ToOnnx, BeginsAsAModel) {
  const std::string model = to_onnx(example_policy("near_human"), false);
  EXPECT_EQ(model.substr(0, 2), std::string("\x08\x07", 2)) << "ir_version 7";
  EXPECT_NE(model.find("GreaterOrEqual"), std::string::npos);
  EXPECT_NE(model.find("observation"), std::string::npos);
  EXPECT_EQ(model, to_onnx(example_policy("near_human"), false)) << "the same bytes again";
}

TEST(ToOnnx, RefusesTreesTooLargeForItsTable) {
  Policy policy = single_leaf();
  Tree tree = make_leaf({{.bias = 0}});
  for (int i = 0; i < 11; ++i) tree = make_split(0, i, tree, tree);
  policy.controller = tree;
  EXPECT_NE(complaint([&] { to_onnx(policy, false); }).find("2048 leaves"), std::string::npos);
}

}  // namespace
}  // namespace icct
