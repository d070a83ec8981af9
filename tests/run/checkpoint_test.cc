#include "icct/run/checkpoint.h"

#include <gtest/gtest.h>

#include "icct/base/file.h"
#include "tests/complaint.h"
#include "tests/temporary_folder.h"
#include "tests/tracking_environment.h"
#include "tests/train/learning.h"
#include "tests/train/short_options.h"

namespace icct {
namespace {

// A learner that is on its way, and the checkpoint it wrote.
class Checkpoint : public testing::Test {
 protected:
  Checkpoint() : workers_(tracking(), 1) {}

  std::unique_ptr<Learner> make(const std::string& algorithm) {
    return make_learner(short_options(algorithm), tracking(), workers_, 1);
  }
  std::unique_ptr<Learner> begun(const std::string& algorithm) {
    auto learner = make(algorithm);
    for (int i = 0; i < 25; ++i) learner->advance();
    return learner;
  }
  std::filesystem::path path() const { return folder_ / "checkpoint"; }
  std::string content() const { return read_file(path(), 1 << 24); }

  // What loading says when the file holds something else.
  std::string complaint_about(const std::string& content, const std::string& options = "{}") {
    write_file_atomically(path(), content);
    const auto learner = make("search");
    return complaint([&] { load_checkpoint(path(), options, *learner); });
  }
  void expect_complaint(const std::string& text, const std::string& part) {
    EXPECT_EQ(text.find(path().string() + ": "), 0U) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("delete this checkpoint to start the run over"), std::string::npos) << text;
  }

 private:
  TemporaryFolder folder_;
  Workers workers_;
};

TEST_F(Checkpoint, HoldsTheWholeStateOfALearner) {
  for (const char* algorithm : {"search", "sac", "td3"}) {
    const auto learner = begun(algorithm);
    save_checkpoint(path(), "{}", *learner);
    const auto other = make(algorithm);
    load_checkpoint(path(), "{}", *other);
    EXPECT_TRUE(bytes_of(*other) == bytes_of(*learner));
    finish(*learner);
    finish(*other);
    EXPECT_EQ(other->selection().best(), learner->selection().best());
  }
}

TEST_F(Checkpoint, IsReplacedByTheNextOne) {
  const auto learner = begun("search");
  save_checkpoint(path(), "{}", *learner);
  learner->advance();
  save_checkpoint(path(), "{}", *learner);
  const auto other = make("search");
  load_checkpoint(path(), "{}", *other);
  EXPECT_EQ(other->steps(), learner->steps());
}

TEST_F(Checkpoint, IsRefusedWithAnyByteDamaged) {
  save_checkpoint(path(), "{}", *begun("search"));
  const std::string good = content();
  ASSERT_EQ(complaint_about(good), "none");
  for (std::size_t i = 0; i < good.size(); i += i < 40 ? 1 : good.size() / 50) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    expect_complaint(complaint_about(bad), i < 18 ? "not a checkpoint" : "is damaged");
  }
}

TEST_F(Checkpoint, IsRefusedWhenCutOffOrTooLong) {
  save_checkpoint(path(), "{}", *begun("search"));
  const std::string good = content();
  expect_complaint(complaint_about(""), "not a checkpoint");
  expect_complaint(complaint_about(good.substr(0, 20)), "cut off");
  expect_complaint(complaint_about(good.substr(0, 22)), "damaged");
  expect_complaint(complaint_about(good.substr(0, good.size() / 2)), "damaged");
  expect_complaint(complaint_about(good.substr(0, good.size() - 1)), "damaged");
  expect_complaint(complaint_about(good + "x"), "damaged");
}

TEST_F(Checkpoint, ContinuesNoOtherRun) {
  save_checkpoint(path(), "{\"seed\": 1}", *begun("search"));
  expect_complaint(complaint_about(content(), "{\"seed\": 2}"), "other options");
  save_checkpoint(path(), "{}", *begun("sac"));
  expect_complaint(complaint_about(content()), "saved state: ");
}

TEST_F(Checkpoint, OtherFilesAreNone) {
  expect_complaint(complaint_about("{\"seed\": 1}\n"), "not a checkpoint of this version");
  expect_complaint(complaint_about("icct checkpoint 2\nsomething"), "not a checkpoint of this");
}

}  // namespace
}  // namespace icct
