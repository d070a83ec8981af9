#include "icct/verify/excess.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "icct/verify/excess_bound.h"
#include "icct/verify/range.h"

// Why one path through the box is enough. The excess s(u) - s(v) does not decrease in the output u
// of `a` and does not increase in the output v of `b`. So
// - an observation that moves u up and v down, or only one of them, belongs to its better end: this
//   holds to the last bit, because evaluate() is monotone in each observation;
// - the others move u and v together. All (u, v) of the box form a polygon, and the best points lie
//   on its lower right border. That leads from the point with the smallest u and v to the one with
//   the largest by moving one observation after the other from end to end, in ascending order of
//   (gain in b) / (gain in a). With at most one such observation there is nothing to order and the
//   path is best to the last bit; with more, rounding lets other points be better by a little, for
//   which the bounds leave room (excess_bound.h).
// On each edge of the path, pieces are halved where their bound is largest.
namespace icct {
namespace {

constexpr int kMostPieces = 10'000;
constexpr double kTolerance = 1e-9;  // of the action's span

// x[feature] moves from one end to the other, which raises u and v; the others stay.
struct Edge {
  std::vector<double> x;
  std::size_t feature;
  double from, to;
  double rise_a, rise_b;  // |gain|
};

struct Gains {
  double a = 0, b = 0;
  bool together() const { return (a > 0 && b > 0) || (a < 0 && b < 0); }
};

std::vector<Gains> gains_of(const Controller& a, const Controller& b, std::size_t observations) {
  std::vector<Gains> gains(observations);
  for (const Term& term : a.terms) gains[static_cast<std::size_t>(term.feature)].a = term.gain;
  for (const Term& term : b.terms) gains[static_cast<std::size_t>(term.feature)].b = term.gain;
  return gains;
}

// The order of b / a up to one rounding, whatever the size of the numbers.
std::pair<int, double> slope(const Gains& gains) {
  int exponent_a = 0;
  int exponent_b = 0;
  const double a = std::frexp(std::abs(gains.a), &exponent_a);
  const double b = std::frexp(std::abs(gains.b), &exponent_b);
  return b < a ? std::pair(exponent_b - exponent_a - 1, 2 * (b / a))
               : std::pair(exponent_b - exponent_a, b / a);
}

// The beginning of the path: smallest u and v as far as they move together, otherwise the best end.
std::vector<double> path_start(const std::vector<Gains>& gains, const Box& box) {
  std::vector<double> x = centre(box);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto [a, b] = gains[i];
    if (a == 0 && b == 0) continue;
    const bool rises = a != 0 ? a > 0 : b < 0;
    x[i] = rises != gains[i].together() ? box[i].upper : box[i].lower;
  }
  return x;
}

std::vector<Edge> path_edges(const std::vector<Gains>& gains, const Box& box,
                             std::vector<double> x) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    if (gains[i].together() && box[i].lower < box[i].upper) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return slope(gains[i]); });
  std::vector<Edge> edges;
  for (const std::size_t i : order) {
    const double to = gains[i].a > 0 ? box[i].upper : box[i].lower;
    edges.push_back({x, i, x[i], to, std::abs(gains[i].a), std::abs(gains[i].b)});
    x[i] = to;
  }
  return edges;
}

struct Piece {
  std::size_t edge;
  PathPoint from, to;
  int level;
  PieceBound bound;

  bool operator<(const Piece& other) const { return bound.value < other.bound.value; }
};

// Doubles as integers of the same order.
std::int64_t ordered(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

double from_ordered(std::int64_t order) {
  return std::bit_cast<double>(order < 0 ? std::numeric_limits<std::int64_t>::min() - order
                                         : order);
}

// A double between the two; one of them if they are neighbours. In turn halves the distance, good
// for ordinary ranges, and the number of doubles, good for astronomical ones.
double between(double from, double to, int level) {
  const double middle = std::midpoint(from, to);
  if (level % 2 == 0 && middle != from && middle != to) return middle;
  return from_ordered(std::midpoint(ordered(from), ordered(to)));
}

class Search {
 public:
  Search(const ExcessBounds& bounds, std::vector<Edge> edges, std::vector<double> start,
         double known)
      : bounds_(bounds), edges_(std::move(edges)), known_(known) {
    result_.largest = bounds_.point(start, 0).excess;
    result_.proven = result_.largest;
    result_.at = std::move(start);
    for (std::size_t i = 0; i < edges_.size(); ++i)
      push(i, point(i, edges_[i].from), point(i, edges_[i].to), 0);
  }

  Excess run(double tolerance) {
    for (int pieces = 0; !open_.empty(); ++pieces) {
      const Piece piece = open_.top();
      const double reached = std::max(known_, result_.largest);
      if (piece.bound.value <= reached + tolerance || pieces == kMostPieces) {
        close(piece);
        break;
      }
      open_.pop();
      const double at = between(piece.from.at, piece.to.at, piece.level);
      const double better_end = std::max(piece.from.excess, piece.to.excess);
      const bool is_settled = piece.bound.value - better_end <= tolerance + piece.bound.noise;
      if (is_settled || at == piece.from.at || at == piece.to.at) {
        close(piece);
        continue;
      }
      const PathPoint middle = point(piece.edge, at);
      push(piece.edge, piece.from, middle, piece.level + 1);
      push(piece.edge, middle, piece.to, piece.level + 1);
    }
    return result_;
  }

 private:
  PathPoint point(std::size_t edge, double at) {
    std::vector<double>& x = edges_[edge].x;
    x[edges_[edge].feature] = at;
    const PathPoint result = bounds_.point(x, at);
    if (result.excess > result_.largest) {
      result_.largest = result.excess;
      result_.at = x;
    }
    return result;
  }

  void push(std::size_t edge, const PathPoint& from, const PathPoint& to, int level) {
    const PieceBound bound = bounds_.bound(from, to, edges_[edge].rise_a, edges_[edge].rise_b);
    open_.push({edge, from, to, level, bound});
  }

  void close(const Piece& piece) { result_.proven = std::max(result_.proven, piece.bound.value); }

  const ExcessBounds& bounds_;
  std::vector<Edge> edges_;
  double known_;
  Excess result_;
  std::priority_queue<Piece> open_;
};

}  // namespace

Excess largest_excess(const Response& a, const Response& b, const Dimension& action, const Box& box,
                      double known) {
  const std::vector<Gains> gains = gains_of(a.controller, b.controller, box.size());
  std::vector<double> start = path_start(gains, box);
  const double highest = squash(a.squashing, extreme_output(a.controller, box, true), action) -
                         squash(b.squashing, extreme_output(b.controller, box, false), action);
  std::vector<Edge> edges = path_edges(gains, box, start);
  if (highest <= known) edges.clear();
  const ExcessBounds bounds(a, b, action, edges.size() > 1 ? &box : nullptr);
  Excess excess = Search(bounds, std::move(edges), std::move(start), known)
                      .run(kTolerance * (action.upper - action.lower));
  // What the ends of the outputs allow holds in any case, and decides if nothing was searched.
  excess.proven = highest <= known ? highest : std::min(excess.proven, highest);
  excess.proven = std::max(excess.proven, excess.largest);
  return excess;
}

}  // namespace icct
