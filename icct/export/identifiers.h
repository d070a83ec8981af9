#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace icct {

// A name that C, JavaScript and IEC 61131-3 accept, made from any text: letters a-z, digits and
// single underscores, beginning with a letter, at most 40 of them, no keyword. "x speed (m/s)"
// becomes "x_speed_m_s"; `fallback` stands where nothing is left.
std::string identifier(std::string_view text, std::string_view fallback);

// The same for many, all different even where case does not count: a number is added to those that
// would be alike.
std::vector<std::string> identifiers(const std::vector<std::string>& texts,
                                     std::string_view fallback);

// Text for a comment: plain ASCII, on one line, and nothing that ends a comment of C or structured
// text. "×" becomes "x", other foreign letters "?".
std::string comment_text(std::string_view text);

std::string upper_case(std::string_view text);  // of a-z

}  // namespace icct
