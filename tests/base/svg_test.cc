#include "icct/base/svg.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

TEST(RoundNumbers, LieInsideTheRange) {
  EXPECT_EQ(round_numbers(0, 2e6, 5), (std::vector<double>{0, 5e5, 1e6, 1.5e6, 2e6}));
  EXPECT_EQ(round_numbers(-3.1, 9, 4), (std::vector<double>{0, 5}));
  EXPECT_EQ(round_numbers(-0.5, 10.5, 11), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(PrintedNumber, HasAMinusAsInPrint) {
  EXPECT_EQ(printed_number(-2.5, 3), "−2.5");
  EXPECT_EQ(printed_number(0, 3), "0");
}

TEST(SvgText, CannotBreakThePicture) {
  EXPECT_EQ(svg_text(1, 2.004, "fill=\"red\"", "a<b & c>d\n"),
            "<text x=\"1\" y=\"2\" fill=\"red\">a&lt;b &amp; c&gt;d </text>\n");
}

TEST(SvgFitting, CutsWholeLetters) {
  EXPECT_EQ(svg_fitting("short", 100, 10), "short");
  const std::string cut = svg_fitting("größer als der Platz", 30, 10);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(svg_text_width(cut, 10), 30);
  EXPECT_EQ(svg_fitting("äöü", 13, 10), "ä…");
}

}  // namespace
}  // namespace icct
