#include "icct/verify/slice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "icct/base/error.h"
#include "icct/verify/action_colour.h"
#include "icct/verify/svg_axis.h"

namespace icct {
namespace {

constexpr double kWidth = 760;
constexpr double kLeft = 92;
constexpr double kRight = 560;
constexpr double kPlotHeight = 400;
constexpr double kLineHeight = 15;
constexpr double kSmallFont = 11;

void check_axis(const Policy& policy, int observation, const Range& range) {
  if (observation < 0 || static_cast<std::size_t>(observation) >= policy.observations.size())
    throw Error("observation " + std::to_string(observation) + " of the slice does not exist");
  if (!(range.lower < range.upper) || !std::isfinite(range.upper - range.lower)) {
    throw Error("the slice needs a range of '" +
                policy.observations[static_cast<std::size_t>(observation)].name +
                "' with ends that differ and are not astronomically far apart");
  }
}

void check_slice(const Policy& policy, const Slice& slice) {
  check_axis(policy, slice.x, slice.x_range);
  check_axis(policy, slice.y, slice.y_range);
  if (slice.x == slice.y) throw Error("the slice needs two different observations on its axes");
  if (slice.at.size() != policy.observations.size())
    throw Error("the slice needs one number per observation");
  if (slice.action && *slice.action >= policy.actions.size())
    throw Error("action " + std::to_string(*slice.action) + " of the slice does not exist");
  for (std::size_t i = 0; i < slice.at.size(); ++i) {
    const bool on_axis = static_cast<int>(i) == slice.x || static_cast<int>(i) == slice.y;
    if (!on_axis && !std::isfinite(slice.at[i]))
      throw Error("observation '" + policy.observations[i].name + "' of the slice is not finite");
  }
}

Box slice_box(const Slice& slice) {
  Box box;
  for (const double value : slice.at) box.push_back({value, value});
  box[static_cast<std::size_t>(slice.x)] = slice.x_range;
  box[static_cast<std::size_t>(slice.y)] = slice.y_range;
  return box;
}

// "angle = 0.1 rad" for every observation that the tree uses and no axis shows, in lines that fit.
std::vector<std::string> fixed_values(const Policy& policy, const Slice& slice) {
  std::vector<std::string> lines;
  for (const int feature : features_used(tree_of(policy))) {
    if (feature == slice.x || feature == slice.y) continue;
    const Dimension& observation = policy.observations[static_cast<std::size_t>(feature)];
    std::string text = observation.name + " = " +
                       printed_number(slice.at[static_cast<std::size_t>(feature)], 6) +
                       (observation.unit.empty() ? "" : " " + observation.unit);
    if (!lines.empty() && svg_text_width(lines.back() + ", " + text, kSmallFont) < kWidth - 40) {
      lines.back() += ", " + text;
    } else {
      if (!lines.empty()) lines.back() += ",";
      lines.push_back((lines.empty() ? "at " : "") + text);
    }
  }
  return lines;
}

// Light, so that black letters are readable, and told apart by colour-blind people too (Paul Tol's
// light scheme); the second round is paler.
std::string leaf_colour(int leaf) {
  constexpr std::array<std::string_view, 18> kColours = {
      "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99",
      "#bbcc33", "#aaaa00", "#dddddd", "#c9ddf1", "#f8cfc2", "#f8f1cf",
      "#ffdde4", "#d6f1ff", "#b4e4d6", "#e4ebad", "#dddd99", "#f1f1f1"};
  return std::string(kColours[static_cast<std::size_t>(leaf) % kColours.size()]);
}

struct Axes {
  SvgAxis x, y;
};

// The rectangle of a leaf's part of the slice, in pixels.
PixelBox rectangle_of(const Axes& axes, const Slice& slice, const Box& part) {
  const Range& x = part[static_cast<std::size_t>(slice.x)];
  const Range& y = part[static_cast<std::size_t>(slice.y)];
  return {svg_place(axes.x, x.lower), svg_place(axes.y, y.upper), svg_place(axes.x, x.upper),
          svg_place(axes.y, y.lower)};
}

std::string rectangle(const PixelBox& place, const std::string& fill, const std::string& hint) {
  return "<rect x=\"" + svg_number(place.left) + "\" y=\"" + svg_number(place.top) + "\" width=\"" +
         svg_number(place.right - place.left) + "\" height=\"" +
         svg_number(place.bottom - place.top) + "\" fill=\"" + fill +
         "\" stroke=\"#555555\" stroke-width=\"0.5\">" + "<title>" + svg_escaped(hint) +
         "</title></rect>\n";
}

// White edges keep the letters readable on any colour.
std::string label(const PixelBox& place, const std::string& name) {
  const bool fits = place.right - place.left >= svg_text_width(name, kSmallFont) + 6 &&
                    place.bottom - place.top >= 17;
  if (!fits) return "";
  return svg_text(0.5 * (place.left + place.right), 0.5 * (place.top + place.bottom) + 4,
                  "text-anchor=\"middle\" font-size=\"11\" stroke=\"#ffffff\" stroke-width=\"3\" "
                  "stroke-opacity=\"0.8\" stroke-linejoin=\"round\" paint-order=\"stroke\"",
                  name);
}

struct Regions {
  std::string shapes, labels;
  std::vector<int> leaves;  // shown, in the order of the tree
};

Regions regions(const Policy& policy, const Slice& slice, const Axes& axes) {
  const Tree& tree = tree_of(policy);
  Regions result;
  Box box = slice_box(slice);
  for_each_leaf(tree, box, [&](int leaf, const Box& part) {
    const PixelBox place = rectangle_of(axes, slice, part);
    const std::string name = name_of(tree, {leaf, true});
    std::string fill = leaf_colour(leaf);
    if (slice.action) {
      const LeafAction action{policy, leaf, *slice.action};
      const std::string id = "leaf" + std::to_string(leaf);
      const ActionFill filled = action_fill(action, {slice.x, slice.y}, part, place, id);
      result.shapes += filled.definition;
      fill = filled.fill;
    }
    result.shapes += rectangle(place, fill, name);
    result.labels += label(place, name);
    result.leaves.push_back(leaf);
  });
  return result;
}

std::string leaf_legend(const Tree& tree, const std::vector<int>& leaves, double top) {
  constexpr double kStep = 19;
  constexpr auto kMost = static_cast<std::size_t>(kPlotHeight / kStep);
  constexpr double kLegend = kRight + 24;
  std::string svg;
  double y = top;
  for (std::size_t i = 0; i < leaves.size(); ++i, y += kStep) {
    if (i + 1 == kMost && leaves.size() > kMost) {
      return svg + svg_text(kLegend, y + 11, "font-size=\"11\"",
                            "and " + std::to_string(leaves.size() - i) + " more");
    }
    svg += rectangle({kLegend, y, kLegend + 18, y + 13}, leaf_colour(leaves[i]), "");
    svg +=
        svg_text(kLegend + 25, y + 11, "font-size=\"11\"",
                 svg_fitting(name_of(tree, {leaves[i], true}), kWidth - kLegend - 31, kSmallFont));
  }
  return svg;
}

std::string title_of(const Policy& policy, const Slice& slice) {
  const std::string what = slice.action ? name_with_unit(policy.actions[*slice.action]) : "leaves";
  return policy.name.empty() ? what : policy.name + ": " + what;
}

}  // namespace

std::string slice_svg(const Policy& policy, const Slice& slice) {
  check_slice(policy, slice);
  const std::vector<std::string> lines = fixed_values(policy, slice);
  const double top = 44 + kLineHeight * static_cast<double>(lines.size());
  const double bottom = top + kPlotHeight;
  const auto named = [&](int i) {
    return name_with_unit(policy.observations[static_cast<std::size_t>(i)]);
  };
  const Axes axes{{slice.x_range, kLeft, kRight, named(slice.x)},
                  {slice.y_range, bottom, top, named(slice.y)}};

  std::string svg = svg_begin(kWidth, bottom + 56, title_of(policy, slice));
  double y = 45;
  for (const std::string& line : lines) {
    svg += svg_text(20, y, "font-size=\"11\" fill=\"#555555\"",
                    svg_fitting(line, kWidth - 40, kSmallFont));
    y += kLineHeight;
  }
  const Regions shown = regions(policy, slice, axes);
  svg +=
      shown.shapes + shown.labels + svg_bottom_axis(axes.x, bottom) + svg_left_axis(axes.y, kLeft);
  svg += slice.action
             ? action_legend(policy.actions[*slice.action], {kRight + 30, top, kRight + 50, bottom})
             : leaf_legend(tree_of(policy), shown.leaves, top);
  return svg + "</svg>\n";
}

}  // namespace icct
