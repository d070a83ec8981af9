#include "icct/export/identifiers.h"

#include <algorithm>
#include <array>
#include <set>

namespace icct {
namespace {

constexpr std::size_t kMaxLength = 40;

// Of C99, C11, JavaScript and structured text, in lower case.
constexpr std::array kKeywords = {
    "abstract",  "action",  "and",        "any",        "array",    "asm",       "async",
    "at",        "auto",    "await",      "bool",       "boolean",  "break",     "by",
    "byte",      "case",    "catch",      "char",       "class",    "complex",   "const",
    "continue",  "date",    "debugger",   "default",    "delete",   "dint",      "do",
    "double",    "dword",   "else",       "elsif",      "enum",     "eval",      "exit",
    "export",    "extends", "extern",     "false",      "final",    "finally",   "float",
    "for",       "from",    "function",   "goto",       "if",       "imaginary", "implements",
    "import",    "in",      "inline",     "instanceof", "int",      "interface", "let",
    "lint",      "long",    "lreal",      "main",       "mod",      "new",       "not",
    "null",      "of",      "on",         "or",         "package",  "private",   "program",
    "protected", "public",  "real",       "register",   "repeat",   "restrict",  "return",
    "short",     "signed",  "sint",       "sizeof",     "static",   "step",      "string",
    "struct",    "super",   "switch",     "task",       "then",     "this",      "throw",
    "time",      "to",      "transition", "true",       "try",      "type",      "typedef",
    "typeof",    "udint",   "uint",       "union",      "unsigned", "until",     "usint",
    "var",       "void",    "volatile",   "while",      "with",     "word",      "xor",
    "yield"};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_keyword(const std::string& name) {
  return std::ranges::find(kKeywords, lower_case(name)) != kKeywords.end();
}

}  // namespace

std::string identifier(std::string_view text, std::string_view fallback) {
  std::string name;
  for (const char c : text) {
    const bool kept = is_letter(c) || (is_digit(c) && !name.empty());
    if (kept)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
    if (name.size() == kMaxLength) break;
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty()) name = fallback;
  return is_keyword(name) ? name + "_value" : name;
}

std::vector<std::string> identifiers(const std::vector<std::string>& texts,
                                     std::string_view fallback) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const std::string& text : texts) {
    const std::string base = identifier(text, fallback);
    std::string name = base;
    for (int i = 2; !used.insert(lower_case(name)).second; ++i)
      name = base + "_" + std::to_string(i);
    names.push_back(name);
  }
  return names;
}

std::string comment_text(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xC0) == 0x80;  // a foreign letter
    if (continues) continue;
    char c = byte >= 0x80 ? '?' : byte < ' ' || byte == '\\' ? ' ' : text[i];
    if (text.substr(i).starts_with("×")) c = 'x';
    const bool closes = c == '/' || c == ')' || c == '*';
    const bool opened =
        !result.empty() && (result.back() == '*' || result.back() == '/' || result.back() == '(');
    if (closes && opened) result += ' ';
    result += c;
  }
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

}  // namespace icct
