#include "icct/verify/property_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/verify/constraint_range.h"
#include "icct/verify/normal_form.h"
#include "icct/verify/rule_parser.h"
#include "icct/verify/rule_scanner.h"

namespace icct {
namespace {

// Where a rule stands in the text.
struct RulePart {
  std::string name;
  std::size_t begin;
  std::size_t body;  // behind the name
  std::size_t end;
};

bool begins_rule(std::string_view text) {
  const std::string_view line = trimmed(text);
  return std::ranges::any_of(std::array<std::string_view, 2>{"when", "always"}, [&](auto word) {
    return line.starts_with(word) &&
           (line.size() == word.size() || !is_word_byte(line[word.size()]));
  });
}

// The position of the colon after a rule's name: "when", "always" or nothing follows on its line.
std::size_t name_end(std::string_view line) {
  const std::string_view code = line.substr(0, line.find('#'));
  std::size_t colon = code.find(':');
  while (colon != std::string_view::npos) {
    const std::string_view rest = code.substr(colon + 1);
    if (trimmed(rest).empty() || begins_rule(rest)) return colon;
    colon = code.find(':', colon + 1);
  }
  return colon;
}

std::vector<RulePart> split_rules(std::string_view text) {
  std::vector<RulePart> parts;
  const auto start = [&](std::size_t begin, std::string_view name, std::size_t body) {
    if (!parts.empty()) parts.back().end = begin;
    parts.push_back({std::string(trimmed(name)), begin, body, text.size()});
  };
  bool named = false;  // a name stands alone on its line, its rule is still to come
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t colon = name_end(line);
    if (colon != std::string_view::npos) {
      start(begin, line.substr(0, colon), begin + colon + 1);
      named = !begins_rule(line.substr(colon + 1));
    } else if (begins_rule(line)) {
      if (!named) start(begin, "", begin);
      named = false;
    }
    begin = end + 1;
  }
  return parts;
}

// Before the first rule there may be comments only.
void require_start(std::string_view text, const std::vector<RulePart>& parts) {
  RuleScanner scanner(text, 0, parts.empty() ? text.size() : parts[0].begin, "");
  if (!scanner.at_end()) scanner.fail_expecting("a rule: 'when', 'always' or its name and ':'");
  if (parts.empty()) throw Error("there is no rule; expected 'when ... then ...' or 'always ...'");
}

Formula violation(Formula when, Formula then) {
  std::vector<Formula> parts;
  parts.push_back(std::move(when));
  parts.push_back(negation(std::move(then)));
  return all_of(std::move(parts));
}

Property read_rule(std::string_view text, const RulePart& part, const Policy& policy) {
  RuleScanner scanner(text, part.body, part.end, "");
  const std::size_t start = scanner.position();
  Formula when;
  if (scanner.take_word("when")) {
    when = parse_condition(scanner, policy);
    if (!scanner.take_word("then")) scanner.fail_expecting("'and', 'or' or 'then'");
  } else if (!scanner.take_word("always")) {
    scanner.fail_expecting("'when' or 'always'");
  }
  Formula then = parse_condition(scanner, policy);
  if (!scanner.at_end()) scanner.fail_expecting("'and', 'or' or the end of the rule");
  return {part.name, std::string(text.substr(start, scanner.taken_end() - start)),
          normal_form(violation(std::move(when), std::move(then)), scanner.place(start))};
}

// The whole text as one condition.
Formula read_condition(std::string_view text, const std::string& source, const Policy& policy) {
  RuleScanner scanner(text, 0, text.size(), source);
  Formula formula = parse_condition(scanner, policy);
  if (!scanner.at_end()) scanner.fail_expecting("'and', 'or' or the end");
  return formula;
}

void narrow(Box& box, const Formula& formula) {
  if (formula.kind == Formula::Kind::All) {
    for (const Formula& part : formula.parts) narrow(box, part);
    return;
  }
  const Constraint& constraint = formula.constraint;
  if (formula.kind != Formula::Kind::Single || constraint.observations.size() != 1 ||
      !constraint.actions.empty()) {
    throw Error(
        "a box of observations is described by comparisons of one observation each with numbers, "
        "joined by 'and', such as 'height > 0 and x between -1 and 1'; found " +
        std::string(formula.kind == Formula::Kind::Any   ? "'or'"
                    : formula.kind == Formula::Kind::Not ? "'not'"
                    : !constraint.actions.empty()        ? "an action"
                                                         : "more or less than one observation"));
  }
  const auto& [feature, gain] = constraint.observations[0];
  Range& range = box[static_cast<std::size_t>(feature)];
  range = intersection(range, solutions(gain, constraint.bound, constraint.strict));
}

// "+ 2 speed", "- gap"
std::string term_text(const Term& term, const Space& space) {
  const double size = std::abs(term.gain);
  return std::string(term.gain < 0 ? "- " : "+ ") + (size == 1 ? "" : exact_text(size) + " ") +
         space[static_cast<std::size_t>(term.feature)].name;
}

// "speed >= 3 m/s" for the single term -1, else "2 speed - gap <= 3"
std::string constraint_text(const Constraint& constraint, const Policy& policy) {
  const bool observed = constraint.actions.empty();
  const std::vector<Term>& terms = observed ? constraint.observations : constraint.actions;
  const std::size_t count = constraint.observations.size() + constraint.actions.size();
  const std::string strict = constraint.strict ? "" : "=";
  if (count == 1 && std::abs(terms[0].gain) == 1) {
    const Space& space = observed ? policy.observations : policy.actions;
    const Dimension& dimension = space[static_cast<std::size_t>(terms[0].feature)];
    const bool negative = terms[0].gain < 0;
    return dimension.name + (negative ? " >" : " <") + strict + " " +
           exact_text(negative ? 0 - constraint.bound : constraint.bound) +
           (dimension.unit.empty() ? "" : " " + dimension.unit);
  }
  std::string text;
  for (const Term& term : constraint.observations)
    text += (text.empty() ? "" : " ") + term_text(term, policy.observations);
  for (const Term& term : constraint.actions)
    text += (text.empty() ? "" : " ") + term_text(term, policy.actions);
  if (text.empty()) text = "0";
  if (text.starts_with("+ ")) text.erase(0, 2);
  if (text.starts_with("- ")) text.erase(1, 1);
  return text + " <" + strict + " " + exact_text(constraint.bound);
}

}  // namespace

std::vector<Property> parse_properties(std::string_view text, const Policy& policy) {
  const std::vector<RulePart> parts = split_rules(text);
  require_start(text, parts);
  std::vector<Property> properties;
  for (const RulePart& part : parts) properties.push_back(read_rule(text, part, policy));
  return properties;
}

Property parse_rule(std::string_view when, std::string_view then, const Policy& policy) {
  const bool always = trimmed(when).empty();
  Formula condition = always ? all_of({}) : read_condition(when, "when-condition", policy);
  Formula demand = read_condition(then, "then-condition", policy);
  const std::string text = (always ? "always " : "when " + std::string(trimmed(when)) + " then ") +
                           std::string(trimmed(then));
  return {
      "", text,
      normal_form(violation(std::move(condition), std::move(demand)), "the rule '" + text + "'")};
}

Box parse_box(std::string_view where, const Policy& policy) {
  Box box = declared_box(policy);
  if (!trimmed(where).empty()) narrow(box, read_condition(where, "box", policy));
  return box;
}

std::string to_text(const Property& property, const Policy& policy) {
  std::string text = "never: ";
  if (property.violations.empty()) return text + "nothing";
  for (std::size_t i = 0; i < property.violations.size(); ++i) {
    if (i > 0) text += "; or ";
    const Case& violation = property.violations[i];
    if (violation.empty()) text += "anything";
    for (std::size_t j = 0; j < violation.size(); ++j)
      text += (j > 0 ? " and " : "") + constraint_text(violation[j], policy);
  }
  return text;
}

}  // namespace icct
