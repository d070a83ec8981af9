#include "icct/verify/svg_axis.h"

#include <algorithm>
#include <cmath>

namespace icct {
namespace {

constexpr double kFont = 12;
constexpr int kMostNumbers = 8;

// As many round numbers as stand beside each other with some room between them.
std::vector<double> numbers_that_fit(const SvgAxis& axis) {
  for (int count = kMostNumbers; count > 1; --count) {
    std::vector<double> numbers = round_numbers(axis.values.lower, axis.values.upper, count);
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
  return round_numbers(axis.values.lower, axis.values.upper, 1);
}

std::string name_style(const SvgAxis& axis) {
  const double fitting =
      std::abs(axis.to - axis.from) / std::max(1.0, svg_text_width(axis.name, 1));
  return "text-anchor=\"middle\" font-size=\"" + svg_number(std::min(kFont + 1, fitting)) + "\"";
}

}  // namespace

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
  for (const double value : round_numbers(axis.values.lower, axis.values.upper, kMostNumbers)) {
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

std::string round_number_text(const Range& range, double value) {
  const double size = std::max(std::abs(range.lower), std::abs(range.upper));
  const double digits = 2 + std::ceil(std::log10(size / (range.upper - range.lower)));
  return printed_number(value, static_cast<int>(std::clamp(digits + 1, 6.0, 15.0)));
}

std::string name_with_unit(const Dimension& dimension) {
  return dimension.unit.empty() ? dimension.name : dimension.name + " [" + dimension.unit + "]";
}

}  // namespace icct
