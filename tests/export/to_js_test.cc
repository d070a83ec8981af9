#include "icct/export/to_js.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "icct/export/to_html.h"
#include "icct/export/to_json.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

using testing::HasSubstr;
using testing::Not;

// Compares the exported function with the vectors, to the last bit.
constexpr const char* kCompare =
    "let different = 0;\n"
    "for (const [x, action] of vectors)\n"
    "  act(x).forEach((value, a) => { if (value !== action[a]) ++different; });\n";

std::string in_node(const Policy& policy, const std::string& script) {
  const TemporaryFolder folder;
  std::ofstream(folder / "exported.js") << to_js(policy, "exported");
  std::ofstream(folder / "check.js") << "const { act } = require('./exported.js');\n" << script;
  return output_of("node " + (folder / "check.js").string());
}

class ToJs : public testing::TestWithParam<std::string> {};

TEST_P(ToJs, GivesTheBitsOfActInNode) {
  if (!is_installed("node")) GTEST_SKIP() << "node is not installed: JavaScript is NOT CHECKED";
  const Policy policy = GetParam() == "odd" ? oddly_named() : example_policy(GetParam());
  const std::string vectors = test_vectors(policy, 20'000, awkward).dump();
  EXPECT_EQ(in_node(policy, "const vectors = " + vectors + ";\n" + kCompare +
                                "console.log(vectors.length, different);"),
            "20000 0\n");
}

// The page itself: its function, its sliders, its path.
TEST_P(ToJs, GivesTheBitsOfActInThePage) {
  if (!is_installed("chromium"))
    GTEST_SKIP() << "chromium is not installed: the page is NOT CHECKED in a browser";
  const Policy policy = GetParam() == "odd" ? oddly_named() : example_policy(GetParam());
  const Json vectors = test_vectors(policy, 2'000, awkward);
  std::string page = to_html(policy, {});
  const std::string check =
      "<script>{ const vectors = " + script_json(vectors) + ";\n" + kCompare +
      "const [x] = vectors[0]; x.forEach((value, i) => set(i, value));\n"
      "const active = [...document.querySelectorAll('.box.active .name')].pop().textContent;\n"
      "const numbers = [...document.querySelectorAll('.value')].map((v) => Number(v.title));\n"
      "const shownRight = numbers.every((v, a) => v === vectors[0][1][a]);\n"
      "const leaf = policy.leaves[path(x).leaf].name;\n"
      "search(leaf);\n"
      "const found = document.querySelectorAll('.found').length;\n"
      "document.getElementById('fold').click();\n"
      "const folded = document.querySelectorAll('.leaf').length;\n"
      "document.body.replaceChildren('checked ' + vectors.length + ' different ' + different + "
      "' path ' + (active === leaf) + ' shown ' + shownRight + ' found ' + (found > 0) + "
      "' folded ' + (folded < policy.leaves.length));\n"
      "}</script></body>";
  page.replace(page.rfind("</body>"), 7, check);
  const TemporaryFolder folder;
  std::ofstream(folder / "page.html") << page;
  const std::string shown = output_of(
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --dump-dom --user-data-dir=" +
      (folder / "profile").string() + " file://" + (folder / "page.html").string());
  const std::size_t answer = shown.find("<body>checked");
  ASSERT_NE(answer, std::string::npos) << shown.substr(0, 1000);
  EXPECT_THAT(shown.substr(answer, 200),
              HasSubstr("checked 2000 different 0 path true shown true found true folded true"));
}

INSTANTIATE_TEST_SUITE_P(Examples, ToJs, testing::Values("lunar_lander", "near_human", "odd"),
                         [](const auto& name) { return name.param; });

TEST(ToJs, AnswersInvalidObservationsAsThePolicySays) {
  if (!is_installed("node")) GTEST_SKIP() << "node is not installed: JavaScript is NOT CHECKED";
  Policy policy = example_policy("near_human");
  EXPECT_EQ(in_node(policy, "console.log(act([1, NaN, 1]), act([Infinity, 0, 0]))"),
            "[ -8 ] [ -8 ]\n");
  policy.safe_action.reset();
  const std::string caught = "try { act([1, NaN, 1]) } catch (e) { console.log(e.message) }";
  EXPECT_THAT(in_node(policy, caught), HasSubstr("no safe action"));
  EXPECT_THAT(in_node(policy, "try { act([1]) } catch (e) { console.log(e.message) }"),
              HasSubstr("expected 3 observations, got 1"));
}

TEST(ToHtml, NeedsNoNetworkAndCannotBeLeftByNames) {
  const std::string page = to_html(oddly_named(), {});
  EXPECT_THAT(page, Not(HasSubstr("https://")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  std::size_t scripts = 0;
  for (std::size_t at = page.find("</script>"); at != std::string::npos;
       at = page.find("</script>", at + 1))
    ++scripts;
  EXPECT_EQ(scripts, 2U);
}

TEST(FilledIn, LooksAtReplacementsOnlyOnce) {
  EXPECT_EQ(filled_in("a@X@@Y@ b@c", {{"X", "@Y@"}, {"Y", "1"}}), "a@Y@1 b@c");
}

// Another language, another tanh.
TEST(ToJson, SaysAllThatAnInterpreterNeeds) {
  if (!is_installed("python3")) GTEST_SKIP() << "python3 is not installed: JSON is NOT CHECKED";
  const std::string script = R"(
import json, math, sys
policy, vectors = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
def act(x):
    at = policy["root"]
    while at >= 0:
        node = policy["nodes"][at]
        value = x[node["feature"]]
        yes = value <= node["threshold"] if node["at_most"] else value >= node["threshold"]
        at = node["yes"] if yes else node["no"]
    result = []
    for action, c in zip(policy["actions"], policy["leaves"][-1 - at]["controllers"]):
        y = c["bias"] + sum(gain * x[feature] for feature, gain in c["terms"])
        low, high = action["lower"], action["upper"]
        if policy["squashing"] == "tanh":
            y = low + (math.tanh(y) + 1) / 2 * (high - low)
        result.append(min(max(y, low), high))
    return result
far = sum(abs(a - b) > 1e-12 for x, action in vectors for a, b in zip(act(x), action))
print(len(vectors), far)
)";
  for (const char* name : {"lunar_lander", "near_human"}) {
    const Policy policy = example_policy(name);
    const TemporaryFolder folder;
    std::ofstream(folder / "check.py") << script;
    std::ofstream(folder / "policy.json") << to_json(policy);
    std::ofstream(folder / "vectors.json") << test_vectors(policy, 5'000, moderate).dump();
    EXPECT_EQ(
        output_of("cd " + folder.path().string() + " && python3 check.py policy.json vectors.json"),
        "5000 0\n");
  }
}

}  // namespace
}  // namespace icct
