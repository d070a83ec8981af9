#include "icct/run/event_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "icct/base/file.h"
#include "tests/complaint.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

struct Event {
  double wall_time = 0;
  std::int64_t step = 0;
  std::string file_version;
  std::string tag;
  std::optional<float> value;
};

// Takes numbers from the front of some bytes.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }

  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) throw Error("the bytes end too early");
    const std::string_view front = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return front;
  }
  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
  }

 private:
  std::string_view bytes_;
};

void read_value(std::string_view bytes, Event& event) {
  for (Reader reader(bytes); !reader.done();) {
    const std::uint64_t key = reader.varint();
    if (key == (1 << 3 | 2)) {
      event.tag = reader.take(reader.varint());
    } else if (key == (2 << 3 | 5)) {
      event.value = reader.number<float>();
    } else {
      throw Error("unknown field in a value");
    }
  }
}

Event read_event(std::string_view bytes) {
  Event event;
  for (Reader reader(bytes); !reader.done();) {
    const std::uint64_t key = reader.varint();
    if (key == (1 << 3 | 1)) {
      event.wall_time = reader.number<double>();
    } else if (key == (2 << 3 | 0)) {
      event.step = static_cast<std::int64_t>(reader.varint());
    } else if (key == (3 << 3 | 2)) {
      event.file_version = reader.take(reader.varint());
    } else if (key == (5 << 3 | 2)) {
      Reader summary(reader.take(reader.varint()));
      EXPECT_EQ(summary.varint(), 1U << 3 | 2U);
      read_value(summary.take(summary.varint()), event);
      EXPECT_TRUE(summary.done());
    } else {
      throw Error("unknown field in an event");
    }
  }
  return event;
}

std::uint32_t masked(std::uint32_t crc) {
  return (crc >> 15 | crc << 17) + 0xA282EAD8U;
}

std::vector<Event> read_events(const fs::path& path) {
  const std::string bytes = read_file(path, 1 << 20);
  std::vector<Event> events;
  for (Reader reader(bytes); !reader.done();) {
    const std::string_view length = reader.take(8);
    EXPECT_EQ(reader.number<std::uint32_t>(), masked(crc32c(length)));
    const std::string_view payload = reader.take(Reader(length).number<std::uint64_t>());
    EXPECT_EQ(reader.number<std::uint32_t>(), masked(crc32c(payload)));
    events.push_back(read_event(payload));
  }
  return events;
}

class EventFileTest : public testing::Test {
 protected:
  ~EventFileTest() override { fs::remove(path_); }

  const fs::path path_ =
      fs::temp_directory_path() / ("events.out.tfevents.icct_test" + std::to_string(::getpid()));
};

TEST(Crc32c, AgreesWithKnownChecksums) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

TEST_F(EventFileTest, BeginsWithItsVersion) {
  const EventFile file(path_, 1.7e9);
  // The length and its checksum as every file of TensorFlow has them.
  const std::string expected("\x18\0\0\0\0\0\0\0\xA3\x7F\x4B\x22", 12);
  EXPECT_EQ(read_file(path_, 1000).substr(0, 12), expected);
  const auto events = read_events(path_);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].file_version, "brain.Event:2");
  EXPECT_EQ(events[0].wall_time, 1.7e9);
}

TEST_F(EventFileTest, HoldsWhatWasAddedInItsOrder) {
  EventFile file(path_, 0);
  const std::string long_tag(300, 't');
  file.add("return/best", 3'000'000'000, 1.7e9 + 0.5, -1.25);
  file.add(long_tag, 0, 2, 1.0 / 3);
  file.flush();
  const auto events = read_events(path_);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[1].tag, "return/best");
  EXPECT_EQ(events[1].step, 3'000'000'000);
  EXPECT_EQ(events[1].wall_time, 1.7e9 + 0.5);
  EXPECT_EQ(events[1].value, -1.25F);
  EXPECT_EQ(events[2].tag, long_tag);
  EXPECT_EQ(events[2].value, static_cast<float>(1.0 / 3));
}

TEST_F(EventFileTest, KeepsValuesBeyondFloatsFinite) {
  EventFile file(path_, 0);
  file.add("a", 1, 0, -1e300);
  file.flush();
  EXPECT_EQ(read_events(path_).at(1).value, std::numeric_limits<float>::lowest());
}

TEST_F(EventFileTest, IsWrittenOnlyByFlushAndAtTheEnd) {
  {
    EventFile file(path_, 0);
    file.add("a", 1, 0, 1);
    EXPECT_EQ(read_events(path_).size(), 1U);
    file.flush();
    EXPECT_EQ(read_events(path_).size(), 2U);
    file.add("a", 2, 0, 1);
  }
  EXPECT_EQ(read_events(path_).size(), 3U);
}

TEST_F(EventFileTest, ReplacesAnOlderFile) {
  write_file_atomically(path_, std::string(5000, 'x'));
  const EventFile file(path_, 0);
  EXPECT_EQ(read_events(path_).size(), 1U);
}

TEST_F(EventFileTest, SaysWhichFileCannotBeWrittenAndWhy) {
  EXPECT_EQ(complaint([] { EventFile("/dev/full", 0); }),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(complaint([] { EventFile("/no/such/folder/events", 0); }),
            "/no/such/folder/events: cannot create: No such file or directory");
}

TEST_F(EventFileTest, ContinuesWhereItStoppedOnceTheDiskHasRoomAgain) {
  EventFile file(path_, 0);
  for (int i = 0; i < 100; ++i) file.add("some/tag", i, 0, i);
  // Files of this process cannot grow beyond a limit: writing fails inside a record.
  auto* const old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{.rlim_cur = 1001, .rlim_max = old_limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string text = complaint([&] { file.flush(); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  EXPECT_EQ(text, path_.string() + ": cannot write: File too large");
  EXPECT_EQ(fs::file_size(path_), 1001U);
  file.flush();
  const auto events = read_events(path_);
  ASSERT_EQ(events.size(), 101U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(events[static_cast<std::size_t>(i) + 1].step, i);
}

TEST_F(EventFileTest, HoldsEveryNumberOfARowButNaN) {
  const Progress progress{.detail_names = {"entropy", "loss"}, .rows = {}};
  const ProgressRow row = {.steps = 500,
                           .episodes = 7,
                           .seconds = 2.5,
                           .stage = "grow",
                           .training_return = std::numeric_limits<double>::quiet_NaN(),
                           .validation_mean = 10,
                           .validation_error = 1,
                           .validation_worst = 5,
                           .best_validation = 12,
                           .leaves = 8,
                           .parameters = 82,
                           .details = {0.5, std::numeric_limits<double>::quiet_NaN()}};
  EventFile file(path_, 0);
  add_row(file, 99, progress, row);
  file.flush();
  std::map<std::string, float> values;
  for (const Event& event : read_events(path_)) {
    if (!event.value) continue;
    EXPECT_EQ(event.step, 500);
    EXPECT_EQ(event.wall_time, 99);
    values[event.tag] = *event.value;
  }
  EXPECT_EQ(values, (std::map<std::string, float>{{"return/validation", 10},
                                                  {"return/validation_error", 1},
                                                  {"return/validation_worst", 5},
                                                  {"return/best", 12},
                                                  {"tree/leaves", 8},
                                                  {"tree/parameters", 82},
                                                  {"run/episodes", 7},
                                                  {"run/seconds", 2.5},
                                                  {"detail/entropy", 0.5}}));
}

}  // namespace
}  // namespace icct
