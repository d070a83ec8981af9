#include "icct/verify/svg.h"

#include <algorithm>
#include <cmath>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr double kFont = 12;
constexpr int kMostNumbers = 8;

bool starts_letter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

double round_step(const Range& range, int count) {
  const double wanted = (range.upper - range.lower) / count;
  const double power = std::pow(10, std::floor(std::log10(wanted)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= wanted) return factor * power;
  }
  return 10 * power;
}

// As many round numbers as stand beside each other with some room between them.
std::vector<double> numbers_that_fit(const SvgAxis& axis) {
  for (int count = kMostNumbers; count > 1; --count) {
    std::vector<double> numbers = round_numbers(axis.values, count);
    double free_from = -1e9;
    const bool fit = std::ranges::all_of(numbers, [&](double value) {
      const double half = 0.5 * svg_text_width(round_number_text(axis.values, value), kFont);
      const double place = svg_place(axis, value);
      const bool has_room = place - half >= free_from;
      free_from = place + half + 8;
      return has_room;
    });
    if (fit) return numbers;
  }
  return round_numbers(axis.values, 1);
}

std::string name_style(const SvgAxis& axis) {
  const double fitting =
      std::abs(axis.to - axis.from) / std::max(1.0, svg_text_width(axis.name, 1));
  return "text-anchor=\"middle\" font-size=\"" + svg_number(std::min(kFont + 1, fitting)) + "\"";
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

double svg_place(const SvgAxis& axis, double value) {
  const double share = (value - axis.values.lower) / (axis.values.upper - axis.values.lower);
  return axis.from + std::clamp(share, 0.0, 1.0) * (axis.to - axis.from);
}

std::string svg_bottom_axis(const SvgAxis& axis, double y) {
  std::string svg = svg_line(axis.from, y, axis.to, y);
  for (const double value : numbers_that_fit(axis)) {
    const double x = svg_place(axis, value);
    svg += svg_line(x, y, x, y + 4);
    svg += svg_text(x, y + 18, "text-anchor=\"middle\"", round_number_text(axis.values, value));
  }
  return svg + svg_text(0.5 * (axis.from + axis.to), y + 40, name_style(axis), axis.name);
}

std::string svg_left_axis(const SvgAxis& axis, double x) {
  std::string svg = svg_line(x, axis.from, x, axis.to);
  for (const double value : round_numbers(axis.values, kMostNumbers)) {
    const double y = svg_place(axis, value);
    svg += svg_line(x - 4, y, x, y);
    const std::string text = round_number_text(axis.values, value);
    const double fitting = 52 / svg_text_width(text, 1);
    svg += svg_text(
        x - 8, y + 4,
        "text-anchor=\"end\" font-size=\"" + svg_number(std::min(kFont, fitting)) + "\"", text);
  }
  const double middle = 0.5 * (axis.from + axis.to);
  const std::string upright =
      " transform=\"rotate(-90 " + svg_number(x - 68) + " " + svg_number(middle) + ")\"";
  return svg + svg_text(x - 68, middle, name_style(axis) + upright, axis.name);
}

std::vector<double> round_numbers(const Range& range, int count) {
  const double step = round_step(range, count);
  const double first = std::ceil(range.lower / step);
  std::vector<double> numbers;
  for (int i = 0; i <= count; ++i) {
    const double value = (first + i) * step;
    if (range.contains(value) && (numbers.empty() || value > numbers.back()))
      numbers.push_back(value);
  }
  return numbers;
}

std::string round_number_text(const Range& range, double value) {
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  const double digits = 2 + std::ceil(std::log10(size / (range.upper - range.lower)));
  return printed_number(value, static_cast<int>(std::clamp(digits + 1, 6.0, 15.0)));
}

std::string printed_number(double value, int digits) {
  const std::string text = rounded_text(value, digits);
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

std::string name_with_unit(const Dimension& dimension) {
  return dimension.unit.empty() ? dimension.name : dimension.name + " [" + dimension.unit + "]";
}

}  // namespace icct
