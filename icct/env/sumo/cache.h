#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace icct {

// A file named after its content, made by `make(path)` unless it is there already. It lies in
// $XDG_CACHE_HOME/icct, else ~/.cache/icct, else a temporary folder. `key` is everything that the
// content depends on; several processes may ask at once.
std::filesystem::path cached_file(
    const std::string& key, const std::string& suffix,
    const std::function<void(const std::filesystem::path& path)>& make);

// The same for a text that is its own key.
std::filesystem::path cached_text(const std::string& text, const std::string& suffix);

}  // namespace icct
