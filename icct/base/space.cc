#include "icct/base/space.h"

#include <algorithm>
#include <unordered_set>

#include "icct/base/error.h"

namespace icct {
namespace {

constexpr std::size_t kMaxDimensions = 10'000;

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace

std::optional<int> find_dimension(const Space& space, std::string_view name) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space[i].name == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

void validate_space(const Space& space, std::string_view what) {
  if (space.size() > kMaxDimensions) {
    throw Error("there are " + std::to_string(space.size()) + " " + std::string(what) +
                "s; the limit is " + std::to_string(kMaxDimensions));
  }
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const Dimension& dimension = space[i];
    const std::string where =
        std::string(what) + " " + std::to_string(i) + " ('" + dimension.name + "')";
    if (dimension.name.empty())
      throw Error(where + " has no name; give every " + std::string(what) + " one");
    if (has_control_character(dimension.name) || has_control_character(dimension.unit)) {
      throw Error(where + " has a control character in its name or unit; use printable text");
    }
    if (!seen.insert(dimension.name).second) {
      throw Error(where + " has the name of an earlier one; names must differ");
    }
    if (!(dimension.lower < dimension.upper)) {
      throw Error(where + " has a lower bound that is not below its upper bound");
    }
  }
}

Space numbered_space(std::string_view prefix, int size) {
  Space space;
  for (int i = 1; i <= size; ++i)
    space.push_back({.name = std::string(prefix) + std::to_string(i), .unit = ""});
  return space;
}

std::string list_names(const Space& space) {
  std::string text;
  for (const Dimension& dimension : space) text += (text.empty() ? "" : ", ") + dimension.name;
  return text;
}

}  // namespace icct
