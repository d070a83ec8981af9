#include "icct/base/state_archive.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "icct/base/error.h"

namespace icct {
namespace {

constexpr char kAdvice[] = "; it was saved with other options or by another version";

void append(std::string& target, std::uint64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  target.append(bytes, sizeof number);
}

std::uint64_t to_number(std::string_view bytes) {
  std::uint64_t number;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

void StateArchive::rng(std::string_view name, Rng& rng) {
  Rng::State state = rng.state();
  values(name, std::span<std::uint64_t>(state));
  rng.set_state(state);
}

void StateArchive::text(std::string_view name, std::string& text) {
  text.resize(length(name, text.size()));
  values(name, std::span<char>(text));
}

// The saved length of a list. No list is longer than what is left to read: nothing is allocated for
// a damaged length.
std::size_t StateArchive::length(std::string_view name, std::size_t present) {
  std::uint64_t length = present;
  value(std::string(name) + ".length", length);
  if (reading_ && length > rest_.size())
    throw Error("saved state: it ends before '" + std::string(name) + "'" + kAdvice);
  return length;
}

std::string StateArchive::take_bytes() {
  return std::move(saved_);
}

void StateArchive::finish() const {
  if (!rest_.empty())
    throw Error("saved state: " + std::to_string(rest_.size()) + " bytes are left over" + kAdvice);
}

std::string_view StateArchive::read(std::size_t size, std::string_view name) {
  if (rest_.size() < size)
    throw Error("saved state: it ends before '" + std::string(name) + "'" + kAdvice);
  const std::string_view part = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return part;
}

// A field: length of the name, name, length of the content, content.
void StateArchive::field(std::string_view name, std::span<std::byte> bytes) {
  if (!reading_) {
    append(saved_, name.size());
    saved_.append(name);
    append(saved_, bytes.size());
    saved_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return;
  }
  const std::string_view found = read(to_number(read(sizeof(std::uint64_t), name)), name);
  if (found != name)
    throw Error("saved state: expected '" + std::string(name) + "', found '" + std::string(found) +
                "'" + kAdvice);
  const std::uint64_t size = to_number(read(sizeof(std::uint64_t), name));
  if (size != bytes.size())
    throw Error("saved state: '" + std::string(name) + "' has " + std::to_string(size) +
                " bytes instead of " + std::to_string(bytes.size()) + kAdvice);
  const std::string_view content = read(size, name);
  if (!content.empty()) std::memcpy(bytes.data(), content.data(), content.size());
}

}  // namespace icct
