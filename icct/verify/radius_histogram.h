#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace icct {

// How many of many robustness radii are how large.
struct RadiusHistogram {
  double width = 0;                 // of a bin; the first begins at 0
  std::vector<std::size_t> counts;  // per bin; the last one includes its upper end
  std::size_t unlimited = 0;        // radii that are infinite, in no bin

  bool operator==(const RadiusHistogram&) const = default;
};

// `bins` equal bins from 0 to the largest finite radius; a single one of width 0 if that is 0, or
// too small to be divided. `radii` are not negative and not NaN; `bins` > 0.
RadiusHistogram radius_histogram(std::span<const double> radii, std::size_t bins);

// A line per bin with a bar of up to 40 signs.
std::string histogram_text(const RadiusHistogram& histogram);

// A picture of its own (SVG). `title` stands above, `axis` below: what a radius of 1 means.
std::string histogram_svg(const RadiusHistogram& histogram, const std::string& title,
                          const std::string& axis);

}  // namespace icct
