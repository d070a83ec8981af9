#include "icct/verify/radius_histogram.h"

#include <algorithm>
#include <cmath>

#include "icct/base/check.h"
#include "icct/base/number.h"
#include "icct/verify/svg_axis.h"

namespace icct {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 360;
constexpr double kLeft = 92;
constexpr double kRight = 730;
constexpr double kTop = 62;
constexpr double kBottom = 300;

std::size_t most(const RadiusHistogram& histogram) {
  return std::max<std::size_t>(1, std::ranges::max(histogram.counts));
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string text_line(const std::string& name, std::size_t count, std::size_t most) {
  constexpr std::size_t kBar = 40;
  const auto share = static_cast<double>(count) / static_cast<double>(std::max(count, most));
  const auto signs = static_cast<std::size_t>(std::ceil(share * kBar));
  return padded(name, 24) + "  " + padded(std::to_string(count), 7) + "  " +
         std::string(signs, '#') + "\n";
}

std::string bar(const SvgAxis& x, const SvgAxis& y, double from, double to, std::size_t count) {
  const double top = svg_place(y, static_cast<double>(count));
  return "<rect x=\"" + svg_number(svg_place(x, from)) + "\" y=\"" + svg_number(top) +
         "\" width=\"" + svg_number(svg_place(x, to) - svg_place(x, from)) + "\" height=\"" +
         svg_number(y.from - top) + "\" fill=\"#77aadd\" stroke=\"#ffffff\"><title>" +
         std::to_string(count) + "</title></rect>\n";
}

}  // namespace

RadiusHistogram radius_histogram(std::span<const double> radii, std::size_t bins) {
  ICCT_CHECK(bins > 0);
  double largest = 0;
  for (const double radius : radii) {
    if (std::isfinite(radius)) largest = std::max(largest, radius);
  }
  const double width = largest / static_cast<double>(bins);
  RadiusHistogram result{width, std::vector<std::size_t>(width > 0 ? bins : 1), 0};
  for (const double radius : radii) {
    if (!std::isfinite(radius)) {
      ++result.unlimited;
      continue;
    }
    const double bin = width > 0 ? std::floor(radius / width) : 0;
    const auto last = static_cast<double>(result.counts.size() - 1);
    ++result.counts[static_cast<std::size_t>(std::min(bin, last))];
  }
  return result;
}

std::string histogram_text(const RadiusHistogram& histogram) {
  std::string text;
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const auto from = static_cast<double>(i) * histogram.width;
    text += text_line(rounded_text(from, 4) + " to " + rounded_text(from + histogram.width, 4),
                      histogram.counts[i], most(histogram));
  }
  if (histogram.unlimited > 0) text += text_line("any size", histogram.unlimited, most(histogram));
  return text;
}

std::string histogram_svg(const RadiusHistogram& histogram, const std::string& title,
                          const std::string& axis) {
  const double width = histogram.width > 0 ? histogram.width : 1;
  const auto bins = static_cast<double>(histogram.counts.size());
  const SvgAxis x{{0, bins * width}, kLeft, kRight, axis};
  const SvgAxis y{{0, static_cast<double>(most(histogram))}, kBottom, kTop, "observations"};
  std::string svg = svg_begin(kWidth, kHeight, title);
  if (histogram.unlimited > 0) {
    svg += svg_text(20, 46, "font-size=\"11\" fill=\"#555555\"",
                    std::to_string(histogram.unlimited) +
                        " more, for which no perturbation makes a difference");
  }
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const double from = static_cast<double>(i) * width;
    svg += bar(x, y, from, from + width, histogram.counts[i]);
  }
  return svg + svg_bottom_axis(x, kBottom) + svg_left_axis(y, kLeft) + "</svg>\n";
}

}  // namespace icct
