#include "icct/export/visit_counts.h"

#include <algorithm>
#include <cmath>

#include "icct/base/number.h"

namespace icct {
namespace {

std::int64_t count_of(const VisitCounts& visits, NodeRef ref) {
  return (ref.is_leaf ? visits.leaves : visits.splits)[static_cast<std::size_t>(ref.index)];
}

}  // namespace

VisitCounts no_visits(const Tree& tree) {
  VisitCounts visits;
  visits.splits.resize(tree.splits.size());
  visits.leaves.resize(tree.leaves.size());
  return visits;
}

void count_visit(const Tree& tree, std::span<const double> x, VisitCounts& visits) {
  if (!std::ranges::all_of(x, [](double value) { return std::isfinite(value); })) {
    ++visits.invalid;
    return;
  }
  if (visits.total++ == 0) {
    visits.smallest.assign(x.begin(), x.end());
    visits.largest.assign(x.begin(), x.end());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    visits.smallest[i] = std::min(visits.smallest[i], x[i]);
    visits.largest[i] = std::max(visits.largest[i], x[i]);
  }
  NodeRef ref = tree.root;
  while (!ref.is_leaf) {
    ++visits.splits[static_cast<std::size_t>(ref.index)];
    const Split& split = tree.splits[static_cast<std::size_t>(ref.index)];
    ref = decides_yes(split, x[static_cast<std::size_t>(split.feature)]) ? split.yes : split.no;
  }
  ++visits.leaves[static_cast<std::size_t>(ref.index)];
}

double visit_share(const VisitCounts& visits, NodeRef ref) {
  if (visits.total == 0) return 0;
  return static_cast<double>(count_of(visits, ref)) / static_cast<double>(visits.total);
}

std::string share_text(const VisitCounts& visits, NodeRef ref) {
  if (count_of(visits, ref) == 0) return "never";
  const double percent = 100 * visit_share(visits, ref);
  if (percent < 0.1) return "< 0.1 %";
  return rounded_text(percent, percent < 10 ? 2 : 3) + " %";
}

std::vector<int> dead_leaves(const VisitCounts& visits) {
  std::vector<int> dead;
  for (std::size_t i = 0; i < visits.leaves.size(); ++i) {
    if (visits.leaves[i] == 0) dead.push_back(static_cast<int>(i));
  }
  return dead;
}

std::string visits_summary(const VisitCounts& visits, const Tree& tree) {
  std::string names;
  for (const int leaf : dead_leaves(visits))
    names += (names.empty() ? "" : ", ") + name_of(tree, {leaf, true});
  std::string text =
      std::to_string(visits.total) + (visits.total == 1 ? " observation" : " observations");
  if (visits.invalid > 0)
    text += " (and " + std::to_string(visits.invalid) + " with NaN or infinity)";
  return text + (names.empty() ? "; every leaf was used" : "; never used: " + names);
}

}  // namespace icct
