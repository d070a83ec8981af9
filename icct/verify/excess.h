#pragma once

#include <vector>

#include "icct/verify/box.h"

namespace icct {

// What a leaf does with one action.
struct Response {
  const Controller& controller;
  Squashing squashing;
};

// How far one response is above another, as doubles compute the difference of their actions.
struct Excess {
  double largest = 0;      // taken at `at`; negative if the first response is below everywhere
  double proven = 0;       // not exceeded anywhere in the box
  std::vector<double> at;  // inside the box
};

// The largest excess of `a` over `b` inside a box that is not empty and finite. Who knows already
// that `known` is reached elsewhere says so: parts of the box that cannot beat it are then not
// searched, and `proven` may be up to `known` without `largest` being near.
Excess largest_excess(const Response& a, const Response& b, const Dimension& action, const Box& box,
                      double known);

}  // namespace icct
