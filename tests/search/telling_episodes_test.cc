#include "icct/search/telling_episodes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace icct {
namespace {

using Seeds = std::vector<std::uint64_t>;

TEST(TellingEpisodes, KeepsThoseInWhichSomeDidMuchBetterThanOthers) {
  TellingEpisodes telling;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    telling.note(seed, std::vector<double>{10, 10 - static_cast<double>(seed % 50)});
  for (const std::uint64_t seed : telling.due(16)) EXPECT_GE(seed % 50, 42U);
  EXPECT_EQ(telling.due(50).size(), 16U);
}

TEST(TellingEpisodes, WhatAllDoEquallyBadlyIsNotTelling) {
  TellingEpisodes telling;
  telling.note(1, std::vector<double>{-500, -500, -500});
  for (std::uint64_t seed = 2; seed < 18; ++seed)
    telling.note(seed, std::vector<double>{10, 9, 10});
  for (const std::uint64_t seed : telling.due(16)) EXPECT_NE(seed, 1U);
}

TEST(TellingEpisodes, GivesThoseFirstThatHaveWaitedLongest) {
  TellingEpisodes telling;
  for (const std::uint64_t seed : {7, 8, 9}) telling.note(seed, std::vector<double>{1, 0});
  EXPECT_EQ(telling.due(2), (Seeds{7, 8}));
  telling.note(7, std::vector<double>{1, 0});
  EXPECT_EQ(telling.due(2), (Seeds{8, 9}));
  EXPECT_EQ(telling.due(5), (Seeds{8, 9, 7}));
}

TEST(TellingEpisodes, ForgetsWhatHasBecomeEasy) {
  TellingEpisodes telling;
  for (std::uint64_t seed = 0; seed < 16; ++seed) telling.note(seed, std::vector<double>{9, 0});
  telling.note(3, std::vector<double>{9, 9});
  telling.note(99, std::vector<double>{9, 5});
  EXPECT_EQ(std::ranges::count(telling.due(16), 3U), 0);
  EXPECT_EQ(std::ranges::count(telling.due(16), 99U), 1);
}

}  // namespace
}  // namespace icct
