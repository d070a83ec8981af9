// fit_cart beside scikit-learn's DecisionTreeRegressor on the same samples.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "icct/base/number.h"
#include "icct/imitation/cart.h"
#include "tests/imitation/random_samples.h"
#include "tests/temporary_folder.h"

namespace icct {
namespace {

constexpr const char* kPython = "/usr/bin/python3";  // Debian's own, which has Debian's packages

bool has_sklearn() {
  return std::system((std::string(kPython) + " -c 'import sklearn' 2> /dev/null").c_str()) == 0;
}

// A subtree from the lines of sklearn_trees.py.
Tree read_tree(std::istream& lines) {
  std::string line;
  std::getline(lines, line);
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "split") {
    int feature = 0;
    std::string threshold;
    words >> feature >> threshold;
    const Tree yes = read_tree(lines);
    const Tree no = read_tree(lines);
    return make_split_less(feature, parse_number(threshold).value(), yes, no);
  }
  std::vector<Controller> controllers;
  for (std::string value; words >> value;) controllers.push_back({parse_number(value).value()});
  return make_leaf(std::move(controllers));
}

struct Case {
  OwnedSamples samples;
  CartOptions options;
};

void write_case(const Case& c, std::ostream& out) {
  out << c.samples.rows() << ' ' << c.samples.features << ' ' << c.samples.outputs << ' '
      << c.options.max_leaves << ' ' << (c.options.max_depth == 1000 ? 0 : c.options.max_depth)
      << ' ' << c.options.min_leaf_samples << ' ' << exact_text(c.options.pruning) << '\n';
  for (const double value : c.samples.x) out << exact_text(value) << ' ';
  for (const double value : c.samples.y) out << exact_text(value) << ' ';
  for (int i = 0; i < c.samples.rows(); ++i) out << exact_text(c.samples.view().weight(i)) << ' ';
  out << '\n';
}

// What scikit-learn makes of the same samples, all in one process.
std::vector<Tree> sklearn_trees(const std::vector<Case>& cases) {
  const TemporaryFolder folder;
  std::ofstream input(folder / "in");
  for (const Case& c : cases) write_case(c, input);
  input.close();
  const std::string command = std::string(kPython) + " " + ICCT_SOURCE_DIR +
                              "/tests/imitation/sklearn_trees.py < " + (folder / "in").string() +
                              " > " + (folder / "out").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream lines(folder / "out");
  std::vector<Tree> trees;
  for (std::size_t i = 0; i < cases.size(); ++i) trees.push_back(renumbered(read_tree(lines)));
  return trees;
}

double error(const Tree& tree, const Samples& samples) {
  double sum = 0;
  for (int i = 0; i < samples.x.rows; ++i) {
    const Leaf& leaf = tree.leaves[find_leaf(tree, samples.x.row(i))];
    for (int k = 0; k < samples.y.columns; ++k)
      sum += std::pow(leaf.controllers[k].bias - samples.y(i, k), 2);
  }
  return sum;
}

class CartOracle : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_sklearn()) {
      std::fprintf(stderr, "NOT CHECKED against scikit-learn: install Debian's python3-sklearn\n");
      GTEST_SKIP() << "no scikit-learn in " << kPython;
    }
  }
};

// The same splits in the same order, and the same leaves up to rounding.
void expect_same_trees(const std::vector<Case>& cases) {
  const std::vector<Tree> theirs = sklearn_trees(cases);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Tree ours = fit_cart(cases[c].samples.view(), cases[c].options);
    EXPECT_GT(ours.leaves.size(), 10U) << "case " << c;
    EXPECT_TRUE(ours.splits == theirs[c].splits) << "case " << c;
    ASSERT_EQ(ours.leaves.size(), theirs[c].leaves.size()) << "case " << c;
    for (std::size_t i = 0; i < ours.leaves.size(); ++i) {
      const std::vector<Controller>& controllers = ours.leaves[i].controllers;
      for (std::size_t k = 0; k < controllers.size(); ++k)
        EXPECT_NEAR(controllers[k].bias, theirs[c].leaves[i].controllers[k].bias, 1e-12);
    }
  }
}

// With 20 samples on either side, no two features divide them in the same way.
std::vector<CartOptions> every_limit() {
  return {{.max_leaves = 60, .min_leaf_samples = 20},
          {.max_depth = 6, .min_leaf_samples = 20},
          {.min_leaf_samples = 25},
          {.min_leaf_samples = 20, .pruning = 0.002},
          {.max_leaves = 60, .min_leaf_samples = 20, .pruning = 0.001}};
}

TEST_F(CartOracle, TheSameTreeOnRandomSamples) {
  std::vector<Case> cases;
  for (const int outputs : {1, 2, 3}) {
    for (const CartOptions& options : every_limit())
      cases.push_back({random_samples(3000, 6, outputs, 0, 11), options});
  }
  expect_same_trees(cases);
}

TEST_F(CartOracle, TheSameTreeOnWeightedSamples) {
  std::vector<Case> cases;
  for (const int outputs : {1, 2, 3}) {
    OwnedSamples samples = random_samples(3000, 6, outputs, 0, 12);
    Rng rng(13);
    for (int i = 0; i < samples.rows(); ++i) samples.weights.push_back(rng.uniform(0.1, 3));
    for (const CartOptions& options : every_limit()) cases.push_back({samples, options});
  }
  expect_same_trees(cases);
}

// Where several splits are equally good either may be taken. A single split and a tree without
// limits leave the same error whichever it is; and so do trees whose ties divide the samples alike.
TEST_F(CartOracle, TheSameErrorOnTiedSamples) {
  std::vector<Case> cases;
  for (const std::uint64_t seed : {21, 22, 23}) {
    cases.push_back({random_samples(1500, 4, 2, 5, seed), {}});
    cases.push_back({random_samples(1500, 4, 2, 5, seed), {.max_leaves = 2}});
    OwnedSamples rounded = random_samples(2000, 3, 1, 0, seed);
    for (double& x : rounded.x) x = std::round(8 * x) / 8;
    cases.push_back({rounded, {.max_depth = 7}});
    cases.push_back({rounded, {.max_leaves = 50, .min_leaf_samples = 5}});
    cases.push_back({random_samples(1000, 5, 2, 0, seed), {.max_leaves = 40}});
    cases.push_back({random_samples(1000, 5, 2, 0, seed), {.pruning = 0.001}});
  }
  const std::vector<Tree> theirs = sklearn_trees(cases);
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Tree ours = fit_cart(cases[c].samples.view(), cases[c].options);
    const Samples samples = cases[c].samples.view();
    EXPECT_NEAR(error(ours, samples), error(theirs[c], samples), 1e-7) << "case " << c;
  }
}

}  // namespace
}  // namespace icct
