#pragma once

#include <string>
#include <string_view>
#include <vector>

// Parts of SVG pictures. Places are in pixels.
namespace icct {

// A place or size, to a hundredth of a pixel.
std::string svg_number(double pixels);

// A generous guess for the usual sans-serif letters.
double svg_text_width(std::string_view text, double font_size);

// `text`, or as much of its beginning as fits, with an ellipsis.
std::string svg_fitting(std::string_view text, double width, double font_size);

// `text` with what XML reserves replaced.
std::string svg_escaped(std::string_view text);

// `style`: further attributes.
std::string svg_text(double x, double y, std::string_view style, std::string_view text);
std::string svg_line(double x1, double y1, double x2, double y2);

// Beginning of a picture with white ground and a title above everything. "</svg>\n" ends it.
std::string svg_begin(double width, double height, std::string_view title);

// The round numbers from `lower` to `upper`, ascending: at most `count` + 1 of them. Both finite,
// their distance too, lower < upper.
std::vector<double> round_numbers(double lower, double upper, int count);

// Rounded to `digits` significant digits, with a minus sign as in print.
std::string printed_number(double value, int digits);

}  // namespace icct
