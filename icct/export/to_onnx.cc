#include "icct/export/to_onnx.h"

#include <limits>

#include "icct/base/error.h"
#include "icct/export/onnx_graph.h"

namespace icct {
namespace {

constexpr std::size_t kMostLeaves = 2000;  // the table of paths grows with their square
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::int64_t count(std::size_t size) {
  return static_cast<std::int64_t>(size);
}

// Which decisions lead to which leaf, as numbers: a leaf is reached where the sum of its column
// over the decisions (1 yes, 0 no) plus its offset is 0; elsewhere that is negative.
struct Paths {
  std::vector<double> columns;  // splits x leaves: 1 yes, -1 no, 0 not on the path
  std::vector<double> offsets;  // minus the number of yes
};

Paths paths_of(const Tree& tree) {
  const std::size_t leaves = tree.leaves.size();
  Paths paths{std::vector<double>(tree.splits.size() * leaves), std::vector<double>(leaves)};
  std::vector<std::pair<int, double>> path;  // splits, and what they must decide
  const auto walk = [&](const auto& self, NodeRef at) -> void {
    if (at.is_leaf) {
      for (const auto& [split, sign] : path) {
        const auto leaf = static_cast<std::size_t>(at.index);
        paths.columns[static_cast<std::size_t>(split) * leaves + leaf] = sign;
        if (sign > 0) paths.offsets[leaf] -= 1;
      }
      return;
    }
    const Split& split = tree.splits[static_cast<std::size_t>(at.index)];
    for (const bool yes : {true, false}) {
      path.emplace_back(at.index, yes ? 1 : -1);
      self(self, yes ? split.yes : split.no);
      path.pop_back();
    }
  };
  walk(walk, tree.root);
  return paths;
}

class OnnxPolicy {
 public:
  OnnxPolicy(const Policy& policy, bool single_precision)
      : policy_(policy),
        tree_(tree_of(policy)),
        largest_(single_precision ? std::numeric_limits<float>::max()
                                  : std::numeric_limits<double>::max()),
        graph_("policy", single_precision ? OnnxType::Float : OnnxType::Double) {}

  std::string model() {
    graph_.input("observation", count(policy_.observations.size()));
    check_observation();
    find_leaf();
    evaluate_controllers();
    squash_outputs();
    graph_.add("Where", {"valid", "bounded", constant_row("safe", safe_action())}, "action");
    graph_.output("action", count(policy_.actions.size()), graph_.real());
    graph_.output("valid", 1, OnnxType::Bool);
    return graph_.model(policy_.name);
  }

 private:
  std::string constant_row(const std::string& name, const std::vector<double>& values) {
    graph_.constant(name, {count(values.size())}, values);
    return name;
  }

  std::string scalar(const std::string& name, double value) {
    graph_.constant(name, {}, {value});
    return name;
  }

  std::vector<double> safe_action() const {
    return policy_.safe_action.value_or(std::vector<double>(policy_.actions.size(), kNan));
  }

  void check_observation();
  void find_leaf();
  void evaluate_controllers();
  void squash_outputs();

  const Policy& policy_;
  const Tree& tree_;
  double largest_;
  OnnxGraph graph_;
};

constexpr OnnxGraph::Attribute kToFloat = {"to", static_cast<std::int64_t>(OnnxType::Float)};

// x - x is 0 for finite numbers only. Others become 0, so that nothing after depends on them.
void OnnxPolicy::check_observation() {
  scalar("zero", 0);
  graph_.constant("last_axis", {1}, {-1}, OnnxType::Int64);
  graph_.constant("observations", {}, {static_cast<double>(policy_.observations.size())},
                  OnnxType::Float);
  graph_.add("Sub", {"observation", "observation"}, "nothing");
  graph_.add("Equal", {"nothing", "zero"}, "finite");
  graph_.add("Where", {"finite", "observation", "zero"}, "x");
  graph_.add("Cast", {"finite"}, "finite_number", {kToFloat});
  graph_.add("ReduceSum", {"finite_number", "last_axis"}, "finite_count", {{"keepdims", 1}});
  graph_.add("Equal", {"finite_count", "observations"}, "valid");
}

// All decisions at once. "At most" is "at least" of the negative numbers, which is exact.
void OnnxPolicy::find_leaf() {
  std::vector<double> features, signs, thresholds;
  for (const Split& split : tree_.splits) {
    features.push_back(split.feature);
    signs.push_back(split.less ? -1 : 1);
    thresholds.push_back(split.less ? -split.threshold : split.threshold);
  }
  Paths paths = paths_of(tree_);
  if (features.empty()) {  // a single leaf: one decision that changes nothing
    features = signs = thresholds = {0};
    paths.columns = {0};
  }
  const std::int64_t splits = count(features.size()), leaves = count(tree_.leaves.size());
  graph_.constant("features", {splits}, features, OnnxType::Int64);
  graph_.constant("paths", {splits, leaves}, paths.columns, OnnxType::Float);
  graph_.constant("path_offsets", {leaves}, paths.offsets, OnnxType::Float);
  graph_.add("Gather", {"x", "features"}, "asked", {{"axis", 1}});
  graph_.add("Mul", {"asked", constant_row("signs", signs)}, "directed");
  graph_.add("GreaterOrEqual", {"directed", constant_row("thresholds", thresholds)}, "decided");
  graph_.add("Cast", {"decided"}, "decisions", {kToFloat});
  graph_.add("MatMul", {"decisions", "paths"}, "agreement");
  graph_.add("Add", {"agreement", "path_offsets"}, "score");
  graph_.add("ArgMax", {"score"}, "leaf", {{"axis", 1}, {"keepdims", 0}});
}

void OnnxPolicy::evaluate_controllers() {
  const std::size_t observations = policy_.observations.size();
  std::vector<double> biases, gains;
  for (const Leaf& leaf : tree_.leaves) {
    for (const Controller& controller : leaf.controllers) {
      biases.push_back(controller.bias);
      std::vector<double> row(observations);
      for (const Term& term : controller.terms)
        row[static_cast<std::size_t>(term.feature)] = term.gain;
      gains.insert(gains.end(), row.begin(), row.end());
    }
  }
  const std::int64_t leaves = count(tree_.leaves.size()), actions = count(policy_.actions.size());
  graph_.constant("biases", {leaves, actions}, biases);
  graph_.constant("gains", {leaves, actions, count(observations)}, gains);
  graph_.constant("action_axis", {1}, {1}, OnnxType::Int64);
  graph_.add("Gather", {"biases", "leaf"}, "bias");
  graph_.add("Gather", {"gains", "leaf"}, "gain");
  graph_.add("Unsqueeze", {"x", "action_axis"}, "x_for_each_action");
  graph_.add("Mul", {"gain", "x_for_each_action"}, "products");
  graph_.add("Max", {"products", scalar("lowest", -largest_)}, "not_too_low");
  graph_.add("Min", {"not_too_low", scalar("largest", largest_)}, "terms");
  graph_.add("ReduceSum", {"terms", "last_axis"}, "sum", {{"keepdims", 0}});
  graph_.add("Add", {"sum", "bias"}, "output");
}

void OnnxPolicy::squash_outputs() {
  std::vector<double> lower, upper, span;
  for (const Dimension& action : policy_.actions) {
    lower.push_back(action.lower);
    upper.push_back(action.upper);
    span.push_back(action.upper - action.lower);
  }
  constant_row("lower", lower);
  std::string value = "output";
  if (policy_.squashing == Squashing::Tanh) {
    graph_.add("Tanh", {"output"}, "tanh");
    graph_.add("Add", {"tanh", scalar("one", 1)}, "above_lowest");
    graph_.add("Mul", {"above_lowest", scalar("half", 0.5)}, "share");
    graph_.add("Mul", {"share", constant_row("span", span)}, "part");
    value = graph_.add("Add", {"part", "lower"}, "squashed");
  }
  graph_.add("Max", {value, "lower"}, "above_lower");
  graph_.add("Min", {"above_lower", constant_row("upper", upper)}, "bounded");
}

}  // namespace

std::string to_onnx(const Policy& policy, bool single_precision) {
  if (tree_of(policy).leaves.size() > kMostLeaves) {
    throw Error("the tree has " + std::to_string(tree_of(policy).leaves.size()) +
                " leaves; the ONNX form takes at most " + std::to_string(kMostLeaves) +
                ". The formats c, js and json have no such limit");
  }
  return OnnxPolicy(policy, single_precision).model();
}

}  // namespace icct
