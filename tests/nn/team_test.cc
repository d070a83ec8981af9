#include "icct/nn/team.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "icct/nn/denormals.h"

namespace icct {
namespace {

TEST(Team, RunsEveryMemberOncePerCall) {
  for (const int size : {1, 2, 3}) {
    Team team(size);
    EXPECT_EQ(team.size(), size);
    std::vector<int> calls(static_cast<std::size_t>(size));
    for (int round = 1; round <= 2000; ++round) {
      team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; });
      for (const int count : calls) ASSERT_EQ(count, round);
    }
  }
}

TEST(Team, WakesUpAfterASleep) {
  Team team(2);
  int sum = 0, other = 0;
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    team.run([&](int member) { (member == 0 ? sum : other) += 1; });
  }
  EXPECT_EQ(sum + other, 10);
}

TEST(Team, WaitsForASlowMember) {
  Team team(2);
  bool done = false;
  team.run([&](int member) {
    if (member == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    done = true;
  });
  EXPECT_TRUE(done);
}

TEST(Team, FlushesDenormalsOnItsThreads) {
  Team team(2);
  volatile float tiny = 1e-38f;
  float product[2];
  const FlushDenormals flush;
  team.run([&](int member) { product[member] = tiny * 0.01f; });
  EXPECT_EQ(product[0], 0);
  EXPECT_EQ(product[1], 0);
}

TEST(Team, ManyTeamsDoNotDisturbEachOther) {
  std::vector<std::thread> callers;
  std::vector<int> sums(4);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    callers.emplace_back([&sums, i] {
      Team team(2);
      int parts[2] = {0, 0};
      for (int round = 0; round < 300; ++round) team.run([&](int member) { parts[member] += 1; });
      sums[i] = parts[0] + parts[1];
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sums, std::vector<int>(4, 600));
}

}  // namespace
}  // namespace icct
