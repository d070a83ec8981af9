#include "icct/env/sumo/cache.h"

#include <unistd.h>

#include <cstdlib>

#include "icct/base/error.h"
#include "icct/base/file.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (!variable("XDG_CACHE_HOME").empty()) return variable("XDG_CACHE_HOME") / "icct";
  if (!variable("HOME").empty()) return variable("HOME") / ".cache" / "icct";
  return fs::temp_directory_path() / "icct";
}

// FNV-1a, 64 bits: a name for a content, not a protection against anyone.
std::string name_of(const std::string& content) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  constexpr const char* kDigits = "0123456789abcdef";
  std::string name;
  for (int shift = 60; shift >= 0; shift -= 4) name += kDigits[(hash >> shift) & 15U];
  return name;
}

// A file that goes at the end, if it is there.
struct Removed {
  fs::path path;
  ~Removed() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
};

}  // namespace

fs::path cached_file(const std::string& key, const std::string& suffix,
                     const std::function<void(const fs::path& path)>& make) {
  const fs::path folder = cache_folder();
  fs::path result = folder / (name_of(key) + suffix);
  if (fs::exists(result)) return result;
  // Each process makes its own, and the last to finish puts the same content in its place.
  const fs::path own = folder / (name_of(key) + "." + std::to_string(getpid()) + suffix);
  const Removed leftover{own};
  try {
    fs::create_directories(folder);
    make(own);
    fs::rename(own, result);
  } catch (const fs::filesystem_error& problem) {
    throw Error(std::string("cannot keep a network in the cache: ") + problem.what() +
                "; set XDG_CACHE_HOME to a folder that can be written");
  }
  return result;
}

fs::path cached_text(const std::string& text, const std::string& suffix) {
  return cached_file(text, suffix,
                     [&text](const fs::path& path) { write_file_atomically(path, text); });
}

}  // namespace icct
