#include "icct/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "icct/base/error.h"

namespace icct {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& action) {
  throw Error(path.string() + ": cannot " + action + ": " + std::strerror(errno));
}

void write_all(int fd, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "write");
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

// `temporary` ends in XXXXXX, which becomes a name that nobody else uses.
void write_and_sync(std::string& temporary, std::string_view content) {
  Descriptor file(::mkstemp(temporary.data()));
  if (file.get() < 0) fail(temporary, "create");
  write_all(file.get(), content, temporary);
  if (::fchmod(file.get(), 0644) != 0 || ::fsync(file.get()) != 0) fail(temporary, "write");
  if (file.close() != 0) fail(temporary, "write");
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, "open");
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(path, "read");
  if (S_ISDIR(status.st_mode)) throw Error(path.string() + ": is a directory, not a file");

  // Pipes and devices have no size to trust, so the limit is kept while reading.
  std::string content;
  std::string chunk(1 << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(file.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(path, "read");
    if (count == 0) return content;
    content.append(chunk.data(), static_cast<std::size_t>(count));
    if (content.size() > max_bytes) {
      throw Error(path.string() + ": larger than the limit of " + std::to_string(max_bytes) +
                  " bytes");
    }
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  std::string temporary = path.string() + ".XXXXXX";
  try {
    write_and_sync(temporary, content);
    if (::rename(temporary.c_str(), path.c_str()) != 0) fail(path, "replace");
  } catch (const Error&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

}  // namespace icct
