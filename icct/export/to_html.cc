#include "icct/export/to_html.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "icct/base/svg.h"
#include "icct/export/page_files.h"
#include "icct/export/to_js.h"
#include "icct/export/to_svg.h"
#include "icct/export/to_text.h"
#include "icct/export/tree_layout.h"

namespace icct {
namespace {

// Ends for a slider: the declared ones, else what was seen, else around the thresholds.
Interval slider_range(const Policy& policy, std::size_t feature, const VisitCounts* visits) {
  const Dimension& observation = policy.observations[feature];
  double reach = 1;
  for (const Split& split : tree_of(policy).splits) {
    if (split.feature == static_cast<int>(feature))
      reach = std::max(reach, 2 * std::abs(split.threshold));
  }
  Interval range{-reach, reach};
  if (visits != nullptr && visits->total > 0 &&
      visits->smallest[feature] < visits->largest[feature])
    range = {visits->smallest[feature], visits->largest[feature]};
  if (std::isfinite(observation.lower)) range.lower = observation.lower;
  if (std::isfinite(observation.upper)) range.upper = observation.upper;
  if (!(range.lower < range.upper)) range.lower = range.upper - 2 * reach;
  if (std::isfinite(observation.lower) && range.lower < observation.lower)
    range = {observation.lower, observation.lower + 2 * reach};
  return range;
}

Json observations_json(const Policy& policy, const VisitCounts* visits) {
  const std::vector<int> used = features_used(tree_of(policy));
  Json list = Json::array();
  for (std::size_t i = 0; i < policy.observations.size(); ++i) {
    const Interval range = slider_range(policy, i, visits);
    const bool has_zero = range.lower <= 0 && range.upper >= 0;
    list.push_back({{"from", range.lower},
                    {"to", range.upper},
                    {"start", has_zero ? 0 : 0.5 * range.lower + 0.5 * range.upper},
                    {"used", std::ranges::binary_search(used, static_cast<int>(i))}});
  }
  return list;
}

// How often: a share for widths, and words; null without counts.
void add_use(Json& entry, const VisitCounts* visits, NodeRef ref) {
  entry["share"] = visits == nullptr ? Json(nullptr) : Json(visit_share(*visits, ref));
  entry["use"] = visits == nullptr ? Json(nullptr) : Json(share_text(*visits, ref));
}

Json nodes_json(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  const Tree& tree = tree_of(policy);
  Json list = Json::array();
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    const NodeRef ref{static_cast<int>(i), false};
    list.push_back({{"name", name_of(tree, ref)},
                    {"condition", printed(condition_text(policy, tree.splits[i], options))},
                    {"exact", condition_text(policy, tree.splits[i], {.digits = 0})},
                    {"leaves", 0}});
    add_use(list.back(), visits, ref);
  }
  for (const DrawnNode& node : drawn_nodes(tree, static_cast<int>(tree.leaves.size()), nullptr)) {
    if (!node.ref.is_leaf) list[static_cast<std::size_t>(node.ref.index)]["leaves"] = node.leaves;
  }
  return list;
}

Json leaves_json(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  const Tree& tree = tree_of(policy);
  Json list(tree.leaves.size(), Json::object());
  for (const LeafRegion& region : leaf_regions(tree)) {
    const NodeRef ref{region.leaf, true};
    Json lines = Json::array();
    std::string exact;
    for (std::size_t a = 0; a < policy.actions.size(); ++a) {
      const std::string is = policy.actions[a].name + " = ";
      lines.push_back(printed(is + action_phrase(policy, region, a, options)));
      exact += (a == 0 ? "" : "\n") + is + action_phrase(policy, region, a, {.digits = 0});
    }
    Json& entry = list[static_cast<std::size_t>(region.leaf)];
    entry = {{"name", name_of(tree, ref)},
             {"lines", lines},
             {"exact", exact},
             {"paragraph", printed(to_paragraph(policy, region, options))}};
    add_use(entry, visits, ref);
  }
  return list;
}

Json words_json(const Policy& policy) {
  Json all = Json::array();
  for (const auto& words : policy.action_words) {
    Json list = Json::array();
    for (const NamedRange& word : words)
      list.push_back({{"name", word.name}, {"lower", word.lower}, {"upper", word.upper}});
    all.push_back(list);
  }
  return all;
}

// Two observations worth a picture: those with the most thresholds.
Json slice_axes(const Policy& policy) {
  std::vector<std::set<double>> thresholds(policy.observations.size());
  for (const Split& split : tree_of(policy).splits)
    thresholds[static_cast<std::size_t>(split.feature)].insert(split.threshold);
  std::vector<std::size_t> order(thresholds.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return thresholds[i].size(); });
  return {order.front(), order[std::min<std::size_t>(1, order.size() - 1)]};
}

Json page_texts(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  const Tree& tree = tree_of(policy);
  Json folded = Json::array();
  for (const DrawnNode& node : drawn_nodes(tree, kMostDrawnLeaves, visits)) {
    if (node.is_end && !node.ref.is_leaf) folded.push_back(node.ref.index);
  }
  const std::string note =
      "Numbers are rounded; point at a box for the exact ones. Click a decision to fold it.";
  return {{"digits", options.digits == 0 ? 17 : options.digits},
          {"observations", observations_json(policy, visits)},
          {"nodes", nodes_json(policy, options, visits)},
          {"leaves", leaves_json(policy, options, visits)},
          {"words", words_json(policy)},
          {"slice", slice_axes(policy)},
          {"folded", folded},
          {"note", visits == nullptr ? note : visits_summary(*visits, tree) + ". " + note}};
}

}  // namespace

std::string to_html(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  const std::string function =
      to_js(policy, "deployed") +
      "const { policy, act, path, output, squash, decidesYes } = deployed;\n";
  return filled_in(kPageHtml, {{"TITLE", svg_escaped(policy.name.empty() ? "Policy" : policy.name)},
                               {"STYLE", std::string(kPageCss)},
                               {"FUNCTION", function},
                               {"DATA", script_json(page_texts(policy, options, visits))},
                               {"SCRIPT", std::string(kPageJs)}});
}

}  // namespace icct
