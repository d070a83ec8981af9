#include "icct/run/curve_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr double kStageFont = 10;
constexpr double kStageLineHeight = 12;
constexpr std::size_t kStageLines = 2;

struct StageStart {
  double steps;
  std::string name;
};

std::vector<StageStart> stage_starts(const Progress& progress) {
  std::vector<StageStart> starts;
  for (const ProgressRow& row : progress.rows) {
    const auto steps = static_cast<double>(row.steps);
    if (starts.empty()) {
      starts.push_back({0, row.stage});
    } else if (starts.back().name != row.stage) {
      starts.push_back({steps, row.stage});
    }
  }
  return starts;
}

}  // namespace

double x_of(const Plot& plot, double steps) {
  const double share = (steps - plot.steps.lower) / (plot.steps.upper - plot.steps.lower);
  return plot.left + share * (plot.right - plot.left);
}

double y_of(const Plot& plot, double value) {
  const double share = (value - plot.returns.lower) / (plot.returns.upper - plot.returns.lower);
  return plot.bottom - std::clamp(share, -20.0, 20.0) * (plot.bottom - plot.top);
}

std::string horizontal_line(double y, double from, double to, std::string_view style) {
  return "<path d=\"M" + svg_number(from) + " " + svg_number(y) + "H" + svg_number(to) + "\" " +
         std::string(style) + "/>\n";
}

std::string vertical_line(double x, double from, double to, std::string_view style) {
  return "<path d=\"M" + svg_number(x) + " " + svg_number(from) + "V" + svg_number(to) + "\" " +
         std::string(style) + "/>\n";
}

std::string axes(const Plot& plot, std::string_view y_name) {
  constexpr std::string_view kGrid = R"(stroke="#e6e6e6")";
  constexpr std::string_view kAxis = R"(stroke="#222222")";
  constexpr double kTick = 4;
  std::string text;
  for (const double value : round_numbers(plot.returns.lower, plot.returns.upper, 8)) {
    const double y = y_of(plot, value);
    text += horizontal_line(y, plot.left, plot.right, kGrid);
    text += horizontal_line(y, plot.left - kTick, plot.left, kAxis);
    text += svg_text(plot.left - 8, y + 4, R"(text-anchor="end")", printed_number(value, 10));
  }
  for (const double value : round_numbers(plot.steps.lower, plot.steps.upper, 8)) {
    const double x = x_of(plot, value);
    text += vertical_line(x, plot.bottom, plot.bottom + kTick, kAxis);
    text += svg_text(x, plot.bottom + 18, R"(text-anchor="middle")", steps_text(value));
  }
  text += horizontal_line(plot.bottom, plot.left, plot.right, kAxis);
  text += vertical_line(plot.left, plot.top, plot.bottom, kAxis);
  text += svg_text(0.5 * (plot.left + plot.right), plot.bottom + 40, R"(text-anchor="middle")",
                   "environment steps");
  const double middle = 0.5 * (plot.top + plot.bottom);
  const std::string upright = "transform=\"rotate(-90 18 " + svg_number(middle) + ")\"";
  return text + svg_text(18, middle, "text-anchor=\"middle\" " + upright, y_name);
}

double stage_label_height(const Progress& progress) {
  return stage_starts(progress).size() > 1 ? kStageLines * kStageLineHeight + 2 : 0;
}

std::string stages(const Plot& plot, const Progress& progress) {
  constexpr double kClosest = 4;  // lines nearer to each other than this would be a grey area
  const std::string style = "fill=\"" + std::string(kFaintInk) + "\" font-size=\"10\"";
  const std::vector<StageStart> starts = stage_starts(progress);
  if (starts.size() < 2) return "";

  std::string text;
  double last_line = plot.left;
  std::array<double, kStageLines> free_from{};
  for (const StageStart& start : starts) {
    const double x = x_of(plot, start.steps);
    if (x - last_line >= kClosest) {
      text += vertical_line(x, plot.top - 2, plot.bottom,
                            R"(stroke="#888888" stroke-width="0.8" stroke-dasharray="1.5 3")");
      last_line = x;
    }
    const double width = svg_text_width(start.name, kStageFont);
    const double label = std::max(plot.left, std::min(x, kPictureWidth - 6 - width));
    // The lowest line with room; none: the name is left out.
    for (std::size_t i = 0; i < kStageLines; ++i) {
      if (free_from[i] > label) continue;
      text += svg_text(label, plot.top - 5 - static_cast<double>(i) * kStageLineHeight, style,
                       start.name);
      free_from[i] = label + width + 8;
      break;
    }
  }
  return text;
}

}  // namespace icct
