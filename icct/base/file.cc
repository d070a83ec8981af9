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

// A new file beside `path`, which goes unless it takes the place of `path`.
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path)
      : path_(path), name_(path.string() + ".XXXXXX"), file_(::mkstemp(name_.data())) {
    if (file_.get() < 0) fail(path_, "create");
  }
  ~NewFile() { ::unlink(name_.c_str()); }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view content) {
    write_all(file_.get(), content, path_);
    if (::fchmod(file_.get(), 0644) != 0 || ::fsync(file_.get()) != 0) fail(path_, "write");
    if (file_.close() != 0) fail(path_, "write");
  }

  void take_place() {
    if (::rename(name_.c_str(), path_.c_str()) != 0) fail(path_, "replace");
  }

 private:
  const std::filesystem::path& path_;
  std::string name_;
  Descriptor file_;
};

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
  NewFile file(path);
  file.write(content);
  file.take_place();
}

void require_writable(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path))
    throw Error(path.string() + ": is a directory, not a file");
  const NewFile file(path);
}

}  // namespace icct
