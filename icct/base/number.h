#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace icct {

// The fewest digits that read back as the same double; "nan", "inf" and "-inf" for the others.
std::string exact_text(double value);

// Rounded for people to `digits` significant digits, without trailing zeros: 0.1, -2.35, 1.2e-07.
std::string rounded_text(double value, int digits);

// "1,250,000"; not negative.
std::string grouped_text(std::int64_t count);

// "12 s", "3 min 20 s", "1 h 5 min".
std::string duration_text(double seconds);

// The whole of `text` as a number (also nan and inf), or nothing if it is not one.
std::optional<double> parse_number(std::string_view text);

// `text` without blanks at its ends.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r\n\v\f");

}  // namespace icct
