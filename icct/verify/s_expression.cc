#include "icct/verify/s_expression.h"

#include <algorithm>
#include <string>
#include <utility>

#include "icct/base/error.h"
#include "icct/verify/normal_form.h"

namespace icct {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

[[noreturn]] void fail(int line, const std::string& message) {
  throw Error("line " + std::to_string(line) + ": " + message);
}

}  // namespace

std::vector<SExpression> read_s_expressions(std::string_view text) {
  // The lists that are still open, outermost first; the text as a whole is the first of them.
  std::vector<SExpression> open(1);
  int line = 1;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t next = i + 1;
    if (text[i] == '\n') {
      ++line;
    } else if (text[i] == ';') {
      next = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '(') {
      if (open.size() > kMaxNesting)
        fail(line, "nested deeper than " + std::to_string(kMaxNesting) + " levels");
      open.push_back({.line = line, .is_list = true});
    } else if (text[i] == ')') {
      if (open.size() == 1) fail(line, "found ')' without a '(' before it");
      SExpression closed = std::move(open.back());
      open.pop_back();
      open.back().parts.push_back(std::move(closed));
    } else if (kBlanks.find(text[i]) == std::string_view::npos) {
      next = std::min(text.find_first_of(" \t\r\n\v\f();", i), text.size());
      open.back().parts.push_back({.line = line, .atom = text.substr(i, next - i)});
    }
    i = next;
  }
  if (open.size() > 1) fail(open.back().line, "this '(' is never closed");
  return std::move(open.front().parts);
}

}  // namespace icct
