#include "icct/tree/tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/rng.h"

namespace icct {
namespace {

constexpr double kHuge = std::numeric_limits<double>::max();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Tree constant(double value) {
  return make_leaf({{.bias = value}});
}

// node0: x0 >= 1 ? (node1: x1 <= -2 ? leaf0 : leaf1) : leaf2, three observations, one action.
Tree example() {
  return make_split(
      0, 1, make_split_less(1, -2, constant(10), make_leaf({{.bias = 20, .terms = {{2, 3}}}})),
      constant(30));
}

// What validate says about the example after `change`.
std::string complaint(const std::function<void(Tree&)>& change) {
  Tree tree = example();
  change(tree);
  try {
    validate(tree, 3, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

void expect_complaint(const std::function<void(Tree&)>& change, const std::string& where,
                      const std::string& what) {
  const std::string text = complaint(change);
  EXPECT_NE(text.find(where), std::string::npos) << text;
  EXPECT_NE(text.find(what), std::string::npos) << text;
}

TEST(ValidateTree, AcceptsTheExampleAndASingleLeaf) {
  EXPECT_EQ(complaint([](Tree&) {}), "none");
  EXPECT_NO_THROW(validate(constant(1), 1, 1));
}

TEST(ValidateTree, RejectsACycle) {
  expect_complaint(
      [](Tree& t) {
        t.splits[1].no = {0, false};
      },
      "node1", "node0, which is reached twice");
  expect_complaint(
      [](Tree& t) {
        t.splits[1].no = {1, false};
      },
      "node1", "node1, which is reached twice");
}

TEST(ValidateTree, RejectsASharedLeaf) {
  expect_complaint(
      [](Tree& t) {
        t.splits[1].no = {0, true};
      },
      "node1", "leaf0, which is reached twice");
}

TEST(ValidateTree, RejectsWhatIsNotReached) {
  expect_complaint([](Tree& t) { t.leaves.push_back(t.leaves[0]); }, "leaf3", "not reached");
  expect_complaint([](Tree& t) { t.splits.push_back(t.splits[0]); }, "node2", "not reached");
  expect_complaint([](Tree& t) { t.root = {2, true}; }, "node0", "not reached");
}

TEST(ValidateTree, RejectsLinksToNowhere) {
  expect_complaint([](Tree& t) { t.splits[0].no = {3, true}; }, "node0", "leaf 3");
  expect_complaint([](Tree& t) { t.splits[0].no = {-1, true}; }, "node0", "leaf -1");
  expect_complaint([](Tree& t) { t.splits[0].yes = {2, false}; }, "node0", "node 2");
  expect_complaint([](Tree& t) { t.root = {7, false}; }, "the root", "node 7");
  expect_complaint([](Tree& t) { t = {}; }, "the root", "leaf 0");
}

TEST(ValidateTree, RejectsFeaturesThatDoNotExist) {
  expect_complaint([](Tree& t) { t.splits[1].feature = 3; }, "node1", "observation 3");
  expect_complaint([](Tree& t) { t.splits[0].feature = -1; }, "node0", "observation -1");
  expect_complaint([](Tree& t) { t.leaves[1].controllers[0].terms[0].feature = 3; }, "leaf1",
                   "observation 3");
}

TEST(ValidateTree, RejectsNumbersThatAreNotFinite) {
  for (const double bad : {kNan, HUGE_VAL, -HUGE_VAL}) {
    expect_complaint([bad](Tree& t) { t.splits[1].threshold = bad; }, "node1", "threshold is not");
    expect_complaint([bad](Tree& t) { t.leaves[2].controllers[0].bias = bad; }, "leaf2",
                     "bias is not");
    expect_complaint([bad](Tree& t) { t.leaves[1].controllers[0].terms[0].gain = bad; }, "leaf1",
                     "gain is not");
    expect_complaint([bad](Tree& t) { t.leaves[0].log_std = {bad}; }, "leaf0", "log_std is not");
  }
}

TEST(ValidateTree, RejectsTermsThatDoNotAscend) {
  for (const int second : {1, 2}) {
    expect_complaint(
        [second](Tree& t) {
          t.leaves[1].controllers[0].terms = {{2, 1}, {second, 1}};
        },
        "leaf1", "ascending");
  }
}

TEST(ValidateTree, RejectsAWrongNumberOfControllersOrSpreads) {
  expect_complaint([](Tree& t) { t.leaves[1].controllers.clear(); }, "leaf1",
                   "0 controllers for 1 actions");
  expect_complaint([](Tree& t) { t.leaves[1].controllers.resize(2); }, "leaf1",
                   "2 controllers for 1 actions");
  expect_complaint([](Tree& t) { t.leaves[1].log_std = {0, 0}; }, "leaf1", "log_std");
}

TEST(ValidateTree, RejectsNamesThatStandForTwo) {
  expect_complaint([](Tree& t) { t.splits[1].name = t.leaves[0].name = "brake"; }, "'brake'",
                   "names must differ");
  // A given name may also take the place of an automatic one.
  expect_complaint([](Tree& t) { t.leaves[0].name = "leaf2"; }, "'leaf2'", "names must differ");
  EXPECT_EQ(complaint([](Tree& t) { t.leaves[0].name = "leaf3"; }), "none");
}

// A chain of splits: `length` decisions deep.
Tree chain(int length) {
  Tree tree;
  for (int i = 0; i < length; ++i) {
    tree.splits.push_back({.yes = {i, true}, .no = {i + 1, false}});
    tree.leaves.push_back({.controllers = {{}}});
  }
  tree.leaves.push_back({.controllers = {{}}});
  tree.splits.back().no = {length, true};
  tree.root = {0, false};
  return tree;
}

TEST(ValidateTree, RejectsMoreThanAThousandDecisions) {
  EXPECT_NO_THROW(validate(chain(1000), 1, 1));
  EXPECT_THROW(validate(chain(1001), 1, 1), Error);
  EXPECT_EQ(depth(chain(100000)), 100000);  // walking does not recurse
}

TEST(FindLeaf, DecidesBothWays) {
  EXPECT_EQ(find_leaf(example(), std::vector<double>{2, -3, 0}), 0);
  EXPECT_EQ(find_leaf(example(), std::vector<double>{2, 3, 0}), 1);
  EXPECT_EQ(find_leaf(example(), std::vector<double>{0, -3, 0}), 2);
  EXPECT_EQ(find_leaf(constant(1), std::vector<double>{5}), 0);
}

TEST(FindLeaf, TakesEqualityAsYesInBothDirections) {
  const double below_one = std::nextafter(1, 0), above_minus_two = std::nextafter(-2, 0);
  EXPECT_EQ(find_leaf(example(), std::vector<double>{1, -2, 0}), 0);
  EXPECT_EQ(find_leaf(example(), std::vector<double>{1, above_minus_two, 0}), 1);
  EXPECT_EQ(find_leaf(example(), std::vector<double>{below_one, -2, 0}), 2);
}

TEST(FindLeaf, TakesZeroAndMinusZeroAsEqual) {
  const Tree tree = make_split(0, 0.0, constant(1), constant(2));
  EXPECT_EQ(find_leaf(tree, std::vector<double>{-0.0}), 0);
}

TEST(Evaluate, AddsTermsToTheBiasInOrder) {
  const Controller controller{.bias = 0.1, .terms = {{0, 0.2}, {2, 3}}};
  EXPECT_EQ(evaluate(controller, std::vector<double>{1, 50, 7}), (0.1 + 0.2 * 1) + 3 * 7.0);
}

TEST(Evaluate, IsNeverNanForFiniteNumbers) {
  const std::vector<double> extremes = {kHuge, -kHuge, 1e200, -1e200, 0, 5e-324};
  for (const double bias : extremes)
    for (const double g0 : extremes)
      for (const double g1 : extremes)
        for (const double x0 : extremes)
          for (const double x1 : extremes) {
            const Controller controller{.bias = bias, .terms = {{0, g0}, {1, g1}, {2, g0}}};
            EXPECT_FALSE(std::isnan(evaluate(controller, std::vector<double>{x0, x1, x1})));
          }
}

TEST(Evaluate, IsMonotoneInEachObservationAlsoThroughOverflow) {
  const Controller controller{.bias = -1, .terms = {{0, 1e200}, {1, -1e200}}};
  Rng rng(1);
  for (int i = 0; i < 1000; ++i) {
    const double x1 = std::ldexp(rng.normal(), rng.below(1000));
    double low = std::ldexp(rng.normal(), rng.below(1000));
    double high = std::ldexp(rng.normal(), rng.below(1000));
    if (low > high) std::swap(low, high);
    EXPECT_LE(evaluate(controller, std::vector<double>{low, x1}),
              evaluate(controller, std::vector<double>{high, x1}));
    EXPECT_GE(evaluate(controller, std::vector<double>{x1, low}),
              evaluate(controller, std::vector<double>{x1, high}));
  }
}

TEST(MakeSplit, LinksItsPartsBelowItself) {
  const Tree tree = example();
  EXPECT_EQ(tree.root, (NodeRef{0, false}));
  ASSERT_EQ(tree.splits.size(), 2U);
  EXPECT_EQ(
      tree.splits[0],
      (Split{.feature = 0, .less = false, .threshold = 1, .yes = {1, false}, .no = {2, true}}));
  EXPECT_EQ(
      tree.splits[1],
      (Split{.feature = 1, .less = true, .threshold = -2, .yes = {0, true}, .no = {1, true}}));
  ASSERT_EQ(tree.leaves.size(), 3U);
  EXPECT_EQ(tree.leaves[2].controllers, (std::vector<Controller>{{.bias = 30}}));
}

TEST(Renumbered, BringsAnyNumberingIntoDepthFirstOrder) {
  Tree shuffled = example();
  std::swap(shuffled.splits[0], shuffled.splits[1]);
  std::swap(shuffled.leaves[0], shuffled.leaves[2]);
  shuffled.root = {1, false};
  shuffled.splits[1].yes = {0, false};
  shuffled.splits[1].no = {0, true};
  shuffled.splits[0].yes = {2, true};
  validate(shuffled, 3, 1);
  EXPECT_NE(shuffled, example());
  EXPECT_EQ(renumbered(shuffled), example());
  EXPECT_EQ(renumbered(constant(4)), constant(4));
}

TEST(Depth, CountsTheDecisionsOfTheLongestPath) {
  EXPECT_EQ(depth(constant(1)), 0);
  EXPECT_EQ(depth(example()), 2);
  EXPECT_EQ(depth(make_split(0, 0, constant(1), example())), 3);
}

TEST(FeaturesUsed, ListsThoseOfSplitsAndControllersOnceEach) {
  EXPECT_EQ(features_used(example()), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(features_used(constant(1)), std::vector<int>{});
  EXPECT_EQ(features_used(make_split(5, 0, make_leaf({{.terms = {{2, 1}, {5, 1}}}}), constant(1))),
            (std::vector<int>{2, 5}));
}

TEST(NameOf, IsTheGivenOneOrCountsByKind) {
  Tree tree = example();
  tree.splits[0].name = "too fast?";
  EXPECT_EQ(name_of(tree, {0, false}), "too fast?");
  EXPECT_EQ(name_of(tree, {1, false}), "node1");
  EXPECT_EQ(name_of(tree, {2, true}), "leaf2");
}

}  // namespace
}  // namespace icct
