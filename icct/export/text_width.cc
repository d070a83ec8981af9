#include "icct/export/text_width.h"

#include <algorithm>

namespace icct {
namespace {

// Of the size of the letters, for ASCII; foreign letters count as wide ones, the bytes that
// continue them as nothing.
double letter_width(char letter) {
  constexpr std::string_view kNarrow = "ijl.,:;'|!I ";
  constexpr std::string_view kSlim = "ft()[]-r/";
  constexpr std::string_view kWide = "mwMWGOQ%@ACDHNRUXB&KVYEPS+=<>";
  const auto byte = static_cast<unsigned char>(letter);
  if ((byte & 0xC0) == 0x80) return 0;
  if (byte >= 0x80) return 0.75;
  if (kNarrow.find(letter) != std::string_view::npos) return 0.3;
  if (kSlim.find(letter) != std::string_view::npos) return 0.36;
  if (letter == 'm' || letter == 'W' || letter == 'M') return 0.92;
  return kWide.find(letter) != std::string_view::npos ? 0.74 : 0.58;
}

// The last place of `sign` where a line may end, 0 if there is none.
std::size_t last_fitting(const std::string& text, std::string_view sign, double width,
                         double font_size) {
  std::size_t last = 0;
  for (std::size_t at = text.find(sign, kContinued.size() + 1); at != std::string::npos;
       at = text.find(sign, at + 1)) {
    if (text_width(std::string_view(text).substr(0, at), font_size) > width) break;
    last = at;
  }
  return last;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double width = 0;
  for (const char letter : text) width += letter_width(letter);
  return width * font_size;
}

std::vector<std::string> wrapped(std::string text, double width, double font_size) {
  std::vector<std::string> lines;
  while (text_width(text, font_size) > width) {
    std::size_t at = std::max(last_fitting(text, " + ", width, font_size),
                              last_fitting(text, " − ", width, font_size));
    if (at == 0) at = last_fitting(text, " ", width, font_size);
    if (at == 0) break;
    lines.push_back(text.substr(0, at));
    text = std::string(kContinued) + text.substr(at + 1);
  }
  lines.push_back(text);
  return lines;
}

}  // namespace icct
