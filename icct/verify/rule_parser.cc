#include "icct/verify/rule_parser.h"

#include <set>
#include <utility>

#include "icct/verify/linear_sum.h"

namespace icct {
namespace {

struct UsedUnit {
  std::string text;
  std::size_t position;
};

class ConditionParser {
 public:
  ConditionParser(RuleScanner& scanner, const Policy& policy) : scanner_(scanner), policy_(policy) {
    for (const Space* space : {&policy.observations, &policy.actions})
      for (const Dimension& dimension : *space) known_units_.insert(dimension.unit);
  }

  Formula any();

 private:
  Formula all();
  Formula one();
  Formula comparison_chain();
  Formula between(const LinearSum& middle, std::size_t start);
  Formula link(const LinearSum& left, std::string_view relation, const LinearSum& right,
               std::size_t start) const;

  LinearSum sum();
  LinearSum term();
  void multiply(LinearSum& value, const LinearSum& factor, std::size_t start) const;
  LinearSum quantity();
  bool take_unit();
  bool is_known(std::string_view name) const;
  void check_units() const;
  std::string known_names() const;

  RuleScanner& scanner_;
  const Policy& policy_;
  std::set<std::string, std::less<>> known_units_;
  int depth_ = 0;
  // Of the comparison that is being read.
  std::vector<const Dimension*> quantities_;
  std::vector<UsedUnit> units_;
};

Formula joined(std::vector<Formula> parts, Formula (*join)(std::vector<Formula>)) {
  return parts.size() == 1 ? std::move(parts.front()) : join(std::move(parts));
}

Formula ConditionParser::any() {
  std::vector<Formula> parts;
  do parts.push_back(all());
  while (scanner_.take_word("or"));
  return joined(std::move(parts), any_of);
}

Formula ConditionParser::all() {
  std::vector<Formula> parts;
  do parts.push_back(one());
  while (scanner_.take_word("and"));
  return joined(std::move(parts), all_of);
}

Formula ConditionParser::one() {
  const std::size_t start = scanner_.position();
  const bool parenthesis = scanner_.take("(");
  if (!parenthesis && !scanner_.take_word("not")) return comparison_chain();
  if (++depth_ > kMaxNesting) {
    scanner_.fail(
        start, "nested deeper than " + std::to_string(kMaxNesting) + " levels; write it flatter");
  }
  Formula formula = parenthesis ? any() : negation(one());
  if (parenthesis && !scanner_.take(")")) scanner_.fail_expecting("'and', 'or' or ')'");
  --depth_;
  return formula;
}

// "a < b", "a < b <= c", "b between a and c"
Formula ConditionParser::comparison_chain() {
  const std::size_t start = scanner_.position();
  quantities_.clear();
  units_.clear();
  std::vector<LinearSum> sums = {sum()};
  if (scanner_.take_word("between")) return between(sums[0], start);
  std::vector<std::string_view> relations;
  while (true) {
    const std::size_t position = scanner_.position();
    const std::string_view relation = scanner_.take_relation();
    if (relation.empty()) break;
    if (!relations.empty() && relation.front() != relations.front().front())
      scanner_.fail(position, "found '" + std::string(relation) + "' after '" +
                                  std::string(relations.front()) +
                                  "'; a chain of comparisons must go one way: use 'and'");
    relations.push_back(relation);
    sums.push_back(sum());
  }
  check_units();
  if (relations.empty()) scanner_.fail_expecting("one of < <= > >= = or 'between'");
  std::vector<Formula> links;
  for (std::size_t i = 0; i < relations.size(); ++i)
    links.push_back(link(sums[i], relations[i], sums[i + 1], start));
  return joined(std::move(links), all_of);
}

Formula ConditionParser::between(const LinearSum& middle, std::size_t start) {
  const LinearSum lower = sum();
  if (!scanner_.take_word("and")) scanner_.fail_expecting("'and' and the upper end of 'between'");
  const LinearSum upper = sum();
  check_units();
  if (lower.is_constant() && upper.is_constant() && lower.constant > upper.constant)
    scanner_.fail(start, "nothing is between these ends; write the lower one first");
  return all_of({link(lower, "<=", middle, start), link(middle, "<=", upper, start)});
}

Formula ConditionParser::link(const LinearSum& left, std::string_view relation,
                              const LinearSum& right, std::size_t start) const {
  if (left.is_constant() && right.is_constant())
    scanner_.fail(start, "two numbers are compared; expected a name on one side; " + known_names());
  std::optional<Formula> formula = comparison(left, relation, right);
  if (!formula) {
    scanner_.fail(start,
                  "the numbers of this comparison add up to one that is no double and would be "
                  "rounded; write the sum as one number");
  }
  return std::move(*formula);
}

// "2 * speed - gap + 3 m"
LinearSum ConditionParser::sum() {
  LinearSum result = term();
  while (true) {
    const bool minus = scanner_.take("-");
    if (!minus && !scanner_.take("+")) return result;
    add(result, term(), minus ? -1 : 1);
  }
}

// "3 m", "speed", "-2 speed", "speed * 2"
LinearSum ConditionParser::term() {
  LinearSum value;
  value.constant = 1;
  const std::size_t start = scanner_.position();
  bool zero = false;
  for (bool more = true; more;) {
    if (scanner_.take("-")) {
      multiply(value, {.constant = -1}, start);
    } else {
      scanner_.take("+");
    }
    bool has_unit = false;
    const std::optional<double> number = scanner_.take_number();
    if (number) {
      if (*number == 0) zero = true;
      multiply(value, {.constant = *number}, start);
      has_unit = take_unit();
    } else {
      multiply(value, quantity(), start);
    }
    more = scanner_.take("*") || (number && !has_unit && scanner_.at_name());
    if (more && has_unit) scanner_.fail(start, "a factor has no unit; leave it out");
  }
  if (zero && !value.is_constant())
    scanner_.fail(start, "a factor is zero; leave the quantity out");
  return value;
}

void ConditionParser::multiply(LinearSum& value, const LinearSum& factor, std::size_t start) const {
  if (!value.is_constant() && !factor.is_constant())
    scanner_.fail(start, "a product of two quantities is not linear; expected numbers as factors");
  std::optional<LinearSum> result = product(value, factor);
  if (!result)
    scanner_.fail(start, "this product is no double and would be rounded; write it as one number");
  value = std::move(*result);
}

LinearSum ConditionParser::quantity() {
  const std::size_t start = scanner_.position();
  if (!scanner_.at_name()) {
    scanner_.fail_expecting(
        scanner_.rest().starts_with('(')
            ? "a number or a name (parentheses are for conditions, not for sums)"
            : "a number or a name");
  }
  const std::string name = scanner_.take_name();
  const std::optional<int> observation = find_dimension(policy_.observations, name);
  const std::optional<int> action = find_dimension(policy_.actions, name);
  if (observation && action) {
    scanner_.fail(start, "'" + name +
                             "' is an observation and an action; rename one of them, or write the "
                             "property in VNN-LIB");
  }
  LinearSum sum;
  if (observation) {
    sum.observations[*observation] = 1;
    quantities_.push_back(&policy_.observations[static_cast<std::size_t>(*observation)]);
  } else if (action) {
    sum.actions[*action] = 1;
    quantities_.push_back(&policy_.actions[static_cast<std::size_t>(*action)]);
  } else {
    scanner_.fail(start, "unknown name '" + name + "'; " + known_names() +
                             " (names with other characters than letters, digits and _ stand in "
                             "single quotes)");
  }
  return sum;
}

// After a number: takes a unit, or what can only be meant as one. Longer units go first, so that
// "m/s" is not read as "m".
bool ConditionParser::take_unit() {
  const std::size_t start = scanner_.position();
  std::size_t size = 0;
  for (const std::string& unit : known_units_) {
    if (unit.size() > size && scanner_.at_unit(unit)) size = unit.size();
  }
  const std::string_view word = scanner_.peek_word();
  if (size > 0 && is_known(word)) {
    scanner_.fail(start, "'" + std::string(word) + "' is a name and a unit; write * and the name " +
                             "in single quotes, or leave the unit out");
  }
  if (size == 0 && !is_keyword(word) && !is_known(word)) size = scanner_.peek_run();
  if (size == 0) return false;
  units_.push_back({std::string(scanner_.take_unit(size)), start});
  return true;
}

bool ConditionParser::is_known(std::string_view name) const {
  return find_dimension(policy_.observations, name) || find_dimension(policy_.actions, name);
}

void ConditionParser::check_units() const {
  for (const UsedUnit& unit : units_) {
    if (quantities_.empty()) {
      scanner_.fail(unit.position,
                    "'" + unit.text +
                        "' is neither a name nor the unit of anything compared here; " +
                        known_names());
    }
    for (const Dimension* quantity : quantities_) {
      if (quantity->unit == unit.text) continue;
      scanner_.fail(
          unit.position,
          "found '" + unit.text + "' after a number, which is compared with '" + quantity->name +
              "'; expected " +
              (quantity->unit.empty() ? "no unit" : "its unit '" + quantity->unit + "' or none") +
              (known_units_.contains(unit.text) ? "" : "; " + known_names()));
    }
  }
}

std::string ConditionParser::known_names() const {
  return "observations: " + list_names(policy_.observations) +
         "; actions: " + list_names(policy_.actions);
}

}  // namespace

Formula parse_condition(RuleScanner& scanner, const Policy& policy) {
  return ConditionParser(scanner, policy).any();
}

}  // namespace icct
