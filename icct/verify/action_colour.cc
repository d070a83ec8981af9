#include "icct/verify/action_colour.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "icct/verify/svg_axis.h"

namespace icct {
namespace {

using Colour = std::array<int, 3>;
constexpr Colour kBlue = {0x21, 0x66, 0xac};
constexpr Colour kWhite = {0xf7, 0xf7, 0xf7};
constexpr Colour kRed = {0xb2, 0x18, 0x2b};

std::string mixed(const Colour& from, const Colour& to, double share) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    const auto level = static_cast<std::size_t>(
        std::lround(from[i] + std::clamp(share, 0.0, 1.0) * (to[i] - from[i])));
    text += kDigits[level / 16];
    text += kDigits[level % 16];
  }
  return text;
}

double white_value(const Dimension& action) {
  const bool has_zero = action.lower < 0 && action.upper > 0;
  return has_zero ? 0 : action.lower / 2 + action.upper / 2;
}

double gain_of(const Controller& controller, int feature) {
  for (const Term& term : controller.terms) {
    if (term.feature == feature) return term.gain;
  }
  return 0;
}

// The straight way through a rectangle along which the output rises, from the corner where it is
// smallest.
struct Way {
  double x1, y1, x2, y2;
  double from, to;  // outputs
};

std::string stop(double share, const std::string& colour) {
  return "<stop offset=\"" + svg_number(100 * share) + "%\" stop-color=\"" + colour + "\"/>";
}

// Stops after `from` up to `to`: nowhere is the colour between them far from a mixture of both.
void add_stops(const LeafAction& leaf, const Way& way, double from, double to, int level,
               std::string& stops) {
  const Dimension& action = leaf.policy.actions[leaf.action];
  const auto value = [&](double share) {
    const double output = (1 - share) * way.from + share * way.to;
    return squash(leaf.policy.squashing, output, action);
  };
  constexpr int kFewest = 2;
  constexpr int kMost = 10;
  const bool is_far = value(to) - value(from) > (action.upper - action.lower) / 16;
  if (level < kFewest || (is_far && level < kMost)) {
    const double middle = 0.5 * (from + to);
    add_stops(leaf, way, from, middle, level + 1, stops);
    add_stops(leaf, way, middle, to, level + 1, stops);
    return;
  }
  stops += stop(to, action_colour(action, value(to)));
}

// Rises per pixel to the right and down; the way leads along them, and its end is where the line
// of equal output through the best corner crosses it.
Way way_through(const PixelBox& place, double right, double down, double from, double to) {
  const double x1 = right >= 0 ? place.left : place.right;
  const double y1 = down >= 0 ? place.top : place.bottom;
  const double size = std::hypot(right, down);
  const double length =
      (std::abs(right) * (place.right - place.left) + std::abs(down) * (place.bottom - place.top)) /
      size;
  return {x1, y1, x1 + length * (right / size), y1 + length * (down / size), from, to};
}

}  // namespace

std::string action_colour(const Dimension& action, double value) {
  const double white = white_value(action);
  return value < white ? mixed(kBlue, kWhite, (value - action.lower) / (white - action.lower))
                       : mixed(kWhite, kRed, (value - white) / (action.upper - white));
}

ActionFill action_fill(const LeafAction& action, AxisFeatures axes, const Box& part,
                       const PixelBox& place, const std::string& id) {
  const Tree& tree = tree_of(action.policy);
  const Controller& controller =
      tree.leaves[static_cast<std::size_t>(action.leaf)].controllers[action.action];
  const Dimension& dimension = action.policy.actions[action.action];
  const Range& x = part[static_cast<std::size_t>(axes.x)];
  const Range& y = part[static_cast<std::size_t>(axes.y)];
  const double rise_x = gain_of(controller, axes.x) * (x.upper - x.lower);
  const double rise_y = gain_of(controller, axes.y) * (y.upper - y.lower);

  std::vector<double> corner = centre(part);
  corner[static_cast<std::size_t>(axes.x)] = rise_x >= 0 ? x.lower : x.upper;
  corner[static_cast<std::size_t>(axes.y)] = rise_y >= 0 ? y.lower : y.upper;
  const double from = evaluate(controller, corner);
  const double to = from + std::abs(rise_x) + std::abs(rise_y);
  const double width = place.right - place.left;
  const double height = place.bottom - place.top;
  const bool is_flat =
      !std::isfinite(to) || !std::isfinite(from) || !(to > from) || !(width > 0) || !(height > 0);
  const double first = squash(action.policy.squashing, from, dimension);
  if (is_flat) return {"", action_colour(dimension, first)};

  // Pixels go down where y goes up. Shares of the whole rise stay moderate whatever the gains.
  const double rise = to - from;
  const Way way = way_through(place, rise_x / rise / width, -rise_y / rise / height, from, to);
  std::string stops = stop(0, action_colour(dimension, first));
  add_stops(action, way, 0, 1, 0, stops);
  return {"<linearGradient id=\"" + id + "\" gradientUnits=\"userSpaceOnUse\" x1=\"" +
              svg_number(way.x1) + "\" y1=\"" + svg_number(way.y1) + "\" x2=\"" +
              svg_number(way.x2) + "\" y2=\"" + svg_number(way.y2) + "\">" + stops +
              "</linearGradient>\n",
          "url(#" + id + ")"};
}

std::string action_legend(const Dimension& action, const PixelBox& place) {
  const Range values = {action.lower, action.upper};
  const SvgAxis axis{values, place.bottom, place.top, ""};
  const double white =
      (svg_place(axis, white_value(action)) - place.top) / (place.bottom - place.top);
  std::string svg = "<linearGradient id=\"values\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">" +
                    stop(0, action_colour(action, action.upper)) +
                    stop(white, action_colour(action, white_value(action))) +
                    stop(1, action_colour(action, action.lower)) + "</linearGradient>\n<rect x=\"" +
                    svg_number(place.left) + "\" y=\"" + svg_number(place.top) + "\" width=\"" +
                    svg_number(place.right - place.left) + "\" height=\"" +
                    svg_number(place.bottom - place.top) +
                    "\" fill=\"url(#values)\" stroke=\"#222222\"/>\n";
  double widest = 0;
  for (const double value : round_numbers(values.lower, values.upper, 8)) {
    const double y = svg_place(axis, value);
    const std::string text = svg_fitting(round_number_text(values, value), 80, 12);
    svg +=
        svg_line(place.right, y, place.right + 4, y) + svg_text(place.right + 8, y + 4, "", text);
    widest = std::max(widest, svg_text_width(text, 12));
  }
  const double x = place.right + 26 + widest;
  const double middle = 0.5 * (place.top + place.bottom);
  const std::string name = name_with_unit(action);
  const double fitting = (place.bottom - place.top) / std::max(1.0, svg_text_width(name, 1));
  return svg + svg_text(x, middle,
                        "text-anchor=\"middle\" font-size=\"" +
                            svg_number(std::min(13.0, fitting)) + "\" transform=\"rotate(-90 " +
                            svg_number(x) + " " + svg_number(middle) + ")\"",
                        name);
}

}  // namespace icct
