#include "icct/export/identifiers.h"

#include <gtest/gtest.h>

namespace icct {
namespace {

TEST(Identifier, IsMadeFromAnyText) {
  EXPECT_EQ(identifier("x_speed", "o"), "x_speed");
  EXPECT_EQ(identifier("x speed (m/s)", "o"), "x_speed_m_s");
  EXPECT_EQ(identifier("  2nd leg!", "o"), "nd_leg");
  EXPECT_EQ(identifier("Größe", "o"), "Gr_e");
  EXPECT_EQ(identifier("速度", "o"), "o");
  EXPECT_EQ(identifier("", "o"), "o");
  EXPECT_EQ(identifier("while", "o"), "while_value");
  EXPECT_EQ(identifier("Real", "o"), "Real_value") << "case does not count in structured text";
  EXPECT_LE(identifier(std::string(500, 'a'), "o").size(), 40U);
}

TEST(Identifiers, AreAllDifferent) {
  EXPECT_EQ(identifiers({"a b", "a-b", "A_B", "速", "度"}, "o"),
            (std::vector<std::string>{"a_b", "a_b_2", "A_B_3", "o", "o_2"}));
}

TEST(CommentText, CannotEndTheComment) {
  EXPECT_EQ(comment_text("×10 m, größer"), "x10 m, gr??er");
  EXPECT_EQ(comment_text("a */ b /* c *) d (* e // f"), "a * / b / * c * ) d ( * e / / f");
  EXPECT_EQ(comment_text("two\nlines \\"), "two lines  ");
}

}  // namespace
}  // namespace icct
