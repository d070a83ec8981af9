#include "icct/base/svg.h"

#include <algorithm>
#include <cmath>

#include "icct/base/number.h"

namespace icct {
namespace {

bool starts_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

double round_step(double span, int count) {
  const double wanted = span / count;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= wanted) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::string svg_number(double pixels) {
  return rounded_text(std::round(pixels * 100) / 100, 7);
}

double svg_text_width(std::string_view text, double font_size) {
  return 0.6 * font_size * static_cast<double>(std::ranges::count_if(text, starts_letter));
}

std::string svg_fitting(std::string_view text, double width, double font_size) {
  if (svg_text_width(text, font_size) <= width) return std::string(text);
  while (!text.empty() && svg_text_width(text, font_size) > width - 0.6 * font_size) {
    while (!starts_letter(text.back())) text.remove_suffix(1);
    text.remove_suffix(1);
  }
  return std::string(text) + "…";
}

std::string svg_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return safe;
}

std::string svg_text(double x, double y, std::string_view style, std::string_view text) {
  return "<text x=\"" + svg_number(x) + "\" y=\"" + svg_number(y) + "\" " + std::string(style) +
         ">" + svg_escaped(text) + "</text>\n";
}

std::string svg_line(double x1, double y1, double x2, double y2) {
  return "<path d=\"M" + svg_number(x1) + " " + svg_number(y1) + "L" + svg_number(x2) + " " +
         svg_number(y2) + "\" stroke=\"#222222\"/>\n";
}

std::string svg_begin(double width, double height, std::string_view title) {
  const std::string size =
      "width=\"" + svg_number(width) + "\" height=\"" + svg_number(height) + "\"";
  const double fitting = (width - 40) / std::max(1.0, svg_text_width(title, 1));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " +
         svg_number(width) + " " + svg_number(height) +
         "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222222\">\n"
         "<title>" +
         svg_escaped(title) + "</title>\n<rect " + size + " fill=\"#ffffff\"/>\n" +
         svg_text(20, 26,
                  "font-weight=\"bold\" font-size=\"" + svg_number(std::min(15.0, fitting)) + "\"",
                  title);
}

std::vector<double> round_numbers(double lower, double upper, int count) {
  const double step = round_step(upper - lower, count);
  const double first = std::ceil(lower / step);
  std::vector<double> numbers;
  for (int i = 0; i <= count; ++i) {
    const double value = (first + i) * step;
    if (value >= lower && value <= upper && (numbers.empty() || value > numbers.back()))
      numbers.push_back(value);
  }
  return numbers;
}

std::string printed_number(double value, int digits) {
  const std::string text = rounded_text(value, digits);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

}  // namespace icct
