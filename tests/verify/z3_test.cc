#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "icct/verify/verify.h"
#include "tests/temporary_folder.h"
#include "tests/verify/random_question.h"

namespace icct {
namespace {

// An independent solver reads the same questions as SMT-LIB, over the reals. Numbers are drawn so
// that the rounding of doubles cannot matter: no two of them meet.

std::string number(double value) {
  const mpq_class exact = std::abs(value);
  const std::string text =
      "(/ " + exact.get_num().get_str() + ".0 " + exact.get_den().get_str() + ".0)";
  return value < 0 ? "(- " + text + ")" : text;
}

std::string variable(const char* letter, int index) {
  return letter + std::to_string(index);
}

std::string sum(double bias, const std::vector<Term>& terms, const char* letter) {
  std::string text = "(+ " + number(bias);
  for (const Term& term : terms)
    text += " (* " + number(term.gain) + " " + variable(letter, term.feature) + ")";
  return text + " 0.0)";
}

// The output of one action as nested if-then-else.
std::string output(const Tree& tree, NodeRef at, std::size_t action) {
  if (at.is_leaf) {
    const Controller& controller =
        tree.leaves[static_cast<std::size_t>(at.index)].controllers[action];
    return sum(controller.bias, controller.terms, "x");
  }
  const Split& split = tree.splits[static_cast<std::size_t>(at.index)];
  return "(ite (" + std::string(split.less ? "<= " : ">= ") + variable("x", split.feature) + " " +
         number(split.threshold) + ") " + output(tree, split.yes, action) + " " +
         output(tree, split.no, action) + ")";
}

// tanh is undone in the constraint: y <= c is u <= atanh of where c lies in the action's range.
std::string text_of(const Constraint& constraint, const Policy& policy) {
  const std::string relation = constraint.strict ? "(< " : "(<= ";
  if (policy.squashing == Squashing::Tanh && !constraint.actions.empty()) {
    const Term& term = constraint.actions[0];
    const Dimension& action = policy.actions[static_cast<std::size_t>(term.feature)];
    const double share =
        2 * (constraint.bound / term.gain - action.lower) / (action.upper - action.lower) - 1;
    const std::string u = variable("u", term.feature);
    if (std::abs(share) >= 1) return (share > 0) == (term.gain > 0) ? "true" : "false";
    const std::string limit = number(std::atanh(share));
    return relation + (term.gain > 0 ? u + " " + limit : limit + " " + u) + ")";
  }
  return relation + "(+ " + sum(0, constraint.observations, "x") + " " +
         sum(0, constraint.actions, "y") + ") " + number(constraint.bound) + ")";
}

void write_question(const Policy& policy, const Property& property, const Box& box,
                    std::ostream& out) {
  out << "(push)\n";
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::string x = variable("x", static_cast<int>(i));
    out << "(declare-const " << x << " Real)\n(assert (and (>= " << x << " " << number(box[i].lower)
        << ") (<= " << x << " " << number(box[i].upper) << ")))\n";
  }
  for (std::size_t a = 0; a < policy.actions.size(); ++a) {
    const std::string u = variable("u", static_cast<int>(a));
    const std::string low = number(policy.actions[a].lower), high = number(policy.actions[a].upper);
    out << "(define-fun " << u << " () Real " << output(tree_of(policy), tree_of(policy).root, a)
        << ")\n(define-fun " << variable("y", static_cast<int>(a)) << " () Real (ite (< " << u
        << " " << low << ") " << low << " (ite (> " << u << " " << high << ") " << high << " " << u
        << ")))\n";
  }
  out << "(assert (or";
  for (const Case& constraints : property.violations) {
    out << " (and true";
    for (const Constraint& constraint : constraints) out << " " << text_of(constraint, policy);
    out << ")";
  }
  out << "))\n(check-sat)\n(pop)\n";
}

// Numbers that never meet: everything is moved a little.
void jitter(Rng& rng, Policy& policy, Property& property) {
  const auto move = [&](double& value) { value += 1e-3 * rng.normal(); };
  Tree& tree = std::get<Tree>(policy.controller);
  for (Split& split : tree.splits) move(split.threshold);
  for (Leaf& leaf : tree.leaves) {
    for (Controller& controller : leaf.controllers) {
      move(controller.bias);
      for (Term& term : controller.terms) move(term.gain);
    }
  }
  for (Case& constraints : property.violations) {
    for (Constraint& constraint : constraints) {
      move(constraint.bound);
      if (policy.squashing == Squashing::Clip || constraint.actions.empty()) continue;
      constraint.observations.clear();
      constraint.actions.resize(1);
    }
  }
}

TEST(Verify, AgreesWithAnIndependentSolver) {
  if (std::system("command -v z3 > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "z3 is not installed: nothing was compared. Install the package z3.";
  const TemporaryFolder folder;
  const std::string questions = folder / "questions.smt2", answers = folder / "answers";
  std::ofstream out(questions);
  std::vector<Answer> ours;
  Rng rng(1);
  for (int i = 0; i < 600; ++i) {
    const int observations = 1 + rng.below(6), actions = 1 + rng.below(2);
    Policy policy = random_policy(rng, 1 + rng.below(16), observations, actions);
    Property property = random_property(rng, observations, actions);
    jitter(rng, policy, property);
    const Box box = random_box(rng, observations);
    write_question(policy, property, box, out);
    ours.push_back(verify(policy, property, box).answer);
  }
  out.close();
  ASSERT_EQ(std::system(("z3 " + questions + " > " + answers).c_str()), 0);
  std::ifstream in(answers);
  int decided = 0, violated = 0;
  for (const Answer answer : ours) {
    std::string theirs;
    ASSERT_TRUE(in >> theirs);
    ASSERT_TRUE(theirs == "sat" || theirs == "unsat") << theirs;
    if (answer == Answer::Undecided) continue;
    ++decided;
    violated += theirs == "sat" ? 1 : 0;
    ASSERT_EQ(answer == Answer::Violated, theirs == "sat") << "instance " << decided;
  }
  EXPECT_GE(decided, 595);
  EXPECT_GT(violated, 100);
  EXPECT_LT(violated, 500);
}

}  // namespace
}  // namespace icct
