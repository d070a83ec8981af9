#include "examples/approximate/approximate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "icct/base/check.h"

namespace icct {
namespace {

constexpr double kPi = std::numbers::pi;

// Places where a region may be cut, as fractions of its side.
constexpr double kCuts[] = {0.3, 0.4, 0.5, 0.6, 0.7};

// An axis-aligned box of the input space.
struct Region {
  std::vector<double> lower, upper;

  double middle(std::size_t axis) const { return 0.5 * (lower[axis] + upper[axis]); }
  double half_side(std::size_t axis) const { return 0.5 * (upper[axis] - lower[axis]); }
};

// A region and what the tree says there.
struct Cell {
  Region region = {};
  Controller controller = {};
  double error = 0;  // at the points of the fit
  int axis = -1;     // of its cut; none yet: the cell is a leaf
  double cut = 0;
  int above = -1, below = -1;  // the cells on either side of the cut
};

// A place in a region where the fit looks: u = cos(pi k / intervals) per axis, Chebyshev's points.
struct Point {
  std::vector<double> u;  // -1 at the lower end of an axis, 1 at the upper
  double weight;          // halved at every end, which makes 1, u[0], u[1], ... orthogonal
};

struct Task {
  const Target& target;
  LeafKind leaf;
  std::vector<Point> points;
};

std::vector<Point> chebyshev_points(int inputs) {
  const int intervals = inputs == 1 ? 32 : 8;
  std::vector<Point> points = {{{}, 1.0}};
  for (int axis = 0; axis < inputs; ++axis) {
    std::vector<Point> product;
    for (const Point& point : points) {
      for (int k = 0; k <= intervals; ++k) {
        product.push_back(point);
        product.back().u.push_back(std::cos(kPi * k / intervals));
        if (k == 0 || k == intervals) product.back().weight *= 0.5;
      }
    }
    points = product;
  }
  return points;
}

std::vector<double> sample(const Task& task, const Region& region) {
  std::vector<double> values;
  std::vector<double> x(region.lower.size());
  for (const Point& point : task.points) {
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = region.middle(i) + region.half_side(i) * point.u[i];
    values.push_back(task.target.value(x));
  }
  return values;
}

// The coefficient of u[axis] by least squares. At Chebyshev's points this cuts the series of his
// polynomials off after the linear term, which nearly minimises the largest error too.
double linear_coefficient(const Task& task, const std::vector<double>& values, std::size_t axis) {
  double product = 0;
  double square = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Point& point = task.points[i];
    product += point.weight * point.u[axis] * values[i];
    square += point.weight * point.u[axis] * point.u[axis];
  }
  return product / square;
}

Cell fit_cell(const Task& task, const Region& region) {
  std::vector<double> values = sample(task, region);
  Cell cell{.region = region};
  Controller& controller = cell.controller;
  for (std::size_t i = 0; task.leaf == LeafKind::Complete && i < region.lower.size(); ++i) {
    const double coefficient = linear_coefficient(task, values, i);
    for (std::size_t p = 0; p < values.size(); ++p) values[p] -= coefficient * task.points[p].u[i];
    const double gain = coefficient / region.half_side(i);
    controller.terms.push_back({.feature = static_cast<int>(i), .gain = gain});
    controller.bias -= gain * region.middle(i);
  }
  // What remains is centred: half its range is the least error that a constant can leave.
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  controller.bias += 0.5 * (*least + *most);
  cell.error = 0.5 * (*most - *least);
  return cell;
}

struct Cut {
  int axis;
  double place;
  Cell above, below;

  // Both sides count. The worse one alone would not do: where a single cut cannot help it, as along
  // a whole period, it would be cut along the other axis for ever.
  double cost() const { return above.error * above.error + below.error * below.error; }
};

Cut best_cut(const Task& task, const Region& region) {
  std::vector<Cut> cuts;
  for (int axis = 0; axis < task.target.inputs; ++axis) {
    const std::size_t i = static_cast<std::size_t>(axis);
    for (const double fraction : kCuts) {
      const double place = region.lower[i] + fraction * (region.upper[i] - region.lower[i]);
      Region above = region;
      Region below = region;
      above.lower[i] = below.upper[i] = place;
      cuts.push_back({axis, place, fit_cell(task, above), fit_cell(task, below)});
    }
  }
  return *std::min_element(cuts.begin(), cuts.end(),
                           [](const Cut& a, const Cut& b) { return a.cost() < b.cost(); });
}

// Splits the leaf of largest error.
void grow(const Task& task, std::vector<Cell>& cells) {
  const auto leaf_error = [](const Cell& cell) { return cell.axis < 0 ? cell.error : -1; };
  Cell& worst = *std::max_element(
      cells.begin(), cells.end(),
      [&leaf_error](const Cell& a, const Cell& b) { return leaf_error(a) < leaf_error(b); });
  const Cut cut = best_cut(task, worst.region);
  worst.axis = cut.axis;
  worst.cut = cut.place;
  worst.above = static_cast<int>(cells.size());
  worst.below = worst.above + 1;
  cells.insert(cells.end(), {cut.above, cut.below});
}

Tree make_tree(const std::vector<Cell>& cells, int index) {
  const Cell& cell = cells[static_cast<std::size_t>(index)];
  if (cell.axis < 0) return make_leaf({cell.controller});
  return make_split(cell.axis, cell.cut, make_tree(cells, cell.above),
                    make_tree(cells, cell.below));
}

}  // namespace

Target wave() {
  return {"x + sin(3 pi x)", 1,
          [](std::span<const double> x) { return x[0] + std::sin(3 * kPi * x[0]); }};
}

Target surface() {
  return {"sin(2 x) cos(3 y)", 2,
          [](std::span<const double> x) { return std::sin(2 * x[0]) * std::cos(3 * x[1]); }};
}

std::vector<Tree> fit_trees(const Target& target, LeafKind leaf, std::span<const int> sizes) {
  ICCT_CHECK(leaf != LeafKind::Sparse);
  const std::size_t d = static_cast<std::size_t>(target.inputs);
  const Task task{target, leaf, chebyshev_points(target.inputs)};
  const Region cube{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)};
  std::vector<Cell> cells = {fit_cell(task, cube)};
  int leaves = 1;
  std::vector<Tree> trees;
  for (const int size : sizes) {
    ICCT_CHECK(size >= leaves);
    for (; leaves < size; ++leaves) grow(task, cells);
    trees.push_back(make_tree(cells, 0));
  }
  return trees;
}

double sup_error(const Tree& tree, const Target& target, int points) {
  ICCT_CHECK(points >= 2);
  const std::size_t d = static_cast<std::size_t>(target.inputs);
  std::vector<int> k(d, 0);
  std::vector<double> x(d, 0.0);
  double largest = 0;
  for (std::size_t axis = 0; axis < d;) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(find_leaf(tree, x))];
    largest = std::max(largest, std::abs(evaluate(leaf.controllers[0], x) - target.value(x)));
    for (axis = 0; axis < d; ++axis) {
      k[axis] = k[axis] + 1 < points ? k[axis] + 1 : 0;
      x[axis] = static_cast<double>(k[axis]) / (points - 1);
      if (k[axis] > 0) break;
    }
  }
  return largest;
}

std::vector<int> doubling_sizes(int most) {
  std::vector<int> sizes;
  for (int size = 1; size <= most; size *= 2) sizes.push_back(size);
  return sizes;
}

Curve measure_curve(const Target& target, LeafKind leaf, int most_leaves) {
  // Enough to find the edges of a thousand leaves: 20 points per leaf, or 15 per leaf and axis.
  const int points = target.inputs == 1 ? 20011 : 487;
  Curve curve{
      .leaf = leaf, .inputs = target.inputs, .leaves = doubling_sizes(most_leaves), .errors = {}};
  for (const Tree& tree : fit_trees(target, leaf, curve.leaves))
    curve.errors.push_back(sup_error(tree, target, points));
  return curve;
}

double predicted_slope(LeafKind leaf, int inputs) {
  return (leaf == LeafKind::Static ? -1.0 : -2.0) / inputs;
}

double observed_slope(const Curve& curve, int from_leaves) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < curve.leaves.size(); ++i) {
    if (curve.leaves[i] < from_leaves) continue;
    const double log_leaves = std::log(curve.leaves[i]);
    const double log_error = std::log(curve.errors[i]);
    n += 1;
    x += log_leaves;
    y += log_error;
    xx += log_leaves * log_leaves;
    xy += log_leaves * log_error;
  }
  ICCT_CHECK(n >= 2);
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace icct
