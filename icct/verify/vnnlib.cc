#include "icct/verify/vnnlib.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/verify/linear_sum.h"
#include "icct/verify/normal_form.h"
#include "icct/verify/s_expression.h"

namespace icct {
namespace {

[[noreturn]] void fail(const SExpression& at, const std::string& message) {
  throw Error("line " + std::to_string(at.line) + ": " + message);
}

std::string quoted(const SExpression& expression) {
  return expression.is_list ? "a list" : "'" + std::string(expression.atom) + "'";
}

// The first part of a list that starts with a word, else nothing.
std::string_view head_of(const SExpression& expression) {
  return expression.parts.empty() ? "" : expression.parts[0].atom;
}

class Reader {
 public:
  explicit Reader(const Policy& policy)
      : observations_(policy.observations.size()), actions_(policy.actions.size()) {}

  Formula read(const std::vector<SExpression>& commands);

 private:
  // The variables of one letter that are declared so far.
  using Declared = std::vector<bool>;

  void declare(const SExpression& command);
  void require_all(const Declared& declared, const std::string& letter,
                   const std::string& what) const;
  std::size_t index_of(const SExpression& name, const Declared& declared) const;

  Formula formula(const SExpression& expression) const;
  Formula compared(const SExpression& expression) const;
  LinearSum sum(const SExpression& expression) const;
  LinearSum atom(const SExpression& expression) const;
  LinearSum multiplied(const SExpression& expression) const;

  Declared observations_;
  Declared actions_;
};

Formula Reader::read(const std::vector<SExpression>& commands) {
  std::vector<Formula> assertions;
  for (const SExpression& command : commands) {
    const std::string_view head = head_of(command);
    if (head == "declare-const" || head == "declare-fun") {
      declare(command);
    } else if (head == "assert" && command.parts.size() == 2) {
      assertions.push_back(formula(command.parts[1]));
    } else if (head != "set-logic" && head != "check-sat") {
      fail(command, "expected (declare-const X_0 Real) or (assert ...) with one condition, found " +
                        (head.empty() ? quoted(command) : "'(" + std::string(head) + " ...'"));
    }
  }
  require_all(observations_, "X", "observations");
  require_all(actions_, "Y", "actions");
  if (assertions.empty()) throw Error("there is no assertion; expected (assert ...)");
  return all_of(std::move(assertions));
}

void Reader::declare(const SExpression& command) {
  const bool function = head_of(command) == "declare-fun";
  const std::vector<SExpression>& parts = command.parts;
  const bool complete = parts.size() == (function ? 4U : 3U) && parts.back().atom == "Real" &&
                        (!function || (parts[2].is_list && parts[2].parts.empty()));
  if (!complete) fail(command, "expected (declare-const X_0 Real), with X_ or Y_ and a number");
  Declared& declared = parts[1].atom.starts_with('X') ? observations_ : actions_;
  const std::size_t index = index_of(parts[1], declared);
  if (declared[index]) fail(parts[1], quoted(parts[1]) + " is declared twice");
  declared[index] = true;
}

void Reader::require_all(const Declared& declared, const std::string& letter,
                         const std::string& what) const {
  const auto missing = std::ranges::find(declared, false);
  if (missing == declared.end()) return;
  throw Error(letter + "_" + std::to_string(missing - declared.begin()) +
              " is not declared, but the policy has " + std::to_string(declared.size()) + " " +
              what + "; was the file written for another one?");
}

// The number behind X_ or Y_. Throws Error if the policy has none such.
std::size_t Reader::index_of(const SExpression& name, const Declared& declared) const {
  const bool observation = &declared == &observations_;
  const std::string_view prefix = observation ? "X_" : "Y_";
  const std::string_view digits =
      name.atom.starts_with(prefix) ? name.atom.substr(2) : std::string_view();
  std::size_t index = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool known =
      status == std::errc() && index < declared.size() && digits == std::to_string(index);
  if (!known) {
    fail(name, "unknown variable " + quoted(name) + "; the policy has " +
                   std::to_string(observations_.size()) + " observations X_0, X_1, ... and " +
                   std::to_string(actions_.size()) + " actions Y_0, Y_1, ...");
  }
  return index;
}

Formula Reader::formula(const SExpression& expression) const {
  if (expression.atom == "true") return all_of({});
  if (expression.atom == "false") return any_of({});
  const std::string_view head = head_of(expression);
  if (head == "<" || head == "<=" || head == ">" || head == ">=" || head == "=")
    return compared(expression);
  const bool known = head == "and" || head == "or" || head == "not";
  if (!known || (head == "not" && expression.parts.size() != 2)) {
    fail(expression, "found " +
                         (head.empty() ? quoted(expression) : "'" + std::string(head) + "'") +
                         ", expected a condition: and, or, not (of one), < <= > >= or =");
  }
  std::vector<Formula> parts;
  for (std::size_t i = 1; i < expression.parts.size(); ++i)
    parts.push_back(formula(expression.parts[i]));
  if (head == "not") return negation(std::move(parts[0]));
  return head == "and" ? all_of(std::move(parts)) : any_of(std::move(parts));
}

Formula Reader::compared(const SExpression& expression) const {
  if (expression.parts.size() < 3) fail(expression, "a comparison needs two sides");
  std::vector<Formula> links;
  LinearSum left = sum(expression.parts[1]);
  for (std::size_t i = 2; i < expression.parts.size(); ++i) {
    LinearSum right = sum(expression.parts[i]);
    std::optional<Formula> link = comparison(left, head_of(expression), right);
    if (!link) {
      fail(expression,
           "the numbers of this comparison add up to one that is no double and would be rounded");
    }
    links.push_back(std::move(*link));
    left = std::move(right);
  }
  return links.size() == 1 ? std::move(links[0]) : all_of(std::move(links));
}

LinearSum Reader::sum(const SExpression& expression) const {
  if (!expression.is_list) return atom(expression);
  const std::string_view head = head_of(expression);
  if (expression.parts.size() < 2 || (head != "+" && head != "-" && head != "*"))
    fail(expression, "expected a number, a variable or a sum with + - *");
  if (head == "*") return multiplied(expression);
  LinearSum result;
  for (std::size_t i = 1; i < expression.parts.size(); ++i) {
    const bool negative = head == "-" && (i > 1 || expression.parts.size() == 2);
    add(result, sum(expression.parts[i]), negative ? -1 : 1);
  }
  return result;
}

LinearSum Reader::atom(const SExpression& expression) const {
  const std::string_view text = expression.atom;
  LinearSum result;
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('.') || (!digits.empty() && digits[0] >= '0' && digits[0] <= '9')) {
    const std::optional<double> number = parse_number(text);
    if (!number) fail(expression, quoted(expression) + " is no number that a double can hold");
    result.constant = *number;
    return result;
  }
  const bool observation = text.starts_with('X');
  const Declared& declared = observation ? observations_ : actions_;
  const std::size_t index = index_of(expression, declared);
  if (!declared[index]) fail(expression, quoted(expression) + " is used before it is declared");
  (observation ? result.observations : result.actions)[static_cast<int>(index)] = 1;
  return result;
}

LinearSum Reader::multiplied(const SExpression& expression) const {
  LinearSum result = sum(expression.parts[1]);
  for (std::size_t i = 2; i < expression.parts.size(); ++i) {
    const LinearSum factor = sum(expression.parts[i]);
    if (!factor.is_constant() && !result.is_constant())
      fail(expression, "a product of two variables is not linear");
    std::optional<LinearSum> next = product(result, factor);
    if (!next) fail(expression, "this product is no double and would be rounded");
    result = std::move(*next);
  }
  return result;
}

// The shortest decimal that reads back as `value`; SMT-LIB knows no exponents.
std::string decimal_text(double value) {
  std::array<char, 400> buffer{};
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  const std::string text(buffer.data(), end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string condition_text(const Constraint& constraint) {
  // Gains and variables, observations first.
  std::vector<std::pair<double, std::string>> terms;
  for (const Term& term : constraint.observations)
    terms.emplace_back(term.gain, "X_" + std::to_string(term.feature));
  for (const Term& term : constraint.actions)
    terms.emplace_back(term.gain, "Y_" + std::to_string(term.feature));
  const std::string strict = constraint.strict ? "" : "=";
  const double bound = constraint.bound;
  // The two forms that every reader of the format knows: a bound, and one variable below another.
  if (terms.size() == 1 && terms[0].first == -1)
    return "(>" + strict + " " + terms[0].second + " " + decimal_text(0 - bound) + ")";
  if (terms.size() == 2 && terms[0].first * terms[1].first == -1 && bound == 0 &&
      (terms[0].first == 1 || terms[1].first == 1)) {
    const bool ascending = terms[0].first == 1;
    return "(<" + strict + " " + terms[ascending ? 0 : 1].second + " " +
           terms[ascending ? 1 : 0].second + ")";
  }
  std::string sum;
  for (const auto& [gain, name] : terms)
    sum += " " + (gain == 1 ? name : "(* " + decimal_text(gain) + " " + name + ")");
  if (terms.empty()) sum = " 0.0";
  return "(<" + strict + (terms.size() > 1 ? " (+" + sum + ")" : sum) + " " + decimal_text(bound) +
         ")";
}

std::string comment(std::string_view text) {
  std::string result = "; ";
  for (const char c : text) {
    if (c == '\n') result += "\n; ";
    if (c != '\n' && c != '\r') result += c;
  }
  return result + "\n";
}

std::string declarations(const Space& space, const std::string& prefix) {
  std::string text;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::string unit = space[i].unit.empty() ? "" : " [" + space[i].unit + "]";
    text +=
        comment(space[i].name + unit) + "(declare-const " + prefix + std::to_string(i) + " Real)\n";
  }
  return text;
}

std::string case_text(const Case& violation) {
  if (violation.empty()) return "true";
  std::string text = "(and";
  for (const Constraint& constraint : violation) text += " " + condition_text(constraint);
  return text + ")";
}

std::string assertions(const std::vector<Case>& violations) {
  if (violations.empty()) return "(assert false)\n";
  std::string text;
  if (violations.size() == 1 && !violations[0].empty()) {
    for (const Constraint& constraint : violations[0])
      text += "(assert " + condition_text(constraint) + ")\n";
    return text;
  }
  for (const Case& violation : violations) text += "\n  " + case_text(violation);
  return "(assert (or" + text + "))\n";
}

}  // namespace

Property read_vnnlib(std::string_view text, const Policy& policy) {
  const Formula formula = Reader(policy).read(read_s_expressions(text));
  return {"", std::string(text), normal_form(formula, "the VNN-LIB property")};
}

std::string write_vnnlib(const Property& property, const Policy& policy) {
  std::string text;
  if (!property.name.empty()) text += comment(property.name);
  // A text that was VNN-LIB already says nothing new.
  const bool is_rule = property.text.find("(assert") == std::string::npos;
  if (is_rule && !property.text.empty()) text += comment(property.text);
  text += comment("A point that fulfils the assertions violates the property.");
  text += declarations(policy.observations, "X_") + declarations(policy.actions, "Y_");
  return text + assertions(property.violations);
}

}  // namespace icct
