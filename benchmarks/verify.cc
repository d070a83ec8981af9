// Time of proofs: per node over the size of the tree and the number of observations, of single
// questions to a small policy, and beside Z3 on the same questions (if it is installed).

#include "icct/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "icct/base/number.h"
#include "icct/base/rng.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

using Clock = std::chrono::steady_clock;

// Seconds of one call, the best of 20 rounds of at least 20 ms.
double best_seconds(const std::function<void()>& call) {
  double best = HUGE_VAL;
  int calls = 1;
  for (int round = 0; round < 20; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds / calls);
    if (seconds < 0.02) calls = static_cast<int>(calls * std::min(100.0, 0.03 / seconds) + 1);
  }
  return best;
}

// A balanced tree whose every leaf is reached: each level halves the box along one observation.
Tree balanced(Rng& rng, int levels, int observations) {
  Tree tree;
  // Depth first; splits are numbered as they are met.
  const auto build = [&](const auto& self, int left, std::vector<Range>& box) -> NodeRef {
    if (left == 0) {
      Controller controller{.bias = rng.normal(), .terms = {{0, rng.normal()}, {1, rng.normal()}}};
      tree.leaves.push_back({.controllers = {controller}});
      return {static_cast<int>(tree.leaves.size()) - 1, true};
    }
    const int feature = left % observations;
    Range& range = box[static_cast<std::size_t>(feature)];
    const Range whole = range;
    const double middle = (whole.lower + whole.upper) / 2;
    const std::size_t index = tree.splits.size();
    tree.splits.push_back({.feature = feature, .threshold = middle});
    range = {middle, whole.upper};
    const NodeRef yes = self(self, left - 1, box);
    range = {whole.lower, middle};
    const NodeRef no = self(self, left - 1, box);
    range = whole;
    tree.splits[index].yes = yes;
    tree.splits[index].no = no;
    return {static_cast<int>(index), false};
  };
  std::vector<Range> box(static_cast<std::size_t>(observations), {-1, 1});
  tree.root = build(build, levels, box);
  return tree;
}

struct Question {
  Policy policy;
  Box box;
  Property property;  // holds, so that every leaf must be looked at
};

Question question(int levels, int observations) {
  Rng rng(1);
  Question q;
  q.box.assign(static_cast<std::size_t>(observations), {-1, 1});
  q.policy.observations = numbered_space("x", observations);
  q.policy.actions = {{"y", "", -2, 2}};
  q.policy.controller = balanced(rng, levels, observations);
  q.property.violations = {{{.actions = {{0, -1}}, .bound = -2, .strict = true}}};
  return q;
}

void print_growth(int levels, int observations) {
  const Question q = question(levels, observations);
  const double nodes = 2.0 * static_cast<double>(tree_of(q.policy).leaves.size()) - 1;
  const double range = best_seconds([&] { action_ranges(q.policy, q.box); });
  Answer answer = Answer::Undecided;
  const double proof = best_seconds([&] { answer = verify(q.policy, q.property, q.box).answer; });
  std::printf("| 2^%-2d | %12d | %12.1f | %14.1f | %s |\n", levels, observations,
              1e9 * range / nodes, 1e9 * proof / nodes, answer == Answer::Proven ? "proven" : "?");
}

std::string smt(double value) {
  return value < 0 ? "(- " + exact_text(-value) + ")" : exact_text(value);
}

std::string smt(const Tree& tree, NodeRef at) {
  if (at.is_leaf) {
    const Controller& c = tree.leaves[static_cast<std::size_t>(at.index)].controllers[0];
    std::string text = "(+ " + smt(c.bias);
    for (const Term& term : c.terms)
      text += " (* " + smt(term.gain) + " x" + std::to_string(term.feature) + ")";
    return text + ")";
  }
  const Split& split = tree.splits[static_cast<std::size_t>(at.index)];
  return "(ite (>= x" + std::to_string(split.feature) + " " + smt(split.threshold) + ") " +
         smt(tree, split.yes) + " " + smt(tree, split.no) + ")";
}

// "Can the output before squashing exceed this?" as an SMT-LIB file; the answer is no.
void write_smt(const Question& q, double limit, const std::string& path) {
  std::ofstream out(path);
  for (std::size_t i = 0; i < q.box.size(); ++i) {
    const std::string x = "x" + std::to_string(i);
    out << "(declare-const " << x << " Real)\n(assert (and (>= " << x << " (- 1)) (<= " << x
        << " 1)))\n";
  }
  out << "(assert (> " << smt(tree_of(q.policy), tree_of(q.policy).root) << " " << smt(limit)
      << "))\n(check-sat)\n";
}

void print_beside_z3(int levels) {
  Question q = question(levels, 6);
  q.policy.squashing = Squashing::Clip;
  q.policy.actions[0] = {"y", "", -1e6, 1e6};
  const double limit = action_ranges(q.policy, q.box)[0].max.value + 0.5;
  q.property.violations = {{{.actions = {{0, -1}}, .bound = -limit, .strict = true}}};
  const double ours = best_seconds([&] { verify(q.policy, q.property, q.box); });
  const std::string path = std::filesystem::temp_directory_path() / "icct_benchmark.smt2";
  write_smt(q, limit, path);
  const auto start = Clock::now();
  if (std::system(("z3 -T:120 " + path + " > /dev/null").c_str()) != 0) return;
  const double theirs = std::chrono::duration<double>(Clock::now() - start).count();
  std::filesystem::remove(path);
  std::printf("| 2^%-2d | %10.1f | %10.1f | %10.0f |\n", levels, 1e6 * ours, 1e3 * theirs,
              theirs / ours);
}

void run() {
  std::printf(
      "| leaves | observations | range ns/node | proof ns/node | |\n|---|---|---|---|---|\n");
  for (int levels = 8; levels <= 20; levels += 2) print_growth(levels, 6);
  for (const int observations : {2, 4, 8, 16, 32, 64}) print_growth(10, observations);
  const Question small = question(4, 8);
  std::printf("\nrange of a policy with 16 leaves, 8 observations: %.2f us\n",
              1e6 * best_seconds([&] { action_ranges(small.policy, small.box); }));
  if (std::system("command -v z3 > /dev/null 2>&1") != 0) return;
  std::printf("\n| leaves | ours us | z3 ms | ratio |\n|---|---|---|---|\n");
  for (const int levels : {4, 6, 8, 10}) print_beside_z3(levels);
}

}  // namespace
}  // namespace icct

int main() {
  icct::run();
}
