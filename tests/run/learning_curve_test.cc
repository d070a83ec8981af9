#include "icct/run/learning_curve.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <regex>

namespace icct {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// Every tag is closed in order, attributes are quoted, and no text is left to misread.
void expect_well_formed(const std::string& svg) {
  static const std::regex kTag(R"re(<(/?)([a-zA-Z]+)((?: [a-zA-Z0-9-]+="[^"<&]*")*) ?(/?)>)re");
  static const std::regex kReference("&(amp|lt|gt);");
  std::vector<std::string> open;
  for (std::sregex_iterator tag(svg.begin(), svg.end(), kTag), end; tag != end; ++tag) {
    if ((*tag)[1] == "/") {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), (*tag)[2]);
      open.pop_back();
    } else if ((*tag)[4] != "/") {
      open.push_back((*tag)[2]);
    }
  }
  EXPECT_TRUE(open.empty());
  const std::string texts = std::regex_replace(svg, kTag, "");
  EXPECT_EQ(std::regex_replace(texts, kReference, "").find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(count(svg, "nan"), 0U);
  EXPECT_EQ(count(svg, "inf"), 0U);
}

Progress progress_of(const std::vector<double>& means) {
  Progress progress;
  for (const double mean : means) {
    progress.rows.push_back({.steps = std::ssize(progress.rows) * 1000 + 1000,
                             .stage = "learn",
                             .training_return = mean,
                             .validation_mean = mean,
                             .validation_error = 1,
                             .best_validation = mean,
                             .details = {}});
  }
  return progress;
}

std::string svg_of(const std::vector<double>& means) {
  return learning_curve_svg(progress_of(means), {.title = "test"});
}

// The vertical places of the validation curve's points.
std::vector<double> heights(const std::string& svg) {
  std::smatch path;
  std::regex_search(svg, path, std::regex("<path d=\"([^\"]*)\"[^>]*stroke-width=\"2\""));
  // The legend's sample line comes first.
  const std::string rest = path.suffix();
  std::regex_search(rest, path, std::regex("<path d=\"([^\"]*)\"[^>]*stroke-width=\"2\""));
  const std::string moves = path[1];
  static const std::regex kPoint("[ML][0-9.-]+ ([0-9.-]+)");
  std::vector<double> result;
  for (std::sregex_iterator point(moves.begin(), moves.end(), kPoint), end; point != end; ++point)
    result.push_back(std::stod((*point)[1]));
  return result;
}

TEST(LearningCurve, IsWellFormedForOddProgress) {
  expect_well_formed(learning_curve_svg({}, {}));
  expect_well_formed(svg_of({3}));
  expect_well_formed(svg_of({3, 4}));
  expect_well_formed(svg_of({0, 0, 0}));
  expect_well_formed(svg_of({kNaN, kNaN}));
  expect_well_formed(svg_of({1, kNaN, 2, kInfinity, 3, -kInfinity, kNaN, 5, 6}));
  expect_well_formed(svg_of({-1e308, 1e308, 1e99, -1e99, 1e-320}));
  expect_well_formed(learning_curve_svg(progress_of({1, 2}), {.final_return = kNaN}));
}

TEST(LearningCurve, ShowsTextsAsTheyAre) {
  Progress progress = progress_of({1, 2});
  progress.rows[1].stage = "x < 3 & y";
  const std::string svg = learning_curve_svg(
      progress, {.title = "<b>\"A\" & B\x01</b>", .final_return = 1, .final_label = "a > b"});
  expect_well_formed(svg);
  EXPECT_NE(svg.find("&lt;b&gt;\"A\" &amp; B &lt;/b&gt;"), std::string::npos);
  EXPECT_NE(svg.find("x &lt; 3 &amp; y"), std::string::npos);
  EXPECT_NE(svg.find("a &gt; b"), std::string::npos);
}

TEST(LearningCurve, PutsBetterValidationsHigher) {
  const std::vector<double> y = heights(svg_of({1, 5, 3}));
  ASSERT_EQ(y.size(), 3U);
  EXPECT_LT(y[1], y[2]);
  EXPECT_LT(y[2], y[0]);
}

TEST(LearningCurve, KeepsItsScaleDespiteTerribleFirstValues) {
  std::vector<double> means(60, 250);
  for (std::size_t i = 0; i < 60; i += 2) means[i] = 150;
  const std::vector<double> usual = heights(svg_of(means));
  means[0] = means[1] = -50000;
  const std::vector<double> y = heights(svg_of(means));
  ASSERT_EQ(y.size(), 60U);
  EXPECT_GT(y[10] - y[11], 0.3 * (usual[10] - usual[11]));
  EXPECT_GT(y[0], 420) << "outside the picture, where it is clipped";
}

TEST(LearningCurve, BreaksWhereThereIsNoValue) {
  const std::string whole = svg_of({1, 2, 3, 4});
  const std::string broken = svg_of({1, 2, kNaN, 4});
  EXPECT_EQ(count(broken, "<circle"), 3U);
  // Each of validation, best, training and band starts once more.
  EXPECT_EQ(count(broken, "M"), count(whole, "M") + 4);
}

TEST(LearningCurve, NamesStagesWhereTheyBegin) {
  Progress progress = progress_of({1, 2, 3, 4});
  EXPECT_EQ(learning_curve_svg(progress, {}).find("learn<"), std::string::npos);
  progress.rows[2].stage = progress.rows[3].stage = "prune";
  const std::string svg = learning_curve_svg(progress, {});
  EXPECT_EQ(count(svg, ">learn<"), 1U);
  EXPECT_EQ(count(svg, ">prune<"), 1U);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1U);
}

TEST(LearningCurve, LeavesOutStageNamesThatWouldOverlap) {
  Progress progress = progress_of(std::vector<double>(500, 1));
  for (std::size_t i = 0; i < 500; ++i) progress.rows[i].stage = i % 2 == 0 ? "gradient" : "evolve";
  const std::string svg = learning_curve_svg(progress, {});
  static const std::regex kLabel(
      "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\"[^>]*>(gradient|evolve)</text>");
  std::map<std::string, double> end_of_line;
  int labels = 0;
  for (std::sregex_iterator label(svg.begin(), svg.end(), kLabel), end; label != end; ++label) {
    const double x = std::stod((*label)[1]);
    EXPECT_GE(x, end_of_line[(*label)[2]]);
    end_of_line[(*label)[2]] = x + 5.5 * static_cast<double>((*label)[3].length());
    ++labels;
  }
  EXPECT_GT(labels, 4);
  EXPECT_LT(labels, 40);
}

TEST(LearningCurve, DrawsTheFinalReturnWithItsNumber) {
  const std::string svg = learning_curve_svg(
      progress_of({1, 2}), {.final_return = -12.345, .final_label = "100 fresh episodes"});
  EXPECT_NE(svg.find(">100 fresh episodes<"), std::string::npos);
  EXPECT_NE(svg.find(">−12.35<"), std::string::npos);
  EXPECT_EQ(svg_of({1, 2}).find("stroke-dasharray"), std::string::npos);
}

}  // namespace
}  // namespace icct
