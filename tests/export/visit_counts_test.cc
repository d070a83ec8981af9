#include "icct/export/visit_counts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace icct {
namespace {

Tree two_decisions() {
  const Tree low = make_split_less(1, 0, make_leaf({{.bias = 1}}), make_leaf({{.bias = 2}}));
  return make_split(0, 5, make_leaf({{.bias = 0}}), low);
}

TEST(VisitCounts, FollowThePath) {
  const Tree tree = two_decisions();
  VisitCounts visits = no_visits(tree);
  count_visit(tree, std::vector{5.0, 9.0}, visits);
  count_visit(tree, std::vector{1.0, 0.0}, visits);
  count_visit(tree, std::vector{2.0, -1.0}, visits);
  EXPECT_EQ(visits.splits, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(visits.leaves, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(dead_leaves(visits), std::vector<int>{2});
  EXPECT_EQ(visits.smallest, (std::vector{1.0, -1.0}));
  EXPECT_EQ(visits.largest, (std::vector{5.0, 9.0}));
  EXPECT_EQ(share_text(visits, {1, true}), "66.7 %");
  EXPECT_EQ(visits_summary(visits, tree), "3 observations; never used: leaf2");
}

TEST(VisitCounts, LeaveOutWhatThePolicyAnswersWithItsSafeAction) {
  const Tree tree = two_decisions();
  VisitCounts visits = no_visits(tree);
  count_visit(tree, std::vector{NAN, 0.0}, visits);
  EXPECT_EQ(visits.total, 0);
  EXPECT_EQ(visit_share(visits, {0, true}), 0);
  EXPECT_EQ(visits_summary(visits, tree),
            "0 observations (and 1 with NaN or infinity); never used: leaf0, leaf1, leaf2");
}

TEST(VisitCounts, NeverSayZeroOfWhatIsUsed) {
  const Tree tree = make_split(0, 0, make_leaf({{.bias = 0}}), make_leaf({{.bias = 1}}));
  VisitCounts visits = no_visits(tree);
  for (int i = 0; i < 5000; ++i) count_visit(tree, std::vector{i == 0 ? -1.0 : 1.0}, visits);
  EXPECT_EQ(share_text(visits, {1, true}), "< 0.1 %");
}

}  // namespace
}  // namespace icct
