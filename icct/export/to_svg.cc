#include "icct/export/to_svg.h"

#include <algorithm>

#include "icct/base/svg.h"
#include "icct/export/text_width.h"
#include "icct/export/tree_layout.h"

namespace icct {
namespace {

constexpr double kFont = 12;
constexpr double kSmallFont = 10;
constexpr double kLine = 15;         // from one line of text to the next
constexpr double kPadding = 8;       // inside boxes, left and right
constexpr double kGap = 36;          // between columns
constexpr double kLeafGap = 7;       // between leaves
constexpr double kMargin = 20;       // around the drawing
constexpr double kTop = 44;          // below the title
constexpr double kSplitHeight = 36;  // name and condition
constexpr double kWidestLine = 480;  // longer formulas go on in the next line

// Lines stay lines.
std::string hint(const std::string& text) {
  std::string safe;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    safe += (begin == 0 ? "" : "\n") + svg_escaped(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return "<title>" + safe + "</title>\n";
}

class SvgTree {
 public:
  SvgTree(const Policy& policy, const TextOptions& options, const VisitCounts* visits)
      : policy_(policy),
        tree_(tree_of(policy)),
        options_(options),
        visits_(visits),
        regions_(leaf_regions(tree_)),
        nodes_(drawn_nodes(tree_, kMostDrawnLeaves, visits)) {
    std::ranges::sort(regions_, {}, &LeafRegion::leaf);
    describe();
    arrange();
  }

  std::string drawing() const;

 private:
  struct Label {
    std::vector<std::string> lines;
    std::string name, exact;  // the hint
    double width = 0;
  };

  void describe();
  Label leaf_label(int leaf) const;
  void arrange();
  double left_of(const DrawnNode& node) const;
  std::string share(const DrawnNode& node) const;
  std::string edge(const DrawnNode& node) const;
  std::string box(const DrawnNode& node, const Label& label) const;
  std::string split_text(const DrawnNode& node, const Label& label) const;
  std::string end_text(const DrawnNode& node, const Label& label) const;
  std::string note() const;

  const Policy& policy_;
  const Tree& tree_;
  const TextOptions& options_;
  const VisitCounts* visits_;
  std::vector<LeafRegion> regions_;
  std::vector<DrawnNode> nodes_;
  std::vector<Label> labels_;
  std::vector<double> columns_;  // left edge of each level
  std::vector<double> column_widths_;
  double ends_left_ = 0, name_width_ = 0, end_width_ = 0, height_ = 0;
};

SvgTree::Label SvgTree::leaf_label(int leaf) const {
  Label label;
  const LeafRegion& region = regions_[static_cast<std::size_t>(leaf)];
  for (std::size_t a = 0; a < policy_.actions.size(); ++a) {
    const std::string& name = policy_.actions[a].name;
    const std::string line = name + " = " + action_phrase(policy_, region, a, options_);
    for (const std::string& part : wrapped(printed(line), kWidestLine, kFont))
      label.lines.push_back(part);
    label.exact += "\n" + name + " = " + action_phrase(policy_, region, a, {.digits = 0});
  }
  return label;
}

void SvgTree::describe() {
  for (const DrawnNode& node : nodes_) {
    Label label;
    if (node.ref.is_leaf) {
      label = leaf_label(node.ref.index);
    } else if (node.is_end) {
      label.lines = {std::to_string(node.leaves) + " leaves, folded"};
    } else {
      const Split& split = tree_.splits[static_cast<std::size_t>(node.ref.index)];
      label.lines = {printed(condition_text(policy_, split, options_))};
      label.exact = "\n" + condition_text(policy_, split, {.digits = 0});
    }
    label.name = name_of(tree_, node.ref);
    label.exact = label.name + label.exact;
    for (const std::string& line : label.lines)
      label.width = std::max(label.width, text_width(line, kFont));
    labels_.push_back(label);
  }
}

// Columns as wide as what stands in them, rows as high as their leaves.
void SvgTree::arrange() {
  std::vector<double> heights;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto lines = static_cast<double>(labels_[i].lines.size());
    heights.push_back(std::max(lines * kLine + 8, 25.0) + kLeafGap);
    if (nodes_[i].is_end) {
      name_width_ = std::max(name_width_, text_width(labels_[i].name, kSmallFont));
      end_width_ = std::max(end_width_, labels_[i].width);
      continue;
    }
    const auto level = static_cast<std::size_t>(nodes_[i].level);
    if (column_widths_.size() <= level) column_widths_.resize(level + 1);
    column_widths_[level] = std::max({column_widths_[level], labels_[i].width + 2 * kPadding,
                                      text_width(labels_[i].name, kSmallFont) + 2 * kPadding});
  }
  end_width_ += name_width_ + 3 * kPadding;
  double x = kMargin;
  for (const double width : column_widths_) {
    columns_.push_back(x);
    x += width + kGap;
  }
  ends_left_ = x;
  height_ = place_rows(nodes_, heights);
}

double SvgTree::left_of(const DrawnNode& node) const {
  return node.is_end ? ends_left_ : columns_[static_cast<std::size_t>(node.level)];
}

std::string SvgTree::share(const DrawnNode& node) const {
  return visits_ == nullptr ? "" : share_text(*visits_, node.ref);
}

// A bend into the next column, then straight on to a leaf further right.
std::string SvgTree::edge(const DrawnNode& node) const {
  const DrawnNode& from = nodes_[static_cast<std::size_t>(node.parent)];
  const auto level = static_cast<std::size_t>(from.level);
  const double x1 = columns_[level] + column_widths_[level];
  const double x2 = columns_[level] + column_widths_[level] + kGap;
  const double y1 = kTop + from.row, y2 = kTop + node.row, middle = x1 + 0.4 * kGap;
  const double width = visits_ == nullptr ? 1.2 : 0.6 + 7 * visit_share(*visits_, node.ref);
  const bool dead = visits_ != nullptr && visit_share(*visits_, node.ref) == 0;
  const auto point = [](double x, double y) { return svg_number(x) + " " + svg_number(y); };
  std::string svg = "<path d=\"M" + point(x1, y1) + "C" + point(middle, y1) + " " +
                    point(middle, y2) + " " + point(x2, y2) + "H" + svg_number(left_of(node)) +
                    "\" fill=\"none\" stroke=\"" + (dead ? "#bbbbbb" : "#6b7684") +
                    "\" stroke-width=\"" + svg_number(width) + "\"" +
                    (dead ? " stroke-dasharray=\"3 3\"" : "") + "/>\n";
  const double label_y = node.yes ? y2 - 5 - 0.5 * width : y2 + 12 + 0.5 * width;
  return svg + svg_text(x2 - 5, label_y, "text-anchor=\"end\" font-size=\"10\" fill=\"#4a5562\"",
                        node.yes ? "yes" : "no");
}

std::string SvgTree::box(const DrawnNode& node, const Label& label) const {
  const double height = node.is_end
                            ? std::max(static_cast<double>(label.lines.size()) * kLine + 8, 25.0)
                            : kSplitHeight;
  const double width =
      node.is_end ? end_width_ : column_widths_[static_cast<std::size_t>(node.level)];
  const bool dead = visits_ != nullptr && visit_share(*visits_, node.ref) == 0;
  const bool folded = node.is_end && !node.ref.is_leaf;
  const std::string colours =
      folded        ? "fill=\"#eceff2\" stroke=\"#6b7684\" stroke-dasharray=\"4 2\""
      : dead        ? "fill=\"#f4f4f4\" stroke=\"#b0b0b0\" stroke-dasharray=\"4 2\""
      : node.is_end ? "fill=\"#fdeae7\" stroke=\"#c0392b\""
                    : "fill=\"#e3eefa\" stroke=\"#2163a8\"";
  return "<g>\n" + hint(label.exact) + "<rect x=\"" + svg_number(left_of(node)) + "\" y=\"" +
         svg_number(kTop + node.row - 0.5 * height) + "\" width=\"" + svg_number(width) +
         "\" height=\"" + svg_number(height) + "\" rx=\"" + (node.is_end ? "3" : "9") + "\" " +
         colours + "/>\n" + (node.is_end ? end_text(node, label) : split_text(node, label)) +
         "</g>\n";
}

std::string SvgTree::split_text(const DrawnNode& node, const Label& label) const {
  const auto level = static_cast<std::size_t>(node.level);
  const double middle = columns_[level] + 0.5 * column_widths_[level];
  const double y = kTop + node.row;
  return svg_text(middle, y - 5, "text-anchor=\"middle\" font-size=\"10\" fill=\"#2163a8\"",
                  label.name) +
         svg_text(middle, y + 11, "text-anchor=\"middle\"", label.lines[0]);
}

// The name at the left, one line per action beside it, how often it is used beyond the box.
std::string SvgTree::end_text(const DrawnNode& node, const Label& label) const {
  const double y = kTop + node.row;
  std::string svg =
      svg_text(ends_left_ + kPadding, y + 4, "font-size=\"10\" fill=\"#9c2b1f\"", label.name);
  double line = y + 4 - 0.5 * kLine * static_cast<double>(label.lines.size() - 1);
  for (const std::string& text : label.lines) {
    const double indent = text.starts_with(kContinued) ? 16 : 0;
    svg += svg_text(ends_left_ + 2 * kPadding + name_width_ + indent, line, "",
                    text.substr(indent > 0 ? kContinued.size() : 0));
    line += kLine;
  }
  if (visits_ == nullptr) return svg;
  return svg + svg_text(ends_left_ + end_width_ + 8, y + 4, "font-size=\"10\" fill=\"#4a5562\"",
                        share(node));
}

std::string SvgTree::note() const {
  std::string text = "Numbers are rounded; point at a box for the exact ones.";
  if (visits_ != nullptr) text = visits_summary(*visits_, tree_) + ". Widths: use. " + text;
  return text;
}

std::string SvgTree::drawing() const {
  const double width = ends_left_ + end_width_ + (visits_ == nullptr ? 0 : 52) + kMargin;
  const double bottom = kTop + height_;
  std::string svg = svg_begin(width, bottom + 34, policy_.name.empty() ? "Policy" : policy_.name);
  for (const DrawnNode& node : nodes_) {
    if (node.parent >= 0) svg += edge(node);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) svg += box(nodes_[i], labels_[i]);
  svg += svg_text(kMargin, bottom + 20, "font-size=\"10\" fill=\"#6b7684\"",
                  svg_fitting(note(), width - 2 * kMargin, kSmallFont));
  return svg + "</svg>\n";
}

}  // namespace

std::string to_svg(const Policy& policy, const TextOptions& options, const VisitCounts* visits) {
  return SvgTree(policy, options, visits).drawing();
}

}  // namespace icct
