#include "icct/base/state_archive.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>

#include "tests/complaint.h"

namespace icct {
namespace {

using Visit = std::function<void(StateArchive&)>;

std::string saved_by(const Visit& visit) {
  StateArchive archive;
  visit(archive);
  return archive.take_bytes();
}

void expect_complaint(const std::string& bytes, const Visit& visit, const std::string& part) {
  StateArchive archive(bytes);
  const std::string text = complaint([&] {
    visit(archive);
    archive.finish();
  });
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(StateArchive, ListsAndTextsComeBackWithTheirOwnLengths) {
  std::vector<double> numbers = {1.5, -0.0, 1e300};
  std::vector<int> none;
  std::string text("a\0b\n", 4);
  const Visit visit = [&](StateArchive& archive) {
    archive.list("numbers", numbers);
    archive.list("none", none);
    archive.text("text", text);
  };
  const std::string bytes = saved_by(visit);
  numbers = {7};
  none = {1, 2, 3};
  text = "something much longer than what was saved";
  StateArchive archive(bytes);
  visit(archive);
  archive.finish();
  EXPECT_EQ(numbers, (std::vector{1.5, -0.0, 1e300}));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(text, std::string("a\0b\n", 4));
  EXPECT_EQ(saved_by(visit), bytes);
}

TEST(StateArchive, ValuesAndGeneratorsComeBack) {
  double value = 2.5;
  std::vector<float> values = {1, 2, 3};
  Rng rng(5);
  rng.next();
  const Visit visit = [&](StateArchive& archive) {
    archive.value("value", value);
    archive.values("values", std::span<float>(values));
    archive.rng("rng", rng);
  };
  const std::string bytes = saved_by(visit);
  const std::uint64_t next = rng.next();
  value = 0;
  values = {0, 0, 0};
  StateArchive archive(bytes);
  visit(archive);
  EXPECT_EQ(value, 2.5);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(rng.next(), next);
}

TEST(StateArchive, SaysWhichFieldDiffersAndWhy) {
  double value = 1;
  const std::string bytes = saved_by([&](StateArchive& a) { a.value("speed", value); });
  int narrow = 0;
  expect_complaint(
      bytes, [&](StateArchive& a) { a.value("height", value); },
      "expected 'height', found 'speed'; it was saved with other options");
  expect_complaint(
      bytes, [&](StateArchive& a) { a.value("speed", narrow); }, "'speed' has 8 bytes instead of");
  expect_complaint(
      bytes, [](StateArchive&) {}, "bytes are left over");
  expect_complaint(
      bytes,
      [&](StateArchive& a) {
        a.value("speed", value);
        a.value("height", value);
      },
      "it ends before 'height'");
}

TEST(StateArchive, BytesThatAreCutOffAnywhereAreRefused) {
  std::vector<double> numbers = {1, 2};
  std::string text = "abc";
  const Visit visit = [&](StateArchive& archive) {
    archive.list("numbers", numbers);
    archive.text("text", text);
  };
  const std::string bytes = saved_by(visit);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    expect_complaint(bytes.substr(0, size), visit, "saved state: it ends before");
}

// The length of a list lies behind the name of its field and two lengths.
std::string with_length(std::string bytes, const std::string& name, std::uint64_t length) {
  const std::size_t at = bytes.find(name + ".length") + name.size() + 7 + sizeof length;
  std::memcpy(bytes.data() + at, &length, sizeof length);
  return bytes;
}

TEST(StateArchive, ADamagedLengthIsRefusedBeforeAnythingIsAllocated) {
  std::vector<double> numbers = {1, 2, 3};
  std::string text = "abc";
  const Visit list = [&](StateArchive& archive) { archive.list("numbers", numbers); };
  const Visit words = [&](StateArchive& archive) { archive.text("words", text); };
  const std::string of_list = saved_by(list);
  const std::string of_words = saved_by(words);
  // Were it allocated, the largest would throw something else than Error, the others be seen here.
  for (const std::uint64_t length :
       {std::uint64_t{1} << 33, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    expect_complaint(with_length(of_list, "numbers", length), list, "it ends before 'numbers'");
    expect_complaint(with_length(of_words, "words", length), words, "it ends before 'words'");
    EXPECT_EQ(numbers.capacity(), 3U);
    EXPECT_LT(text.capacity(), 100U);
  }
  expect_complaint(with_length(of_list, "numbers", 2), list,
                   "'numbers' has 24 bytes instead of 16");
}

}  // namespace
}  // namespace icct
