#include "icct/run/learning_curve.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include "icct/run/curve_frame.h"

namespace icct {
namespace {

constexpr double kFont = 12;
constexpr std::string_view kLine = R"(fill="none" stroke-linejoin="round" stroke-linecap="round")";
constexpr std::string_view kValidation = R"(stroke="#1f4e9c" stroke-width="2")";
constexpr std::string_view kBand = R"(fill="#1f4e9c" stroke="#1f4e9c" opacity="0.18")";
constexpr std::string_view kBest = R"(stroke="#d2691e" stroke-width="1.5")";
constexpr std::string_view kTraining = R"(stroke="#b4bcc8" stroke-width="1")";
constexpr std::string_view kFinal = R"(stroke="#15803d" stroke-width="1.4" stroke-dasharray="6 4")";

// Neighbouring rows without a gap between them.
using Stretch = std::vector<const ProgressRow*>;

std::vector<Stretch> stretches(const Progress& progress,
                               const std::function<bool(const ProgressRow&)>& is_shown) {
  std::vector<Stretch> result;
  bool gap = true;
  for (const ProgressRow& row : progress.rows) {
    const bool shown = is_shown(row);
    if (shown && gap) result.emplace_back();
    if (shown) result.back().push_back(&row);
    gap = !shown;
  }
  return result;
}

std::vector<Stretch> stretches(const Progress& progress, double ProgressRow::*value) {
  return stretches(progress, [&](const ProgressRow& row) { return drawable(row.*value); });
}

std::string point(const Plot& plot, const ProgressRow& row, double value) {
  return svg_number(x_of(plot, static_cast<double>(row.steps))) + " " +
         svg_number(y_of(plot, value));
}

std::string path(const std::string& moves, std::string_view style) {
  return moves.empty() ? "" : "<path d=\"" + moves + "\" " + std::string(style) + "/>\n";
}

// A stretch of a single row becomes a dot: h0 draws its round ends.
std::string curve(const Plot& plot, const Progress& progress, double ProgressRow::*value) {
  std::string moves;
  for (const Stretch& stretch : stretches(progress, value)) {
    moves += "M" + point(plot, *stretch.front(), stretch.front()->*value) + "h0";
    for (std::size_t i = 1; i < stretch.size(); ++i)
      moves += "L" + point(plot, *stretch[i], stretch[i]->*value);
  }
  return moves;
}

// What was kept stays kept until something better comes.
std::string best_curve(const Plot& plot, const Progress& progress) {
  std::string moves;
  for (const Stretch& stretch : stretches(progress, &ProgressRow::best_validation)) {
    moves += "M" + point(plot, *stretch.front(), stretch.front()->best_validation) + "h0";
    for (std::size_t i = 1; i < stretch.size(); ++i) {
      moves += "H" + svg_number(x_of(plot, static_cast<double>(stretch[i]->steps))) + "V" +
               svg_number(y_of(plot, stretch[i]->best_validation));
    }
  }
  return moves;
}

std::string error_band(const Plot& plot, const Progress& progress) {
  const auto has_band = [](const ProgressRow& row) {
    return drawable(row.validation_mean) && drawable(row.validation_error);
  };
  const auto edge = [&](const ProgressRow& row, double errors) {
    return point(plot, row, row.validation_mean + errors * row.validation_error);
  };
  std::string moves;
  for (const Stretch& stretch : stretches(progress, has_band)) {
    moves += "M" + edge(*stretch.front(), 2);
    for (const ProgressRow* row : stretch) moves += "L" + edge(*row, 2);
    for (auto row = stretch.rbegin(); row != stretch.rend(); ++row) moves += "L" + edge(**row, -2);
    moves += "Z";
  }
  return moves;
}

// Where validations are few, each is marked.
std::string marks(const Plot& plot, const Progress& progress) {
  constexpr std::size_t kFew = 40;
  if (progress.rows.size() > kFew) return "";
  std::string text;
  for (const ProgressRow& row : progress.rows) {
    if (!drawable(row.validation_mean)) continue;
    text += "<circle cx=\"" + svg_number(x_of(plot, static_cast<double>(row.steps))) + "\" cy=\"" +
            svg_number(y_of(plot, row.validation_mean)) + "\" r=\"2.5\" fill=\"#1f4e9c\"/>\n";
  }
  return text;
}

std::string curves(const Plot& plot, const Progress& progress) {
  const std::string line = std::string(kLine) + " ";
  return "<clipPath id=\"plot\"><rect x=\"" + svg_number(plot.left - 3) + "\" y=\"" +
         svg_number(plot.top) + "\" width=\"" + svg_number(plot.right - plot.left + 6) +
         "\" height=\"" + svg_number(plot.bottom - plot.top) +
         "\"/></clipPath>\n<g clip-path=\"url(#plot)\">\n" +
         path(curve(plot, progress, &ProgressRow::training_return), line + std::string(kTraining)) +
         path(error_band(plot, progress), kBand) +
         path(best_curve(plot, progress), line + std::string(kBest)) +
         path(curve(plot, progress, &ProgressRow::validation_mean),
              line + std::string(kValidation)) +
         marks(plot, progress) + "</g>\n";
}

// One line above the plot, so that it hides nothing.
std::string legend(double left, double y, const Progress& progress) {
  constexpr double kSample = 22;
  std::string text;
  double x = left;
  const auto entry = [&](std::string_view style, std::string_view name) {
    text += horizontal_line(y - 4, x, x + kSample, style) + svg_text(x + kSample + 6, y, "", name);
    x += kSample + svg_text_width(name, kFont) + 18;
  };
  text += "<rect x=\"" + svg_number(x) + "\" y=\"" + svg_number(y - 9) +
          "\" width=\"22\" height=\"10\" " + std::string(kBand) + "/>\n";
  entry(kValidation, "validation mean ± 2 standard errors");
  entry(kBest, "best kept");
  if (!stretches(progress, &ProgressRow::training_return).empty()) {
    entry(kTraining, "training episodes");
  }
  return text;
}

// Its label stands right of the plot, where no curve is.
std::string final_line(const Plot& plot, const CurveLabels& labels) {
  constexpr std::string_view kStyle = R"(fill="#15803d")";
  const double y = y_of(plot, *labels.final_return);
  return horizontal_line(y, plot.left, plot.right, kFinal) +
         svg_text(plot.right + 7, y - 3, kStyle, labels.final_label) +
         svg_text(plot.right + 7, y + 11, kStyle, printed_number(*labels.final_return, 4));
}

bool has_final(const CurveLabels& labels) {
  return labels.final_return && drawable(*labels.final_return);
}

Plot plot_for(const Progress& progress, const CurveLabels& labels) {
  const double label =
      has_final(labels) ? std::min(svg_text_width(labels.final_label, kFont), 200.0) : 0;
  return {.left = 74,
          .right = kPictureWidth - std::max(label + 12, 28.0),
          .top = 64 + stage_label_height(progress),
          .bottom = kPictureHeight - 54,
          .steps = steps_range(progress),
          .returns = return_range(progress, labels.final_return)};
}

std::string title(double left, const std::string& text) {
  constexpr double kLargest = 15;
  const double fitting = (kPictureWidth - left - 20) / std::max(svg_text_width(text, 1), 1.0);
  const std::string style =
      "font-weight=\"bold\" font-size=\"" + svg_number(std::min(kLargest, fitting)) + "\"";
  return svg_text(left, 26, style, text);
}

}  // namespace

std::string learning_curve_svg(const Progress& progress, const CurveLabels& labels) {
  const Plot plot = plot_for(progress, labels);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"760\" height=\"420\" "
      "viewBox=\"0 0 760 420\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" "
      "fill=\"" +
      std::string(kInk) + "\">\n<title>" + svg_escaped(labels.title) +
      "</title>\n<rect width=\"760\" height=\"420\" fill=\"#ffffff\"/>\n";
  svg += title(plot.left, labels.title);
  svg += legend(plot.left, 48, progress);
  svg += axes(plot, labels.y_axis);
  svg += stages(plot, progress);
  if (has_final(labels)) svg += final_line(plot, labels);
  svg += curves(plot, progress);
  if (progress.rows.empty()) {
    svg += svg_text(0.5 * kPictureWidth, 0.5 * kPictureHeight, "text-anchor=\"middle\"",
                    "no validation yet");
  }
  return svg + "</svg>\n";
}

}  // namespace icct
