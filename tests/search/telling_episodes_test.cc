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

using Returns = std::vector<std::vector<double>>;  // by episode, then by candidate

// Two hundred episodes, every tenth of them telling.
TellingEpisodes twenty_of_two_hundred() {
  TellingEpisodes telling;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    telling.note(seed, std::vector<double>{10, seed % 10 == 9 ? 0.0 : 9.9});
  return telling;
}

TEST(TellingEpisodes, KnowsATenthOfManyEpisodes) {
  EXPECT_EQ(twenty_of_two_hundred().due(200).size(), 20U);
}

TEST(TellingEpisodes, ThosePlayedAgainCountAsMuchAsThereAreOfThem) {
  const TellingEpisodes telling = twenty_of_two_hundred();
  const Returns returns = {{10, 0}, {10, 1}, {10, 9.9}, {10, 9.9}};
  const std::vector<double> weights = telling.weights(Seeds{39, 49, 501, 502}, returns);
  EXPECT_NEAR(weights[0], 0.05, 1e-12);
  EXPECT_NEAR(weights[1], 0.05, 1e-12);
  EXPECT_NEAR(weights[2], 0.45, 1e-12);
  EXPECT_NEAR(weights[3], 0.45, 1e-12);
}

TEST(TellingEpisodes, ANewOneThatTellsAsMuchCountsLikeThosePlayedAgain) {
  const TellingEpisodes telling = twenty_of_two_hundred();
  const Returns returns = {{10, 0}, {10, -50}, {10, 9.9}};
  const std::vector<double> weights = telling.weights(Seeds{39, 500, 501}, returns);
  EXPECT_NEAR(weights[0], 0.05, 1e-12);
  EXPECT_NEAR(weights[1], 0.05, 1e-12);
  EXPECT_NEAR(weights[2], 0.9, 1e-12);
}

TEST(TellingEpisodes, AllCountAlikeWhereNothingIsKnown) {
  const Returns returns = {{10, 0}, {}, {10, 9}};
  const std::vector<double> weights = TellingEpisodes().weights(Seeds{1, 2, 3}, returns);
  EXPECT_EQ(weights, (std::vector<double>{0.5, 0, 0.5}));
}

TEST(TellingEpisodes, AllCountAlikeWhereAllAreOfOneKind) {
  const Returns returns = {{10, 9.9}, {10, 9.9}};
  EXPECT_EQ(twenty_of_two_hundred().weights(Seeds{500, 501}, returns),
            (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace icct
