#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "icct/verify/box.h"

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

// Beginning of a picture with white ground and a title above everything; ends with "</svg>\n".
std::string svg_begin(double width, double height, std::string_view title);

// An axis along the bottom or the left side of a plot.
struct SvgAxis {
  Range values;      // lower < upper, their distance finite
  double from, to;   // where these are
  std::string name;  // with its unit
};
double svg_place(const SvgAxis& axis, double value);

// Line, marks at round numbers, numbers and name. `y` or `x`: where the axis runs.
std::string svg_bottom_axis(const SvgAxis& axis, double y);
std::string svg_left_axis(const SvgAxis& axis, double x);

// The round numbers in the range, ascending: at most `count` + 1 of them.
std::vector<double> round_numbers(const Range& range, int count);

// Such a number with the digits that tell it from the others.
std::string round_number_text(const Range& range, double value);

// Rounded to `digits` significant digits, with a minus sign as in print.
std::string printed_number(double value, int digits);

// "speed [m/s]", or "speed" without a unit.
std::string name_with_unit(const Dimension& dimension);

}  // namespace icct
