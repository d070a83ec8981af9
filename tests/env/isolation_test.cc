#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>

#include "tests/complaint.h"
#include "tests/env/troubled_environment.h"

namespace icct {
namespace {

TEST(Isolation, NothingDiffersFromTheEnvironmentItself) {
  const SharedTrouble none;
  IsolatedEnvironment environment = isolated(&*none);
  Troubled inside(&*none);
  EXPECT_EQ(environment.name(), "troubled");
  EXPECT_EQ(environment.observations(), inside.observations());
  EXPECT_EQ(environment.actions(), inside.actions());
  EXPECT_EQ(environment.max_steps(), 30);
  EXPECT_EQ(play(environment, 3), play(inside, 3));
  EXPECT_EQ(environment.metrics(), inside.metrics());
  EXPECT_EQ(environment.scene(), inside.scene());
  EXPECT_TRUE(environment.incidents().empty());
}

TEST(Isolation, AStepInTwoHalvesIsTheSameStep) {
  const SharedTrouble none;
  IsolatedEnvironment environment = isolated(&*none);
  Troubled inside(&*none);
  std::vector<double> x(12), y(12);
  environment.reset(1, x);
  inside.reset(1, y);
  EXPECT_EQ(x, y);
  for (int i = 0; i < 30; ++i) {
    const std::vector<double> action = {0.1 * i - 1};
    environment.begin_step(action);
    inside.begin_step(action);
    EXPECT_EQ(environment.finish_step(x), inside.finish_step(y));
    EXPECT_EQ(x, y);
  }
}

TEST(Isolation, AKilledWorkerIsReplacedAndTheEpisodeGoesOnAsIfNothingHadHappened) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble);
  Recording episode = record(environment, 7, random_actions(environment.actions(), 1), 11);
  const pid_t killed = environment.worker();
  kill(killed, SIGKILL);
  continue_recording(environment, episode, random_actions(environment.actions(), 1), 30);
  EXPECT_NE(environment.worker(), killed);
  ASSERT_EQ(environment.incidents().size(), 1U);
  EXPECT_NE(environment.incidents()[0].find("killed by signal 9"), std::string::npos)
      << environment.incidents()[0];
  EXPECT_NE(environment.incidents()[0].find("plays the episode again"), std::string::npos);
  EXPECT_EQ(environment.lost_episodes(), 0);
}

TEST(Isolation, AWorkerKilledAfterAnEpisodeStillTellsWhatWasCounted) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble);
  play(environment, 7);
  kill(environment.worker(), SIGKILL);
  EXPECT_EQ(environment.metrics(), (std::vector<Metric>{{"steps", 30}}));
  EXPECT_EQ(environment.incidents().size(), 1U);
}

TEST(Isolation, AWorkerThatDiesOnceLosesNothing) {
  const SharedTrouble trouble;
  *trouble = {.abort_at_step = 12, .times = 1};
  IsolatedEnvironment environment = isolated(&*trouble);
  EXPECT_EQ(play(environment, 7), without_trouble(7));
  EXPECT_EQ(environment.incidents().size(), 1U);
}

TEST(Snapshots, EpisodesFromAKeptResetAreTheSameToTheLastBit) {
  const SharedTrouble none;
  IsolatedEnvironment environment = isolated(&*none, 2);
  for (const std::uint64_t seed : {7U, 8U, 7U, 9U, 7U, 8U})  // two are kept, so 8 is reset again
    EXPECT_EQ(play(environment, seed), without_trouble(seed)) << seed;
  record(environment, 7, random_actions(environment.actions(), 1), 11);  // left in the middle
  EXPECT_EQ(play(environment, 7), without_trouble(7));
  EXPECT_TRUE(environment.incidents().empty());
}

TEST(Snapshots, AKeptResetIsNotDoneAgain) {
  const SharedTrouble trouble;
  IsolatedEnvironment environment = isolated(&*trouble, 2);
  for (const std::uint64_t seed : {7U, 8U, 7U, 8U, 7U}) play(environment, seed);
  EXPECT_EQ(trouble->resets, 2);
}

TEST(Snapshots, ACrashInAnEpisodeIsRecoveredFrom) {
  for (const int step : {0, 12}) {
    const SharedTrouble trouble;
    *trouble = {.abort_at_step = step, .times = 1};
    IsolatedEnvironment environment = isolated(&*trouble, 2);
    EXPECT_EQ(play(environment, 7), without_trouble(7));
    EXPECT_EQ(play(environment, 7), without_trouble(7));
    EXPECT_EQ(environment.incidents().size(), 1U);
  }
}

TEST(Snapshots, AHangOrAnErrorInAnEpisodeIsRecoveredFrom) {
  for (const Trouble& what :
       {Trouble{.throw_at_step = 4, .times = 1}, Trouble{.hang_at_step = 9, .times = 1}}) {
    const SharedTrouble trouble;
    *trouble = what;
    IsolatedEnvironment environment = isolated(&*trouble, 2);
    EXPECT_EQ(play(environment, 7), without_trouble(7));
    EXPECT_EQ(environment.incidents().size(), 1U);
  }
}

TEST(Isolation, AWorkerThatHangsIsReplaced) {
  const SharedTrouble trouble;
  *trouble = {.hang_at_step = 3, .times = 1};
  IsolatedEnvironment environment = isolated(&*trouble);
  EXPECT_EQ(play(environment, 7), without_trouble(7));
  ASSERT_EQ(environment.incidents().size(), 1U);
  EXPECT_NE(environment.incidents()[0].find("did not answer"), std::string::npos);
}

TEST(Isolation, AnEpisodeThatFailsAgainIsLostAndTheNextOneGoesOn) {
  const SharedTrouble trouble;
  *trouble = {.throw_at_step = 5, .times = 2};
  IsolatedEnvironment environment = isolated(&*trouble);
  const Recording lost = play(environment, 7);
  EXPECT_TRUE(lost.ended());
  EXPECT_LT(lost.observations.size(), 10U);
  EXPECT_EQ(environment.lost_episodes(), 1);
  ASSERT_EQ(environment.incidents().size(), 2U);
  EXPECT_NE(environment.incidents()[0].find("the road is gone"), std::string::npos);
  EXPECT_NE(environment.incidents()[1].find("lost"), std::string::npos);
  EXPECT_EQ(play(environment, 8), without_trouble(8));
}

TEST(Isolation, AnEpisodeThatReportsTheSameErrorAgainIsLostAtOnce) {
  const SharedTrouble trouble;
  trouble->bad_seeds_below = 3;
  for (const int snapshots : {0, 2}) {
    IsolatedEnvironment environment = isolated(&*trouble, snapshots);
    trouble->resets = 0;
    const Recording lost = play(environment, 1);
    ASSERT_EQ(lost.steps.size(), 1U);
    EXPECT_TRUE(lost.steps[0].lost);
    EXPECT_EQ(lost.observations[0].size(), 12U);
    EXPECT_EQ(trouble->resets, 2);
    EXPECT_EQ(environment.incidents().size(), 2U);
    EXPECT_NE(environment.incidents()[1].find("no road for 1"), std::string::npos);
    EXPECT_NE(complaint([&] { environment.metrics(); }).find("seed 1 is lost"), std::string::npos);
    EXPECT_EQ(play(environment, 8), without_trouble(8));
  }
}

TEST(Isolation, AResetThatIsKnownToFailIsNeitherTriedNorToldAgain) {
  const SharedTrouble trouble;
  trouble->bad_seeds_below = 3;
  IsolatedEnvironment environment = isolated(&*trouble);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(play(environment, 1).steps[0].lost);
  EXPECT_EQ(trouble->resets, 2);
  EXPECT_EQ(environment.incidents().size(), 2U);
  EXPECT_EQ(environment.lost_episodes(), 10);
}

TEST(Isolation, ReportsOfDifferentEpisodesEndInAnErrorOnlyWithNoWholeEpisodeBetweenThem) {
  const SharedTrouble trouble;
  trouble->bad_seeds_below = 100;
  IsolatedEnvironment environment = isolated(&*trouble);
  for (const std::uint64_t seed : {1U, 2U, 100U, 3U, 4U, 101U, 5U, 6U}) play(environment, seed);
  const std::string text = complaint([&] { play(environment, 7); });
  EXPECT_NE(text.find("no road for 7"), std::string::npos) << text;
  EXPECT_NE(text.find("3 lost episodes in a row"), std::string::npos) << text;
}

TEST(Isolation, AnIncidentIsToldBeforeTheEpisodeIsPlayedAgain) {
  const SharedTrouble trouble;
  *trouble = {.abort_at_step = 5, .times = 1};
  IsolatedEnvironment environment = isolated(&*trouble);
  std::vector<int> resets;  // done when an incident was told
  environment.tell_incidents([&](const std::string&) { resets.push_back(trouble->resets); });
  play(environment, 7);
  EXPECT_EQ(resets, std::vector{1});
  EXPECT_EQ(trouble->resets, 2);
}

TEST(Isolation, AResetMayTakeLongerTheLongerItWarmsUp) {
  const SharedTrouble trouble;
  *trouble = {.slow_reset = 1200, .hang_at_step = 3, .times = 1};
  const auto make = [&trouble] { return std::make_unique<Troubled>(&*trouble); };
  IsolatedEnvironment hasty(make, {.watchdog_seconds = 0.6, .warm_up_seconds = 0});
  EXPECT_TRUE(play(hasty, 7).steps[0].lost);
  EXPECT_NE(hasty.incidents()[0].find("did not answer for 0.6 s"), std::string::npos);
  IsolatedEnvironment patient(make, {.watchdog_seconds = 0.6, .warm_up_seconds = 0.1});
  EXPECT_EQ(play(patient, 7), without_trouble(7));
  EXPECT_EQ(patient.incidents().size(), 1U) << "of the step";
}

TEST(Isolation, AWorkerThatDiesAsItBeginsIsAFailureLikeAnyOther) {
  const SharedTrouble trouble;
  *trouble = {.abort_at_step = 5, .times = 1, .failing_starts = 3};
  IsolatedEnvironment environment = isolated(&*trouble);
  std::vector<double> x(environment.observations().size());
  environment.reset(7, x);
  Step step;
  for (int i = 0; i < 6; ++i) step = environment.step(std::vector{0.0}, x);
  EXPECT_TRUE(step.truncated);
  EXPECT_TRUE(step.lost);
  EXPECT_NE(environment.incidents().back().find("as it began"), std::string::npos);
  EXPECT_EQ(play(environment, 8), without_trouble(8));
}

TEST(Isolation, RepeatedFailuresEndInAClearError) {
  const SharedTrouble trouble;
  *trouble = {.abort_at_step = 0};
  IsolatedEnvironment environment = isolated(&*trouble);
  const std::string text = complaint([&] {
    for (int episode = 0; episode < 10; ++episode) play(environment, 7);
  });
  EXPECT_NE(text.find("killed by signal 9"), std::string::npos) << text;
  EXPECT_NE(text.find("5 failures in a row"), std::string::npos) << text;
}

TEST(Isolation, AnEnvironmentThatCannotBeMadeIsToldAtOnce) {
  const std::string text = complaint([] {
    IsolatedEnvironment([]() -> std::unique_ptr<Environment> { throw Error("no such road"); });
  });
  EXPECT_EQ(text, "no such road");  // of processes it need not know
}

TEST(Isolation, ABadActionIsRefusedAndTheEpisodeGoesOn) {
  const SharedTrouble none;
  IsolatedEnvironment environment = isolated(&*none);
  std::vector<double> x(12);
  environment.reset(1, x);
  EXPECT_NE(complaint([&] { environment.step(std::vector<double>{NAN}, x); }), "none");
  environment.step(std::vector{0.5}, x);
  EXPECT_TRUE(environment.incidents().empty());
}

}  // namespace
}  // namespace icct
