#include "icct/verify/rule_scanner.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";
constexpr std::string_view kSigns = "+-*<>=()#'";

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

bool is_continuation_byte(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

// The bytes of digits[.digits][e[+-]digits] at the start of `text`; none if it starts otherwise.
std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - first;
  };
  std::size_t count = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    count += digits();
  }
  if (count == 0) return 0;
  const std::size_t mantissa = i;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return mantissa;  // "2 e" is a factor and a name
  }
  return i;
}

}  // namespace

bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 7> keywords = {"when", "then", "always", "and",
                                                        "or",   "not",  "between"};
  return std::ranges::find(keywords, word) != keywords.end();
}

bool is_word_byte(char byte) {
  return is_digit(byte) || byte == '_' || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || static_cast<unsigned char>(byte) >= 0x80;
}

RuleScanner::RuleScanner(std::string_view text, std::size_t begin, std::size_t end,
                         std::string source)
    : text_(text), at_(begin), end_(end), taken_(begin), source_(std::move(source)) {
  move_to(begin);
}

void RuleScanner::move_to(std::size_t position) {
  taken_ = position;
  at_ = position;
  while (at_ < end_) {
    if (text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), end_);
    } else if (kBlanks.find(text_[at_]) != std::string_view::npos) {
      ++at_;
    } else {
      return;
    }
  }
}

std::string_view RuleScanner::peek_word() const {
  const std::string_view text = rest();
  if (text.empty() || is_digit(text[0])) return "";
  const auto* const end = std::ranges::find_if_not(text, is_word_byte);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool RuleScanner::at_name() const {
  if (rest().starts_with('\'')) return true;
  const std::string_view word = peek_word();
  return !word.empty() && !is_keyword(word);
}

bool RuleScanner::take(std::string_view sign) {
  if (!rest().starts_with(sign)) return false;
  move_to(at_ + sign.size());
  return true;
}

bool RuleScanner::take_word(std::string_view word) {
  return peek_word() == word && take(word);
}

std::string_view RuleScanner::take_relation() {
  for (const std::string_view relation : {"<=", ">=", "<", ">", "="}) {
    if (take(relation)) return relation;
  }
  return "";
}

std::optional<double> RuleScanner::take_number() {
  const std::string_view digits = rest().substr(0, number_length(rest()));
  if (digits.empty()) return std::nullopt;
  const std::optional<double> value = parse_number(digits);
  if (!value) {
    fail(at_, "the number " + std::string(digits) +
                  " is too large or too close to zero for a double; use another unit");
  }
  move_to(at_ + digits.size());
  return value;
}

std::string RuleScanner::take_name() {
  ICCT_CHECK(at_name());
  if (const std::string_view word = peek_word(); !word.empty()) {
    move_to(at_ + word.size());
    return std::string(word);
  }
  std::string name;
  const std::string_view text = rest();
  for (std::size_t i = 1; i < text.size() && text[i] != '\n'; ++i) {
    const bool quote = text[i] == '\'';
    if (quote && !text.substr(i + 1).starts_with('\'')) {
      move_to(at_ + i + 1);
      return name;
    }
    name += text[i];
    if (quote) ++i;  // '' stands for one quote
  }
  fail(at_, "this quoted name has no end; expected ' on the same line");
}

std::string_view RuleScanner::take_unit(std::size_t size) {
  const std::string_view unit = rest().substr(0, size);
  move_to(at_ + unit.size());
  return unit;
}

std::size_t RuleScanner::peek_run() const {
  const std::string_view text = rest();
  return std::min({text.size(), text.find_first_of(kBlanks), text.find_first_of(kSigns)});
}

bool RuleScanner::at_unit(std::string_view unit) const {
  if (unit.empty() || kSigns.find(unit.front()) != std::string_view::npos || is_keyword(unit))
    return false;
  if (!rest().starts_with(unit)) return false;
  const std::string_view after = rest().substr(unit.size());
  return after.empty() || kBlanks.find(after[0]) != std::string_view::npos ||
         kSigns.find(after[0]) != std::string_view::npos;
}

std::string RuleScanner::place(std::size_t position) const {
  const std::string_view before = text_.substr(0, position);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t line_end = before.rfind('\n');
  const std::string_view in_line =
      line_end == std::string_view::npos ? before : before.substr(line_end + 1);
  // Columns count characters, not bytes.
  const auto column = std::ranges::count_if(in_line, std::not_fn(is_continuation_byte)) + 1;
  return (source_.empty() ? "" : source_ + ", ") + "line " + std::to_string(line) + ", column " +
         std::to_string(column);
}

void RuleScanner::fail(std::size_t position, const std::string& message) const {
  throw Error(place(position) + ": " + message);
}

void RuleScanner::fail_expecting(const std::string& what) const {
  std::string found = "the end";
  if (!at_end()) {
    std::size_t length = std::max({std::size_t{1}, peek_word().size(), number_length(rest())});
    while (length < rest().size() && is_continuation_byte(rest()[length])) ++length;
    found = "'" + std::string(rest().substr(0, length)) + "'";
  }
  fail(at_, "found " + found + ", expected " + what);
}

}  // namespace icct
