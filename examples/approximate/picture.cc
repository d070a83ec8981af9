#include "examples/approximate/picture.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "icct/base/number.h"

namespace icct {
namespace {

constexpr const char* kStaticColour = "#d55e00";  // both also differ for colour-blind eyes
constexpr const char* kLinearColour = "#0072b2";
constexpr const char* kFunctionColour = "#bbbbbb";
constexpr int kLeavesShown = 8;

struct Place {
  double x, y;  // pixels, y downwards
};

std::string pixels(double value) {
  return rounded_text(value, 5);
}

std::string text(Place at, const std::string& anchor, const std::string& content,
                 const std::string& more = "") {
  return "<text x=\"" + pixels(at.x) + "\" y=\"" + pixels(at.y) + "\" text-anchor=\"" + anchor +
         "\"" + (more.empty() ? "" : " " + more) + ">" + content + "</text>\n";
}

std::string polyline(const std::vector<Place>& places, const std::string& style) {
  std::string points;
  for (const Place& p : places)
    points += (points.empty() ? "" : " ") + pixels(p.x) + "," + pixels(p.y);
  return "<polyline points=\"" + points + "\" fill=\"none\" " + style + "/>\n";
}

std::string stroke(const std::string& colour, double width, const std::string& more = "") {
  return "stroke=\"" + colour + "\" stroke-width=\"" + pixels(width) + "\"" +
         (more.empty() ? "" : " " + more);
}

// A rectangle of the picture with a linear scale on both axes.
struct Panel {
  Place corner;  // upper left
  double width, height;
  double x_from, x_to, y_from, y_to;

  Place at(double x, double y) const {
    return {corner.x + (x - x_from) / (x_to - x_from) * width,
            corner.y + (y_to - y) / (y_to - y_from) * height};
  }
};

std::string vertical_rule(const Panel& panel, double x, const std::string& label) {
  const Place foot = panel.at(x, panel.y_from);
  return polyline({foot, panel.at(x, panel.y_to)}, stroke("#e6e6e6", 1)) +
         text({foot.x, foot.y + 18}, "middle", label);
}

std::string horizontal_rule(const Panel& panel, double y, const std::string& label) {
  const Place left = panel.at(panel.x_from, y);
  return polyline({left, panel.at(panel.x_to, y)}, stroke("#e6e6e6", 1)) +
         text({left.x - 8, left.y + 4}, "end", label);
}

// Title and axis names. The frame hides the ends of the rules, so it comes after them.
std::string frame(const Panel& panel, const std::string& title, const std::string& x_name,
                  const std::string& y_name) {
  const double middle = panel.corner.x + panel.width / 2;
  const Place side = {panel.corner.x - 50, panel.corner.y + panel.height / 2};
  return "<rect x=\"" + pixels(panel.corner.x) + "\" y=\"" + pixels(panel.corner.y) +
         "\" width=\"" + pixels(panel.width) + "\" height=\"" + pixels(panel.height) +
         "\" fill=\"none\" stroke=\"#888888\"/>\n" +
         text({middle, panel.corner.y - 16}, "middle", title, "font-weight=\"bold\"") +
         text({middle, panel.corner.y + panel.height + 40}, "middle", x_name) +
         text(side, "middle", y_name,
              "transform=\"rotate(-90 " + pixels(side.x) + " " + pixels(side.y) + ")\"");
}

// One line per leaf: between its edges a controller of one input is straight.
std::string draw_leaves(const Panel& panel, const Tree& tree, const std::string& style) {
  constexpr int kSteps = 2000;
  std::string lines;
  double start = 0;
  for (int i = 1; i <= kSteps; ++i) {
    const double previous = static_cast<double>(i - 1) / kSteps;
    const double x = static_cast<double>(i) / kSteps;
    const int leaf = find_leaf(tree, std::span(&previous, 1));
    const bool ends = i == kSteps || find_leaf(tree, std::span(&x, 1)) != leaf;
    if (!ends) continue;
    const Controller& controller = tree.leaves[static_cast<std::size_t>(leaf)].controllers[0];
    lines += polyline({panel.at(start, evaluate(controller, std::span(&start, 1))),
                       panel.at(x, evaluate(controller, std::span(&x, 1)))},
                      style);
    start = x;
  }
  return lines;
}

std::string legend_line(Place at, const std::string& style, const std::string& label) {
  return polyline({{at.x, at.y}, {at.x + 28, at.y}}, style) +
         text({at.x + 36, at.y + 4}, "start", label);
}

std::string draw_function(const Target& target) {
  const Panel panel{{70, 50}, 400, 320, 0, 1, -1.6, 2.2};
  std::string svg;
  for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0})
    svg += vertical_rule(panel, x, rounded_text(x, 3));
  for (const double y : {0.0, 1.0, 2.0}) svg += horizontal_rule(panel, y, rounded_text(y, 3));
  const std::string leaves = std::to_string(kLeavesShown) + " leaves";
  svg += frame(panel, "A function and its trees of " + leaves, "x", "value");

  std::vector<Place> curve;
  for (int i = 0; i <= 200; ++i) {
    const double x = i / 200.0;
    curve.push_back(panel.at(x, target.value(std::span(&x, 1))));
  }
  const std::string function = stroke(kFunctionColour, 7, "stroke-linejoin=\"round\"");
  svg += polyline(curve, function);
  const std::vector<int> sizes = {kLeavesShown};
  svg +=
      draw_leaves(panel, fit_trees(target, LeafKind::Static, sizes)[0], stroke(kStaticColour, 2.5));
  svg += draw_leaves(panel, fit_trees(target, LeafKind::Complete, sizes)[0],
                     stroke(kLinearColour, 2.5));

  const Place first = panel.at(0.03, -0.75);
  svg += legend_line(first, function, target.formula);
  svg += legend_line({first.x, first.y + 22}, stroke(kStaticColour, 2.5), "static leaves");
  svg += legend_line({first.x, first.y + 44}, stroke(kLinearColour, 2.5), "linear leaves");
  return svg;
}

std::string power_of_ten(int exponent) {
  return "10<tspan dy=\"-5\" font-size=\"9\">" +
         (exponent < 0 ? "\xE2\x88\x92" + std::to_string(-exponent) : std::to_string(exponent)) +
         "</tspan>";
}

// With a true minus sign, and as many decimals for all.
std::string slope_text(double slope) {
  const long hundredths = std::lround(-100 * slope);
  const std::string decimals = std::to_string(100 + hundredths % 100).substr(1);
  return "\xE2\x88\x92" + std::to_string(hundredths / 100) + "." + decimals;
}

std::string colour_of(const Curve& curve) {
  return curve.leaf == LeafKind::Static ? kStaticColour : kLinearColour;
}

std::string draw_curve(const Panel& panel, const Curve& curve) {
  const std::string colour = colour_of(curve);
  const auto at = [&](std::size_t i) {
    return panel.at(std::log2(curve.leaves[i]), std::log10(curve.errors[i]));
  };
  std::vector<Place> places;
  std::string marks;
  for (std::size_t i = 0; i < curve.leaves.size(); ++i) {
    places.push_back(at(i));
    // Filled for one input, hollow for two.
    marks += "<circle cx=\"" + pixels(at(i).x) + "\" cy=\"" + pixels(at(i).y) +
             "\" r=\"3.5\" fill=\"" + (curve.inputs == 1 ? colour : "white") + "\" " +
             stroke(colour, 1.5) + "/>\n";
  }
  // The predicted line runs back from the last point to the left or upper edge of the panel.
  const double last_x = std::log2(curve.leaves.back());
  const double last_y = std::log10(curve.errors.back());
  const double slope = predicted_slope(curve.leaf, curve.inputs) * std::log10(2.0);
  const double first_x = std::max(panel.x_from, last_x + (panel.y_to - last_y) / slope);
  const double first_y = last_y + slope * (first_x - last_x);
  return polyline({panel.at(first_x, first_y), panel.at(last_x, last_y)},
                  stroke(colour, 1.5, "stroke-dasharray=\"1.5 4\"")) +
         polyline(places, stroke(colour, 2)) + marks;
}

// Names at the right ends of the curves, moved apart where they would overlap.
std::string draw_names(const Panel& panel, std::span<const Curve> curves) {
  constexpr double kDistance = 38;
  std::vector<std::pair<double, const Curve*>> names;
  for (const Curve& curve : curves)
    names.emplace_back(panel.at(0, std::log10(curve.errors.back())).y, &curve);
  std::sort(names.begin(), names.end());
  for (std::size_t i = 1; i < names.size(); ++i)
    names[i].first = std::max(names[i].first, names[i - 1].first + kDistance);
  std::string svg;
  for (const auto& [y, curve] : names) {
    const std::string what = curve->leaf == LeafKind::Static ? "static" : "linear";
    const double x = panel.corner.x + panel.width + 12;
    const std::string fill = "fill=\"" + colour_of(*curve) + "\"";
    svg += text({x, y - 2}, "start",
                what + (curve->inputs == 1 ? ", 1 input (filled)" : ", 2 inputs (hollow)"), fill);
    svg += text({x, y + 14}, "start",
                "slope " + slope_text(observed_slope(*curve, kSlopeFrom)) + ", theory " +
                    slope_text(predicted_slope(curve->leaf, curve->inputs)),
                fill + " font-size=\"11\"");
  }
  return svg;
}

std::string draw_errors(std::span<const Curve> curves) {
  double least = 1;
  int most_leaves = 1;
  for (const Curve& curve : curves) {
    least = std::min(least, curve.errors.back());
    most_leaves = std::max(most_leaves, curve.leaves.back());
  }
  const int lowest = static_cast<int>(std::floor(std::log10(least)));
  const double doublings = std::log2(most_leaves);
  const Panel panel{{570, 50}, 310, 320, -0.4, doublings + 0.4, static_cast<double>(lowest), 0.3};
  std::string svg;
  for (int k = 0; k <= doublings; k += 2) svg += vertical_rule(panel, k, std::to_string(1 << k));
  for (int exponent = lowest; exponent <= 0; ++exponent)
    svg += horizontal_rule(panel, exponent, power_of_ten(exponent));
  svg += frame(panel, "The largest error falls as the theory says", "leaves (dotted: theory)",
               "largest error");
  for (const Curve& curve : curves) svg += draw_curve(panel, curve);
  return svg + draw_names(panel, curves);
}

}  // namespace

std::string draw_picture(const Target& target, std::span<const Curve> curves) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1080\" height=\"430\" "
         "viewBox=\"0 0 1080 430\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" "
         "fill=\"#333333\">\n<rect width=\"1080\" height=\"430\" fill=\"white\"/>\n" +
         draw_function(target) + draw_errors(curves) + "</svg>\n";
}

}  // namespace icct
