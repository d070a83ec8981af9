#include "tests/env/processes.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "icct/env/traffic.h"
#include "tests/env/troubled_environment.h"

namespace icct {
namespace {

// All processes that play an episode, from the one that is asked to the one that simulates.
struct Processes {
  pid_t worker = 0, keeper = 0, player = 0;
};

// In the middle of an episode.
Processes begin_episode(IsolatedEnvironment& environment, const Trouble& trouble) {
  record(environment, 7, random_actions(environment.actions(), 1), 5);
  return {environment.worker(), trouble.reset_by, trouble.stepped_by};
}

// Begins an episode in a process of its own, which it then kills.
Processes kill_in_an_episode(int snapshots, int stopped_by = 0) {
  const SharedMemory<Processes> processes;
  const SharedTrouble trouble;
  const pid_t parent = fork();
  if (parent == 0) {
    IsolatedEnvironment environment = isolated(&*trouble, snapshots);
    *processes = begin_episode(environment, *trouble);
    if (stopped_by != 0) kill(processes->player, stopped_by);
    kill(getpid(), SIGKILL);
  }
  waitpid(parent, nullptr, 0);
  return *processes;
}

TEST(Processes, AWorkerEndsWhenItsParentIsKilled) {
  EXPECT_TRUE(ends(kill_in_an_episode(0).worker));
}

TEST(Processes, KeptResetsAndWhatTheyPlayEndWhenTheParentIsKilled) {
  for (const int stopped_by : {0, SIGSTOP}) {
    const Processes processes = kill_in_an_episode(2, stopped_by);
    EXPECT_NE(processes.worker, processes.keeper);
    EXPECT_NE(processes.keeper, processes.player);
    EXPECT_TRUE(ends(processes.worker));
    EXPECT_TRUE(ends(processes.keeper));
    EXPECT_TRUE(ends(processes.player));
  }
}

TEST(Processes, KeptResetsEndWhenTheirWorkerIsKilled) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  const Processes processes = begin_episode(environment, *trouble);
  kill(processes.worker, SIGKILL);
  EXPECT_TRUE(ends(processes.keeper));
  EXPECT_TRUE(ends(processes.player));
}

TEST(Processes, OnesThatAreStoppedDoNotOutliveTheirReplacement) {
  for (const auto stopped : {&Processes::player, &Processes::keeper, &Processes::worker}) {
    const SharedTrouble trouble;
    IsolatedEnvironment environment([&trouble] { return std::make_unique<Troubled>(&*trouble); },
                                    {.watchdog_seconds = 1, .warm_up_seconds = 0, .snapshots = 2});
    const Processes processes = begin_episode(environment, *trouble);
    kill(processes.*stopped, SIGSTOP);
    play(environment, 7);
    EXPECT_EQ(environment.incidents().size(), 1U);
    EXPECT_TRUE(ends(processes.worker));
    EXPECT_TRUE(ends(processes.keeper));
    EXPECT_TRUE(ends(processes.player));
  }
}

TEST(Snapshots, EpisodesOfTrafficAreTheSameWithAndWithoutThem) {
  const std::string road = ICCT_SOURCE_DIR "/examples/merge.json";
  const auto kept = make_traffic(road, {.snapshots = 2});
  const auto warmed_up_again = make_traffic(road, {.snapshots = 0});
  for (const std::uint64_t seed : {1U, 2U, 1U, 3U, 1U, 2U}) {
    const auto drive = [seed](Environment& environment) {
      return record(environment, seed, random_actions(environment.actions(), seed), 100);
    };
    EXPECT_EQ(drive(*kept), drive(*warmed_up_again)) << seed;
    EXPECT_EQ(kept->metrics(), warmed_up_again->metrics());
    EXPECT_EQ(kept->scene(), warmed_up_again->scene());
  }
  EXPECT_TRUE(kept->incidents().empty());
}

TEST(Traffic, SaysHowManyStepsItWarmsUp) {
  EXPECT_EQ(make_traffic(ICCT_SOURCE_DIR "/examples/merge.json")->warm_up_steps(), 150);
  EXPECT_EQ(make_traffic("ring_two_lane")->warm_up_steps(), 750);
}

}  // namespace
}  // namespace icct
