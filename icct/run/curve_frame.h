#pragma once

#include <string>
#include <string_view>

#include "icct/base/svg.h"
#include "icct/run/curve_axis.h"

// What stands around the curves of a learning curve, as SVG elements. Places are in pixels.
namespace icct {

constexpr double kPictureWidth = 760;
constexpr double kPictureHeight = 420;
constexpr std::string_view kInk = "#222222";
constexpr std::string_view kFaintInk = "#666666";

// The part of the picture inside the axes, and what it shows.
struct Plot {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
  AxisRange steps;
  AxisRange returns;
};

double x_of(const Plot& plot, double steps);

// Moderate also for values far outside the plot.
double y_of(const Plot& plot, double value);

// `style`: further attributes.
std::string horizontal_line(double y, double from, double to, std::string_view style);
std::string vertical_line(double x, double from, double to, std::string_view style);

// Both axes with their numbers and names, and faint lines across the plot.
std::string axes(const Plot& plot, std::string_view y_name);

// How high the labels above the plot are: 0 for a run of one stage.
double stage_label_height(const Progress& progress);

// A dotted line where a stage begins, and its name above the plot where there is room for it.
std::string stages(const Plot& plot, const Progress& progress);

}  // namespace icct
