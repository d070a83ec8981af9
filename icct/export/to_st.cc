#include "icct/export/to_st.h"

#include <algorithm>
#include <array>
#include <limits>

#include "icct/base/number.h"
#include "icct/export/identifiers.h"
#include "icct/export/nesting.h"

namespace icct {
namespace {

std::string comment(const std::string& text) {
  return "(* " + comment_text(text) + " *)";
}

// Not keywords, but names that a variable had better not take.
constexpr std::array kStandardFunctions = {"abs",  "acos", "asin", "atan",  "concat", "cos",  "exp",
                                           "find", "left", "len",  "limit", "ln",     "log",  "max",
                                           "mid",  "min",  "mux",  "right", "rol",    "ror",  "sel",
                                           "shl",  "shr",  "sin",  "sqrt",  "tan",    "trunc"};

class StWriter {
 public:
  StWriter(const Policy& policy, std::string name, bool single_precision)
      : policy_(policy),
        tree_(tree_of(policy)),
        name_(std::move(name)),
        single_(single_precision),
        real_(single_precision ? "REAL" : "LREAL") {
    // One list for all names, so that none is given twice, nor one that the block uses itself.
    std::vector<std::string> wanted = {name_, "valid", "largest"};
    wanted.insert(wanted.end(), kStandardFunctions.begin(), kStandardFunctions.end());
    for (std::size_t a = 0; a < policy.actions.size(); ++a) wanted.push_back(sum(a));
    const auto taken = static_cast<std::ptrdiff_t>(wanted.size());
    for (const Dimension& dimension : policy.observations) wanted.push_back(dimension.name);
    for (const Dimension& dimension : policy.actions) wanted.push_back(dimension.name);
    const std::vector<std::string> safe = identifiers(wanted, "value");
    const auto inputs = safe.begin() + taken;
    const auto outputs = inputs + static_cast<std::ptrdiff_t>(policy.observations.size());
    inputs_.assign(inputs, outputs);
    outputs_.assign(outputs, safe.end());
  }

  std::string text() const;

 private:
  std::string number(double value) const;
  std::string largest() const;
  std::string declarations(const Space& space, const std::vector<std::string>& names) const;
  std::string block(NodeRef at, const std::string& indent) const;
  std::string leaf_block(int leaf, const std::string& indent) const;
  std::string squash_lines() const;
  std::string check() const;
  std::string safe_lines() const;
  // The controller's output of an action, before squashing.
  static std::string sum(std::size_t action) { return "sum" + std::to_string(action); }

  const Policy& policy_;
  const Tree& tree_;
  std::string name_;
  bool single_;
  std::string real_;
  std::vector<std::string> inputs_, outputs_;
};

std::string StWriter::number(double value) const {
  std::string text = exact_text(value);
  if (single_) text = rounded_text(static_cast<double>(static_cast<float>(value)), 9);
  // A literal of a real number has a point, also before an exponent.
  if (text.find('.') == std::string::npos) {
    const std::size_t exponent = std::min(text.find('e'), text.size());
    text.insert(exponent, ".0");
  }
  text = real_ + "#" + upper_case(text);
  return text;
}

std::string StWriter::largest() const {
  return number(single_ ? static_cast<double>(std::numeric_limits<float>::max())
                        : std::numeric_limits<double>::max());
}

std::string StWriter::declarations(const Space& space,
                                   const std::vector<std::string>& names) const {
  std::string text;
  for (std::size_t i = 0; i < space.size(); ++i) {
    text += "    " + names[i] + " : " + real_ + "; " +
            comment(space[i].name + (space[i].unit.empty() ? "" : " [" + space[i].unit + "]") +
                    ", " + exact_text(space[i].lower) + " to " + exact_text(space[i].upper)) +
            "\n";
  }
  return text;
}

std::string StWriter::leaf_block(int leaf, const std::string& indent) const {
  std::string text = indent + comment(name_of(tree_, {leaf, true})) + "\n";
  const auto& controllers = tree_.leaves[static_cast<std::size_t>(leaf)].controllers;
  for (std::size_t a = 0; a < controllers.size(); ++a) {
    text += indent + sum(a) + " := " + number(controllers[a].bias) + ";\n";
    for (const Term& term : controllers[a].terms) {
      text += indent + sum(a) + " := " + sum(a) + " + LIMIT(-largest, " + number(term.gain) +
              " * " + inputs_[static_cast<std::size_t>(term.feature)] + ", largest);\n";
    }
  }
  return text;
}

std::string StWriter::block(NodeRef at, const std::string& indent) const {
  if (at.is_leaf) return leaf_block(at.index, indent);
  const Split& split = tree_.splits[static_cast<std::size_t>(at.index)];
  return indent + "IF " + inputs_[static_cast<std::size_t>(split.feature)] +
         (split.less ? " <= " : " >= ") + number(split.threshold) + " THEN " +
         comment(name_of(tree_, at)) + "\n" + block(split.yes, indent + "    ") + indent +
         "ELSE\n" + block(split.no, indent + "    ") + indent + "END_IF;\n";
}

// (tanh(y) + 1) / 2 = 1 / (1 + e^-2y); e^80 is far beyond the last digit, and far from overflow.
std::string StWriter::squash_lines() const {
  std::string text;
  for (std::size_t a = 0; a < policy_.actions.size(); ++a) {
    const Dimension& action = policy_.actions[a];
    std::string value = sum(a);
    if (policy_.squashing == Squashing::Tanh) {
      value = number(action.lower) + " + " + number(action.upper - action.lower) + " / (" +
              number(1) + " + EXP(LIMIT(" + number(-80) + ", " + number(-2) + " * " + sum(a) +
              ", " + number(80) + ")))";
    }
    text += "    " + outputs_[a] + " := LIMIT(" + number(action.lower) + ", " + value + ", " +
            number(action.upper) + ");\n";
  }
  return text;
}

std::string StWriter::check() const {
  std::string text = "valid := TRUE;\n";
  for (const std::string& input : inputs_) {
    text += "valid := valid AND " + input + " >= -largest AND " + input + " <= largest;\n";
  }
  return text;
}

std::string StWriter::safe_lines() const {
  if (!policy_.safe_action) return "    ; (* the action stays as it was *)\n";
  std::string text;
  for (std::size_t a = 0; a < policy_.actions.size(); ++a)
    text += "    " + outputs_[a] + " := " + number((*policy_.safe_action)[a]) + ";\n";
  return text;
}

std::string StWriter::text() const {
  std::string sums;
  for (std::size_t a = 0; a < policy_.actions.size(); ++a)
    sums += "    " + sum(a) + " : " + real_ + ";\n";
  return comment(policy_.name.empty() ? name_ : policy_.name) + "\n" +
         comment("Written by icct from a policy file; change that, not this.") + "\n" +
         "FUNCTION_BLOCK " + name_ + "\nVAR_INPUT\n" + declarations(policy_.observations, inputs_) +
         "END_VAR\nVAR_OUTPUT\n" + declarations(policy_.actions, outputs_) +
         "    valid : BOOL; (* every observation is finite *)\nEND_VAR\nVAR\n" + sums +
         "END_VAR\nVAR CONSTANT\n    largest : " + real_ + " := " + largest() +
         ";\nEND_VAR\n\n(* Comparisons with NaN are false. *)\n" + check() + "IF valid THEN\n" +
         block(tree_.root, "    ") + squash_lines() + "ELSE\n" + safe_lines() +
         "END_IF;\n\nEND_FUNCTION_BLOCK\n";
}

}  // namespace

std::string to_st(const Policy& policy, const std::string& name, bool single_precision) {
  require_nesting(tree_of(policy));
  return StWriter(policy, name, single_precision).text();
}

}  // namespace icct
