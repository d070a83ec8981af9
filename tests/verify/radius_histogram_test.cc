#include "icct/verify/radius_histogram.h"

#include <gtest/gtest.h>

#include <limits>

namespace icct {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(RadiusHistogram, CountsPerBinAndTheInfiniteOnesApart) {
  const std::vector<double> radii = {0, 0.9, 1, 3.5, 4, kInfinity, kInfinity};
  EXPECT_EQ(radius_histogram(radii, 4), (RadiusHistogram{1, {2, 1, 0, 2}, 2}));
}

TEST(RadiusHistogram, HasOneBinIfThereIsNothingToSpread) {
  EXPECT_EQ(radius_histogram({}, 10), (RadiusHistogram{0, {0}, 0}));
  const std::vector<double> radii = {0, 0, kInfinity};
  EXPECT_EQ(radius_histogram(radii, 10), (RadiusHistogram{0, {2}, 1}));
}

TEST(RadiusHistogram, CountsAstronomicalAndDenormalRadii) {
  const std::vector<double> large = {0, std::numeric_limits<double>::max()};
  EXPECT_EQ(radius_histogram(large, 3).counts, (std::vector<std::size_t>{1, 0, 1}));
  const std::vector<double> tiny = {std::numeric_limits<double>::denorm_min()};
  EXPECT_EQ(radius_histogram(tiny, 3).counts, std::vector<std::size_t>{1});
}

TEST(HistogramText, DrawsALinePerBin) {
  EXPECT_EQ(histogram_text({0.5, {2, 1}, 4}),
            "                0 to 0.5        2  ########################################\n"
            "                0.5 to 1        1  ####################\n"
            "                any size        4  ########################################\n");
}

TEST(HistogramSvg, ShowsBarsAndEscapesItsTexts) {
  const std::string svg = histogram_svg({0.5, {2, 1}, 4}, "a < b", "radius & more");
  EXPECT_EQ(svg.find("<svg"), 0U);
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find("radius &amp; more"), std::string::npos);
  EXPECT_NE(svg.find("4 more, for which no perturbation makes a difference"), std::string::npos);
}

}  // namespace
}  // namespace icct
