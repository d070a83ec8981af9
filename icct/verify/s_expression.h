#pragma once

#include <string_view>
#include <vector>

namespace icct {

// An atom, or a list of expressions in parentheses. Atoms refer to the text that was read.
struct SExpression {
  int line = 1;
  bool is_list = false;
  std::string_view atom = {};
  std::vector<SExpression> parts = {};
};

// All expressions of a text; comments go from ; to the end of the line. Throws Error with the line
// if parentheses do not match or are nested more than 200 deep.
std::vector<SExpression> read_s_expressions(std::string_view text);

}  // namespace icct
