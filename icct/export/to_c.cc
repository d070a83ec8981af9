#include "icct/export/to_c.h"

#include <algorithm>
#include <cmath>

#include "icct/base/logistic.h"
#include "icct/base/number.h"
#include "icct/export/identifiers.h"
#include "icct/export/nesting.h"

namespace icct {
namespace {

std::string comment(const std::string& text) {
  std::string doubled;  // see CWriter::filled
  for (const char c : comment_text(text)) doubled += c == '@' ? "@@" : std::string(1, c);
  return "/* " + doubled + " */";
}

class CWriter {
 public:
  CWriter(const Policy& policy, std::string name, bool single_precision)
      : policy_(policy),
        tree_(tree_of(policy)),
        name_(std::move(name)),
        prefix_(upper_case(name_)),
        single_(single_precision),
        real_(single_precision ? "float" : "double"),
        largest_(single_precision ? "FLT_MAX" : "DBL_MAX") {}

  std::string header() const;
  std::string source() const;

 private:
  std::string title() const;
  std::string number(double value) const;
  std::string indices(const Space& space, const std::string& what) const;
  std::string worst_case() const;
  std::string logistic_function() const;
  std::string clamp_function() const;
  std::string block(NodeRef at, const std::string& indent) const;
  std::string leaf_block(int leaf, const std::string& indent) const;
  std::string squash_lines() const;
  std::string act_function() const;
  std::string filled(const std::string& text) const;

  const Policy& policy_;
  const Tree& tree_;
  std::string name_, prefix_;
  bool single_;
  std::string real_, largest_;
};

std::string CWriter::number(double value) const {
  std::string text = exact_text(value);
  if (single_) text = rounded_text(static_cast<double>(static_cast<float>(value)), 9);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  if (single_) text += "F";
  return value < 0 ? "(" + text + ")" : text;
}

std::string CWriter::indices(const Space& space, const std::string& what) const {
  std::vector<std::string> names;
  for (const Dimension& dimension : space) names.push_back(dimension.name);
  const std::vector<std::string> safe = identifiers(names, what);
  std::string text = "enum\n{\n";
  for (std::size_t i = 0; i < space.size(); ++i) {
    text += "    " + prefix_ + "_" + upper_case(what) + "_" + upper_case(safe[i]) + " = " +
            std::to_string(i) + (i + 1 < space.size() ? "," : "") + " " +
            comment(space[i].name + (space[i].unit.empty() ? "" : " [" + space[i].unit + "]") +
                    ", " + exact_text(space[i].lower) + " to " + exact_text(space[i].upper)) +
            "\n";
  }
  return text + "};\n";
}

std::string CWriter::worst_case() const {
  std::size_t terms = 0;
  for (const Leaf& leaf : tree_.leaves) {
    std::size_t sum = 0;
    for (const Controller& controller : leaf.controllers) sum += controller.terms.size();
    terms = std::max(terms, sum);
  }
  const std::size_t actions = policy_.actions.size();
  const std::size_t squashed = policy_.squashing == Squashing::Tanh ? actions : 0;
  // Two comparisons for each number that is checked or limited, four inside the logistic function.
  const std::size_t comparisons = static_cast<std::size_t>(depth(tree_)) +
                                  2 * (policy_.observations.size() + terms + actions) +
                                  4 * squashed;
  return std::to_string(depth(tree_)) + " decisions; " + std::to_string(comparisons) +
         " comparisons with them, " + std::to_string(terms + 15 * squashed) + " multiplications, " +
         std::to_string(terms + 15 * squashed) + " additions, " + std::to_string(squashed) +
         " divisions";
}

std::string CWriter::header() const {
  const std::string invalid =
      policy_.safe_action ? "the action is the safe one" : "the action is left as it was";
  return filled(
      title() +
      "#ifndef @P_H\n#define @P_H\n\n"
      "#define @P_OBSERVATIONS " +
      std::to_string(policy_.observations.size()) +
      "\n"
      "#define @P_ACTIONS " +
      std::to_string(policy_.actions.size()) +
      "\n\n"
      "/* Positions in the vectors. */\n" +
      indices(policy_.observations, "observation") + "\n" + indices(policy_.actions, "action") +
      "\n"
      "/* What @N_act returns. */\n"
      "#define @P_OK 0      /* the action is set */\n"
      "#define @P_INVALID 1 /* an observation is NaN or infinite: " +
      invalid +
      " */\n\n"
      "/* The action for an observation. Worst case: " +
      worst_case() +
      ".\n"
      "   No heap, no recursion, no state; may be called from several threads at once. */\n"
      "int @N_act(const @R x[@P_OBSERVATIONS], @R action[@P_ACTIONS]);\n\n#endif\n");
}

// The same operations in the same order as logistic().
std::string CWriter::logistic_function() const {
  std::string table;
  for (std::size_t j = 0; j <= 32; ++j)
    table += (j % 4 == 0 ? "\n        " : " ") + number(kLogisticPowers[j]) + (j < 32 ? "," : "");
  // Single precision: a step of 11 bits, a shorter polynomial, a smaller range.
  const double high = single_ ? 0x1.62cp-6 : kLogisticStepHigh;
  const double low = single_ ? std::log(2.0) / 32 - high : kLogisticStepLow;
  const std::vector<double> factorials = single_
                                             ? std::vector<double>{6, 2, 1, 1}
                                             : std::vector<double>{5040, 720, 120, 24, 6, 2, 1, 1};
  std::string polynomial = "p = " + number(1 / factorials[0]) + ";\n";
  for (std::size_t i = 1; i < factorials.size(); ++i)
    polynomial += "        p = (p * r) + " + number(1 / factorials[i]) + ";\n";
  const std::string limit = number(single_ ? 80 : kLogisticLargest);
  return "/* 1 / (1 + e^-x); never decreases in x. */\nstatic @R @N_logistic(@R x)\n{\n"
         "    static const @R powers[33] = {" +
         table +
         "};\n"
         "    @R result = " +
         number(0) +
         ";\n"
         "    if (x >= -" +
         limit +
         ")\n    {\n"
         "        @R y = -x;\n        @R scaled;\n        @R step;\n        @R r;\n        @R p;\n"
         "        @R value;\n        @R power;\n        int32_t n;\n        int32_t k;\n        @U "
         "bits;\n"
         "        if (y < -" +
         limit + ")\n        {\n            y = -" + limit +
         ";\n        }\n"
         "        scaled = y * " +
         number(kLogisticStepsPerUnit) +
         ";\n"
         "        n = (int32_t)scaled;\n"
         "        if ((@R)n > scaled)\n        {\n            n -= 1; /* rounded down */\n        "
         "}\n"
         "        step = (@R)n;\n"
         "        r = (y - (step * " +
         number(high) + ")) - (step * " + number(low) +
         ");\n"
         "        if (r < " +
         number(0) + ")\n        {\n            r = " + number(0) +
         ";\n        }\n"
         "        " +
         polynomial +
         "        k = (n >= 0) ? (n / 32) : -((31 - n) / 32);\n"
         "        n -= 32 * k;\n"
         "        value = powers[n] * p;\n"
         "        if (value > powers[n + 1])\n        {\n            value = powers[n + 1];\n      "
         "  }\n"
         "        bits = (@U)(k + " +
         (single_ ? "127" : "1023") + ") << " + (single_ ? "23" : "52") +
         "; /* 2^k */\n"
         "        (void)memcpy(&power, &bits, sizeof(power));\n"
         "        result = " +
         number(1) + " / (" + number(1) +
         " + (value * power));\n"
         "    }\n    return result;\n}\n\n";
}

std::string CWriter::clamp_function() const {
  return "static @R @N_clamp(@R value, @R low, @R high)\n{\n    @R result = value;\n"
         "    if (value < low)\n    {\n        result = low;\n    }\n"
         "    else if (value > high)\n    {\n        result = high;\n    }\n"
         "    else\n    {\n        /* inside */\n    }\n    return result;\n}\n\n";
}

std::string CWriter::leaf_block(int leaf, const std::string& indent) const {
  std::string text = indent + comment(name_of(tree_, {leaf, true})) + "\n";
  const auto& controllers = tree_.leaves[static_cast<std::size_t>(leaf)].controllers;
  for (std::size_t a = 0; a < controllers.size(); ++a) {
    text += indent + "output[" + std::to_string(a) + "] = " + number(controllers[a].bias) + ";\n";
    for (const Term& term : controllers[a].terms) {
      const std::string product = number(term.gain) + " * x[" + std::to_string(term.feature) + "]";
      text += indent + "output[" + std::to_string(a) + "] += @N_clamp(" + product + ", -@M, @M); " +
              comment(policy_.observations[static_cast<std::size_t>(term.feature)].name) + "\n";
    }
  }
  return text;
}

std::string CWriter::block(NodeRef at, const std::string& indent) const {
  if (at.is_leaf) return leaf_block(at.index, indent);
  const Split& split = tree_.splits[static_cast<std::size_t>(at.index)];
  const std::string name = policy_.observations[static_cast<std::size_t>(split.feature)].name;
  return indent + comment(name_of(tree_, at) + ": " + name) + "\n" + indent + "if (x[" +
         std::to_string(split.feature) + "] " + (split.less ? "<= " : ">= ") +
         number(split.threshold) + ")\n" + indent + "{\n" + block(split.yes, indent + "    ") +
         indent + "}\n" + indent + "else\n" + indent + "{\n" + block(split.no, indent + "    ") +
         indent + "}\n";
}

std::string CWriter::squash_lines() const {
  std::string text;
  for (std::size_t a = 0; a < policy_.actions.size(); ++a) {
    const Dimension& action = policy_.actions[a];
    const std::string i = "[" + std::to_string(a) + "]";
    const std::string low = number(action.lower), high = number(action.upper);
    const std::string value = policy_.squashing == Squashing::Clip
                                  ? "output" + i
                                  : low + " + (@N_logistic(" + number(2) + " * output" + i +
                                        ") * (" + high + " - " + low + "))";
    text += "        action" + i + " = @N_clamp(" + value + ", " + low + ", " + high + "); " +
            comment(action.name) + "\n";
  }
  return text;
}

std::string CWriter::act_function() const {
  std::string safe = "        /* the action stays as it was */\n";
  if (policy_.safe_action) {
    safe.clear();
    for (std::size_t a = 0; a < policy_.actions.size(); ++a)
      safe += "        action[" + std::to_string(a) + "] = " + number((*policy_.safe_action)[a]) +
              ";\n";
  }
  return "int @N_act(const @R x[@P_OBSERVATIONS], @R action[@P_ACTIONS])\n{\n"
         "    @R output[@P_ACTIONS];\n    int status = @P_OK;\n    int i;\n"
         "    for (i = 0; i < @P_OBSERVATIONS; i++)\n    {\n"
         "        if (!((x[i] >= -@M) && (x[i] <= @M)))\n        {\n"
         "            status = @P_INVALID;\n        }\n    }\n"
         "    if (status != @P_OK)\n    {\n" +
         safe + "    }\n    else\n    {\n" + block(tree_.root, "        ") + squash_lines() +
         "    }\n    return status;\n}\n";
}

// @R real type, @M its largest number, @U unsigned type of its size, @N name, @P NAME, @@ @.
std::string CWriter::filled(const std::string& text) const {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '@') {
      result += text[i];
      continue;
    }
    const char kind = text[++i];
    result += kind == 'R'   ? real_
              : kind == 'M' ? largest_
              : kind == 'U' ? std::string(single_ ? "uint32_t" : "uint64_t")
              : kind == 'N' ? name_
              : kind == 'P' ? prefix_
                            : std::string("@");
  }
  return result;
}

std::string CWriter::title() const {
  return comment(policy_.name.empty() ? name_ : policy_.name) +
         "\n/* Written by icct from a policy file; change that, not this. */\n";
}

std::string CWriter::source() const {
  const bool tanh = policy_.squashing == Squashing::Tanh;
  return filled(
      title() +
      "/* Without fused multiply-adds (-ffp-contract=off) these are the numbers of the policy "
      "file, bit for bit. */\n#include \"@N.h\"\n\n#include <float.h>\n" +
      (tanh ? "#include <stdint.h>\n#include <string.h>\n" : "") + "\n" + clamp_function() +
      (tanh ? logistic_function() : "") + act_function());
}

}  // namespace

CSource to_c(const Policy& policy, const std::string& name, bool single_precision) {
  require_nesting(tree_of(policy));
  const CWriter writer(policy, name, single_precision);
  return {writer.header(), writer.source()};
}

}  // namespace icct
