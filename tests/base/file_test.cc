#include "icct/base/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>

#include "icct/base/error.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

// An empty folder for each test.
class File : public testing::Test {
 protected:
  File() : folder_(fs::temp_directory_path() / ("icct_file_test" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~File() override { fs::remove_all(folder_); }

  fs::path path(const std::string& name) const { return folder_ / name; }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

 private:
  fs::path folder_;
};

void expect_error(const std::function<void()>& action, const std::string& where,
                  const std::string& what) {
  try {
    action();
    ADD_FAILURE() << "no Error about " << where;
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find(where), 0U) << text;
    EXPECT_NE(text.find(what), std::string::npos) << text;
  }
}

// Files of this process cannot grow beyond a limit: as on a full disk, writing fails half-way.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{bytes, old_limit_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int) = nullptr;
};

TEST_F(File, ReadsBackEveryByteWritten) {
  std::string content(200000, '\0');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 + i / 256);
  write_file_atomically(path("a"), content);
  EXPECT_EQ(read_file(path("a"), content.size()), content);
  write_file_atomically(path("a"), "");
  EXPECT_EQ(read_file(path("a"), 0), "");
}

TEST_F(File, IsRefusedWhenLargerThanTheLimit) {
  write_file_atomically(path("a"), "12345");
  EXPECT_EQ(read_file(path("a"), 5), "12345");
  expect_error([&] { read_file(path("a"), 4); }, path("a").string(), "limit of 4 bytes");
}

TEST_F(File, IsRefusedAtTheLimitAlsoIfItHasNoSize) {
  expect_error([&] { read_file("/dev/zero", 100000); }, "/dev/zero", "limit of 100000 bytes");
}

TEST_F(File, MustExistToBeRead) {
  expect_error([&] { read_file(path("missing"), 10); }, path("missing").string(),
               "cannot open: No such file");
}

TEST_F(File, MustNotBeADirectory) {
  expect_error([&] { read_file(path(""), 10); }, path("").string(), "is a directory");
}

TEST_F(File, IsReplacedAsAWholeWithNothingLeftBehind) {
  write_file_atomically(path("a"), "a long old content");
  std::ifstream reader(path("a"));
  write_file_atomically(path("a"), "new");
  // Whoever has the old file open still reads all of it.
  std::string old_content;
  std::getline(reader, old_content);
  EXPECT_EQ(old_content, "a long old content");
  EXPECT_EQ(read_file(path("a"), 100), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(File, KeepsItsOldContentWhenTheDiskIsFull) {
  write_file_atomically(path("a"), "old");
  {
    const FullDisk full(4096);
    expect_error([&] { write_file_atomically(path("a"), std::string(100000, 'x')); },
                 path("a").string(), "cannot write");
  }
  EXPECT_EQ(read_file(path("a"), 100), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(File, CannotBeWrittenIntoAFolderThatDoesNotExist) {
  const std::string reason = "cannot create: No such file";
  expect_error([&] { write_file_atomically(path("no/a"), "x"); }, path("no/a").string() + ":",
               reason);
  expect_error([&] { require_writable(path("no/a")); }, path("no/a").string() + ":", reason);
}

TEST_F(File, IsNotTouchedByAskingWhetherItCanBeWritten) {
  require_writable(path("a"));
  EXPECT_EQ(files(), 0);
  write_file_atomically(path("a"), "old");
  require_writable(path("a"));
  EXPECT_EQ(read_file(path("a"), 100), "old");
  EXPECT_EQ(files(), 1);
  expect_error([&] { require_writable(path("")); }, path("").string(), "is a directory");
}

TEST_F(File, CannotTakeThePlaceOfADirectory) {
  fs::create_directory(path("d"));
  expect_error([&] { write_file_atomically(path("d"), "x"); }, path("d").string(),
               "cannot replace");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace icct
