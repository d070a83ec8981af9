#include "icct/rl/replay_buffer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "icct/base/error.h"

namespace icct {
namespace {

// A transition whose numbers all tell which one it is.
void add_numbered(ReplayBuffer& replay, int number) {
  const double n = number;
  const std::vector<double> x = {n, n + 0.25}, next = {n + 1, n + 1.25};
  const std::vector<double> action = {n / 1000};
  replay.add({x, action, -n, next, number % 3 == 0});
}

void expect_numbered(const Batch& batch, int i) {
  const auto row = static_cast<std::size_t>(i);
  const float n = batch.observations[2 * row];
  EXPECT_EQ(batch.observations[2 * row + 1], n + 0.25f);
  EXPECT_EQ(batch.next_observations[2 * row], n + 1);
  EXPECT_EQ(batch.next_observations[2 * row + 1], n + 1.25f);
  EXPECT_EQ(batch.actions[row], static_cast<float>(static_cast<double>(n) / 1000));
  EXPECT_EQ(batch.rewards[row], -n);
  EXPECT_EQ(batch.terminated[row], static_cast<int>(n) % 3 == 0 ? 1.0f : 0.0f);
}

std::set<int> numbers_in(ReplayBuffer& replay, Rng& rng) {
  Batch batch(2000, 2, 1);
  replay.sample(rng, batch);
  std::set<int> found;
  for (int i = 0; i < batch.size; ++i) {
    expect_numbered(batch, i);
    found.insert(static_cast<int>(batch.observations[2 * static_cast<std::size_t>(i)]));
  }
  return found;
}

TEST(ReplayBuffer, KeepsTheFieldsOfATransitionTogether) {
  Rng rng(1);
  ReplayBuffer replay(10, 2, 1);
  for (int i = 0; i < 4; ++i) add_numbered(replay, i);
  EXPECT_EQ(replay.size(), 4);
  EXPECT_EQ(numbers_in(replay, rng), (std::set{0, 1, 2, 3}));
}

TEST(ReplayBuffer, ReplacesTheOldestWhenFull) {
  Rng rng(2);
  ReplayBuffer replay(5, 2, 1);
  for (int i = 0; i < 13; ++i) add_numbered(replay, i);
  EXPECT_EQ(replay.size(), 5);
  EXPECT_EQ(numbers_in(replay, rng), (std::set{8, 9, 10, 11, 12}));
}

TEST(ReplayBuffer, SamplesUniformly) {
  Rng rng(3);
  const int count = 50;
  ReplayBuffer replay(count, 2, 1);
  for (int i = 0; i < count; ++i) add_numbered(replay, i);
  std::vector<int> drawn(count);
  Batch batch(1000, 2, 1);
  for (int repeat = 0; repeat < 100; ++repeat) {
    replay.sample(rng, batch);
    for (std::size_t i = 0; i < 1000; ++i)
      ++drawn[static_cast<std::size_t>(batch.observations[2 * i])];
  }
  // 49 degrees of freedom: 85.4 is exceeded once in a thousand.
  const double expected = 100.0 * 1000 / count;
  double chi_square = 0;
  for (const int n : drawn) chi_square += (n - expected) * (n - expected) / expected;
  EXPECT_LT(chi_square, 85.4);
}

TEST(ReplayBuffer, SameSeedSameSample) {
  ReplayBuffer replay(20, 2, 1);
  for (int i = 0; i < 20; ++i) add_numbered(replay, i);
  Rng one(4), two(4);
  Batch a(64, 2, 1), b(64, 2, 1);
  replay.sample(one, a);
  replay.sample(two, b);
  EXPECT_EQ(a.observations, b.observations);
}

TEST(ReplayBuffer, RejectsNumbersThatWouldPoisonLearning) {
  ReplayBuffer replay(4, 1, 1);
  const double bad[] = {std::nan(""), std::numeric_limits<double>::infinity(), 1e39};
  const std::vector<double> good = {0.5};
  for (const double value : bad) {
    const std::vector<double> broken = {value};
    EXPECT_THROW(replay.add({broken, good, 0, good, false}), Error);
    EXPECT_THROW(replay.add({good, broken, 0, good, false}), Error);
    EXPECT_THROW(replay.add({good, good, value, good, false}), Error);
    EXPECT_THROW(replay.add({good, good, 0, broken, false}), Error);
  }
  EXPECT_EQ(replay.size(), 0);
}

TEST(ReplayBuffer, RestoresItsState) {
  ReplayBuffer replay(7, 2, 1);
  for (int i = 0; i < 10; ++i) add_numbered(replay, i);
  StateArchive saved;
  replay.visit_state(saved);
  const std::string bytes = saved.take_bytes();
  ReplayBuffer restored(7, 2, 1);
  StateArchive archive(bytes);
  restored.visit_state(archive);
  archive.finish();
  add_numbered(replay, 10);
  add_numbered(restored, 10);
  Rng one(5), two(5);
  Batch a(64, 2, 1), b(64, 2, 1);
  replay.sample(one, a);
  restored.sample(two, b);
  EXPECT_EQ(a.observations, b.observations);
  EXPECT_EQ(a.terminated, b.terminated);
}

TEST(ReplayBuffer, RefusesAStateOfAnotherSize) {
  ReplayBuffer replay(7, 2, 1);
  add_numbered(replay, 0);
  StateArchive saved;
  replay.visit_state(saved);
  const std::string bytes = saved.take_bytes();
  ReplayBuffer larger(8, 2, 1), wider(7, 3, 1);
  StateArchive one(bytes), two(bytes), cut(std::string_view(bytes).substr(0, bytes.size() - 1));
  EXPECT_THROW(larger.visit_state(one), Error);
  EXPECT_THROW(wider.visit_state(two), Error);
  EXPECT_THROW(replay.visit_state(cut), Error);
}

TEST(ReplayBuffer, NeedsACapacity) {
  EXPECT_THROW(ReplayBuffer(0, 1, 1), Error);
}

}  // namespace
}  // namespace icct
