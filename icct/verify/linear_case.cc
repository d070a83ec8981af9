#include "icct/verify/linear_case.h"

#include <glpk.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "icct/verify/constraint_range.h"

namespace icct {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kHuge = 1e30;  // for the solver, what is wider is unbounded

// How far evaluate() may be from the exact sum, anywhere in the box: every addition and
// multiplication is off by at most 2^-53 of its result or by half the smallest double, and no
// intermediate result exceeds twice the sum of magnitudes.
double rounding_of(const Controller& controller, const Box& box) {
  double magnitude = std::abs(controller.bias);
  for (const Term& term : controller.terms) {
    const Range& range = box[static_cast<std::size_t>(term.feature)];
    magnitude += std::abs(term.gain) * std::max(std::abs(range.lower), std::abs(range.upper));
  }
  const auto operations = static_cast<double>(2 * controller.terms.size());
  return operations * (0x1p-52 * magnitude + std::numeric_limits<double>::denorm_min());
}

// bias + sum <= largest becomes sum <= largest - bias, and the like, all rounding upwards.
void add_output(const Controller& controller, const Range& outputs, int index, const Box& box,
                std::vector<Halfspace>& result) {
  const double slack = rounding_of(controller, box);
  const auto up = [](double x) { return std::nextafter(x, kLargest); };
  if (outputs.upper < kLargest) {
    const double bound = up(up(outputs.upper - controller.bias) + slack);
    if (std::isfinite(bound)) result.push_back({index, controller.terms, bound, false});
  }
  if (outputs.lower > -kLargest) {
    const double bound = up(up(controller.bias - outputs.lower) + slack);
    std::vector<Term> terms = controller.terms;
    for (Term& term : terms) term.gain = -term.gain;
    if (std::isfinite(bound)) result.push_back({index, std::move(terms), bound, false});
  }
}

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using Problem = std::unique_ptr<glp_prob, DeleteProblem>;

void set_column(glp_prob* problem, int column, const Range& range) {
  const bool below = range.lower > -kHuge, above = range.upper < kHuge;
  const int kind = below && above ? (range.lower < range.upper ? GLP_DB : GLP_FX)
                   : below        ? GLP_LO
                   : above        ? GLP_UP
                                  : GLP_FR;
  glp_set_col_bnds(problem, column, kind, range.lower, range.upper);
}

// Maximise the room s, at most 1, in terms + s * size <= bound for every halfspace; columns are the
// observations and, last, s.
Problem make_problem(const std::vector<Halfspace>& halfspaces, const Box& box) {
  Problem problem(glp_create_prob());
  const auto room = static_cast<int>(box.size()) + 1;
  glp_set_obj_dir(problem.get(), GLP_MAX);
  glp_add_cols(problem.get(), room);
  for (std::size_t i = 0; i < box.size(); ++i)
    set_column(problem.get(), static_cast<int>(i) + 1, box[i]);
  glp_set_col_bnds(problem.get(), room, GLP_UP, 0, 1);
  glp_set_obj_coef(problem.get(), room, 1);
  glp_add_rows(problem.get(), static_cast<int>(halfspaces.size()));
  for (std::size_t k = 0; k < halfspaces.size(); ++k) {
    std::vector<int> columns = {0};
    std::vector<double> values = {0};
    double size = 0;
    for (const Term& term : halfspaces[k].terms) {
      if (term.gain == 0) continue;
      columns.push_back(term.feature + 1);
      values.push_back(term.gain);
      size = std::max(size, std::abs(term.gain));
    }
    columns.push_back(room);
    values.push_back(size > 0 ? size : 1);
    const int row = static_cast<int>(k) + 1;
    glp_set_mat_row(problem.get(), row, static_cast<int>(columns.size()) - 1, columns.data(),
                    values.data());
    glp_set_row_bnds(problem.get(), row, GLP_UP, 0, halfspaces[k].bound);
  }
  return problem;
}

}  // namespace

std::vector<Halfspace> halfspaces(const Case& constraints,
                                  const std::vector<std::optional<Range>>& outputs,
                                  const Leaf& leaf, const Box& box) {
  std::vector<Halfspace> result;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Constraint& constraint = constraints[k];
    const auto index = static_cast<int>(k);
    if (constraint.actions.empty()) {
      if (!is_bound(constraint))
        result.push_back({index, constraint.observations, constraint.bound, constraint.strict});
    } else if (outputs[k] && !outputs[k]->empty()) {
      const auto action = static_cast<std::size_t>(constraint.actions[0].feature);
      add_output(leaf.controllers[action], *outputs[k], index, box, result);
    }
  }
  return result;
}

LinearAnswer solve(const std::vector<Halfspace>& halfspaces, const Box& box) {
  const Problem problem = make_problem(halfspaces, box);
  glp_smcp options;
  glp_init_smcp(&options);
  options.msg_lev = GLP_MSG_OFF;
  options.it_lim = 10'000;
  glp_simplex(problem.get(), &options);
  LinearAnswer answer;
  for (std::size_t i = 0; i < box.size(); ++i) {
    const double x = glp_get_col_prim(problem.get(), static_cast<int>(i) + 1);
    answer.x.push_back(std::clamp(std::isfinite(x) ? x : 0, box[i].lower, box[i].upper));
  }
  for (std::size_t k = 0; k < halfspaces.size(); ++k) {
    const double dual = glp_get_row_dual(problem.get(), static_cast<int>(k) + 1);
    answer.multipliers.push_back(std::isfinite(dual) ? std::max(0.0, dual) : 0);
  }
  return answer;
}

bool contradict(const std::vector<Halfspace>& halfspaces, const std::vector<double>& multipliers,
                const Box& box) {
  std::vector<mpq_class> gains(box.size());
  mpq_class bound = 0;
  bool strict = false;
  for (std::size_t k = 0; k < halfspaces.size(); ++k) {
    if (multipliers[k] == 0) continue;
    const mpq_class factor = multipliers[k];
    for (const Term& term : halfspaces[k].terms)
      gains[static_cast<std::size_t>(term.feature)] += factor * mpq_class(term.gain);
    bound += factor * mpq_class(halfspaces[k].bound);
    strict = strict || halfspaces[k].strict;
  }
  mpq_class smallest = 0;
  for (std::size_t i = 0; i < box.size(); ++i)
    smallest += gains[i] * mpq_class(gains[i] > 0 ? box[i].lower : box[i].upper);
  return strict ? smallest >= bound : smallest > bound;
}

}  // namespace icct
