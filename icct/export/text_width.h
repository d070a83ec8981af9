#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icct {

// How wide text is in Helvetica, Arial or Liberation Sans, rather more than less.
double text_width(std::string_view text, double font_size);

// `text` in lines no wider than `width`, as far as there are places to break: before " + " or
// " − ", else at a blank. Lines after the first begin with kContinued.
std::vector<std::string> wrapped(std::string text, double width, double font_size);

inline constexpr std::string_view kContinued = "    ";

}  // namespace icct
