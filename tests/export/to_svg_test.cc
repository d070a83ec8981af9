#include "icct/export/to_svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "icct/export/text_width.h"
#include "icct/export/to_dot.h"
#include "tests/export/outside.h"

namespace icct {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Rectangle {
  double x, y, width, height;
};

std::vector<Rectangle> boxes(const std::string& svg) {
  const std::regex pattern(
      "<rect x=\"([0-9.]+)\" y=\"([0-9.]+)\" width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
  std::vector<Rectangle> found;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    found.push_back(
        {std::stod((*at)[1]), std::stod((*at)[2]), std::stod((*at)[3]), std::stod((*at)[4])});
  return found;
}

bool overlap(const Rectangle& a, const Rectangle& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

Tree random_tree(int leaves, Rng& rng) {
  if (leaves == 1) {
    return make_leaf({{.bias = rng.normal(), .terms = {{0, rng.normal()}, {4, rng.normal()}}},
                      {.bias = rng.normal(), .terms = {{2, rng.normal()}}}});
  }
  const int left = 1 + rng.below(leaves - 1);
  return make_split(rng.below(8), rng.normal(), random_tree(left, rng),
                    random_tree(leaves - left, rng));
}

TEST(ToSvg, NeverLetsBoxesOverlap) {
  Policy policy = example_policy("lunar_lander");
  Rng rng(3);
  for (const int leaves : {1, 2, 8, 16, 64, 300}) {
    policy.controller = random_tree(leaves, rng);
    const std::vector<Rectangle> all = boxes(to_svg(policy, {}));
    EXPECT_EQ(all.size(), static_cast<std::size_t>(2 * std::min(leaves, 64) - 1));
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) ASSERT_FALSE(overlap(all[i], all[j])) << leaves;
    }
  }
}

TEST(ToSvg, ShowsRoundedNumbersAndHintsTheExactOnes) {
  Policy policy = example_policy("near_human");
  std::get<Tree>(policy.controller).splits[0].threshold = 5.123456789;
  const std::string svg = to_svg(policy, {});
  EXPECT_THAT(svg, HasSubstr(">distance_to_human ≥ 5.12 m</text>"));
  EXPECT_THAT(svg, HasSubstr("<title>alone\ndistance_to_human &gt;= 5.123456789 m</title>"));
  EXPECT_THAT(svg, HasSubstr("tanh(−0.1 − 0.2 speed"));
}

TEST(ToSvg, FoldsWhatIsTooLarge) {
  Policy policy = example_policy("lunar_lander");
  Rng rng(4);
  policy.controller = random_tree(200, rng);
  EXPECT_THAT(to_svg(policy, {}), HasSubstr("leaves, folded"));
}

TEST(ToSvg, DrawsLinesAsWideAsTheyAreUsed) {
  const Policy policy = example_policy("near_human");
  VisitCounts visits = no_visits(tree_of(policy));
  count_visit(tree_of(policy), std::vector{9.0, 0.0, 0.0}, visits);
  const std::string svg = to_svg(policy, {}, &visits);
  EXPECT_THAT(svg, HasSubstr("stroke-width=\"7.6\""));
  EXPECT_THAT(svg, HasSubstr(">never</text>"));
  EXPECT_THAT(svg, HasSubstr("1 observation; never used: cautious, stop"));
}

TEST(ToSvg, IsXmlWhateverTheNames) {
  const std::string svg = to_svg(oddly_named(), {});
  EXPECT_THAT(svg, Not(HasSubstr("</script>")));
  EXPECT_THAT(svg, HasSubstr("&lt;/script&gt;"));
}

TEST(Wrapped, BreaksBeforeASign) {
  EXPECT_EQ(wrapped("a = tanh(1 + 2 xxxxxxxx − 3 yyyyyyyy + 4 z)", 150, 12),
            (std::vector<std::string>{"a = tanh(1 + 2 xxxxxxxx", "    − 3 yyyyyyyy + 4 z)"}));
  EXPECT_EQ(wrapped("a_single_very_long_word", 10, 12).size(), 1U);
}

TEST(ToDot, IsAGraphWithQuotedNames) {
  const std::string dot = to_dot(oddly_named(), {});
  EXPECT_THAT(dot, HasSubstr("node0 -> leaf0 [label=\"yes\"]"));
  EXPECT_THAT(dot, HasSubstr("Größe \\\"@R\\\""));
  if (!is_installed("dot")) GTEST_SKIP() << "Graphviz is not installed: the graph is NOT PARSED";
  const TemporaryFolder folder;
  std::ofstream(folder / "graph.dot") << dot;
  EXPECT_THAT(output_of("dot -Tsvg " + (folder / "graph.dot").string()), HasSubstr("</svg>"));
}

}  // namespace
}  // namespace icct
