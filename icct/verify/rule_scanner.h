#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace icct {

// Walks over a part of a text of rules, from one word, number or sign to the next. Blanks, line
// ends and comments (from # to the end of the line) are skipped before each.
class RuleScanner {
 public:
  // The part from `begin` to `end` of `text`, which must stay alive. `source` names the text in
  // messages ("the condition"); empty if the line says enough.
  RuleScanner(std::string_view text, std::size_t begin, std::size_t end, std::string source);

  bool at_end() const { return at_ == end_; }
  std::size_t position() const { return at_; }      // of what comes next
  std::size_t taken_end() const { return taken_; }  // the end of what was taken last
  std::string_view rest() const { return text_.substr(at_, end_ - at_); }

  std::string_view peek_word() const;  // the next word if one comes next, also a keyword; else ""
  bool at_name() const;                // a word that is no keyword, or a quoted name

  bool take(std::string_view sign);       // whether it came next
  bool take_word(std::string_view word);  // the same for a whole word
  std::string_view take_relation();       // one of < <= > >= =, or ""
  std::optional<double> take_number();    // without a sign; throws Error if no double is near it
  std::string take_name();                // REQUIRES: at_name()

  // Whether `unit` comes next and a blank, a sign or the end follows it.
  bool at_unit(std::string_view unit) const;
  // How many bytes come next without a blank or a sign of the grammar among them.
  std::size_t peek_run() const;
  std::string_view take_unit(std::size_t size);  // the next `size` bytes

  // Throw Error with line and column; the second at what comes next, quoting it.
  [[noreturn]] void fail(std::size_t position, const std::string& message) const;
  [[noreturn]] void fail_expecting(const std::string& what) const;

  // "line 3, column 7", with the source before it.
  std::string place(std::size_t position) const;

 private:
  void move_to(std::size_t position);

  std::string_view text_;
  std::size_t at_;
  std::size_t end_;
  std::size_t taken_;
  std::string source_;
};

// when, then, always, and, or, not, between
bool is_keyword(std::string_view word);

// Letters, digits, _ and every byte of a character beyond ASCII.
bool is_word_byte(char byte);

}  // namespace icct
