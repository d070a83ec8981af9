#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace icct {

// The bytes of a regular file of at most `max_bytes`. Throws Error naming the path and the reason.
std::string read_file(const std::filesystem::path& path, std::size_t max_bytes);

// Replaces `path` in one step: readers see the old content or the new, also after a crash or on a
// full disk, when Error is thrown and the old content stays.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// Throws Error if `path` could not be written now: for asking before long work, not after it.
void require_writable(const std::filesystem::path& path);

}  // namespace icct
