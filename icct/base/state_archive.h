#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "icct/base/rng.h"

namespace icct {

// Saves or restores the state of objects, so that a run continues exactly. An object lists its
// fields once, in visit_state(StateArchive&), for both directions:
//
//   StateArchive saved;                       StateArchive restored(bytes);
//   sac.visit_state(saved);                   sac.visit_state(restored);
//   std::string bytes = saved.take_bytes();   restored.finish();
//
// The bytes are those of this machine. Names and lengths are checked when they are read back; an
// object for which that failed is half restored and must not be used.
class StateArchive {
 public:
  StateArchive() = default;                                                        // saves
  explicit StateArchive(std::string_view bytes) : reading_(true), rest_(bytes) {}  // restores

  bool reading() const { return reading_; }

  // All throw Error when reading bytes that hold another name or length.
  template <class T>
  void values(std::string_view name, std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    field(name, std::as_writable_bytes(values));
  }
  template <class T>
  void value(std::string_view name, T& value) {
    values(name, std::span<T>(&value, 1));
  }
  void rng(std::string_view name, Rng& rng);

  // These may change their length when read.
  template <class T>
  void list(std::string_view name, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    values.resize(length(name, values.size()));
    this->values(name, std::span<T>(values));
  }
  void text(std::string_view name, std::string& text);

  std::string take_bytes();  // what was saved
  void finish() const;       // throws Error unless everything was read

 private:
  void field(std::string_view name, std::span<std::byte> bytes);
  std::size_t length(std::string_view name, std::size_t present);
  std::string_view read(std::size_t size, std::string_view name);

  bool reading_ = false;
  std::string saved_;
  std::string_view rest_;  // to be read
};

}  // namespace icct
