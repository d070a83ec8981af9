#include "icct/export/to_dot.h"

#include "icct/base/number.h"

namespace icct {
namespace {

// Inside double quotes; every line is centred (\n) or begins at the left (\l).
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string id(NodeRef ref) {
  return (ref.is_leaf ? "leaf" : "node") + std::to_string(ref.index);
}

std::string edge(NodeRef from, NodeRef to, const char* answer, const VisitCounts* visits) {
  std::string line = "  " + id(from) + " -> " + id(to) + " [label=\"" + answer;
  if (visits != nullptr) {
    line += " " + share_text(*visits, to) + "\", penwidth=\"" +
            rounded_text(0.5 + 6 * visit_share(*visits, to), 3);
  }
  return line + "\"];\n";
}

}  // namespace

std::string to_dot(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  const Tree& tree = tree_of(policy);
  std::string dot = "digraph policy {\n  label=\"" + quoted(policy.name) +
                    "\";\n  node [fontname=\"Helvetica\", style=\"filled\", shape=\"box\"];\n"
                    "  edge [fontname=\"Helvetica\"];\n";
  for (std::size_t i = 0; i < tree.splits.size(); ++i) {
    const NodeRef ref{static_cast<int>(i), false};
    const Split& split = tree.splits[i];
    dot += "  " + id(ref) + " [label=\"" + quoted(name_of(tree, ref)) + "\\n" +
           quoted(condition_text(policy, split, options)) +
           "\", fillcolor=\"#e3eefa\", color=\"#2163a8\"];\n";
    dot += edge(ref, split.yes, "yes", visits) + edge(ref, split.no, "no", visits);
  }
  for (const LeafRegion& region : leaf_regions(tree)) {
    const NodeRef ref{region.leaf, true};
    std::string lines = quoted(name_of(tree, ref)) + "\\n";
    for (std::size_t a = 0; a < policy.actions.size(); ++a) {
      lines += quoted(policy.actions[a].name + " = " + action_phrase(policy, region, a, options)) +
               "\\l";
    }
    dot +=
        "  " + id(ref) + " [label=\"" + lines + "\", fillcolor=\"#fdeae7\", color=\"#c0392b\"];\n";
  }
  return dot + "}\n";
}

}  // namespace icct
