#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "icct/train/progress.h"

namespace icct {

// The Castagnoli checksum of `bytes`.
std::uint32_t crc32c(std::string_view bytes);

// A file of numbers over time that TensorBoard draws. It looks for files with "tfevents" in their
// name and joins those of one folder, so that a resumed run may start a file of its own.
class EventFile {
 public:
  // Creates or empties the file. `wall_time`, here and below: seconds since 1970. Throws Error
  // naming the path and the reason.
  EventFile(const std::filesystem::path& path, double wall_time);
  EventFile(const EventFile&) = delete;
  EventFile& operator=(const EventFile&) = delete;
  ~EventFile();  // flushes; a failure goes unnoticed

  // One point of the curve `tag`, kept in memory until flush(). The file holds floats: larger
  // values become the largest one.
  void add(const std::string& tag, std::int64_t step, double wall_time, double value);

  // Writes what was added. Throws Error naming the path and the reason, e.g. a full disk; the next
  // flush then continues where this one stopped.
  void flush();

 private:
  void add_record(const std::string& event);

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::string pending_;
};

// Every number of a row under a tag such as "return/validation", "tree/leaves" or "detail/entropy";
// NaN is left out.
void add_row(EventFile& file, double wall_time, const Progress& progress, const ProgressRow& row);

}  // namespace icct
