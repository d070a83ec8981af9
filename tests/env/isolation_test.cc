#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "icct/base/error.h"
#include "icct/env/conformance/recording.h"
#include "icct/env/highway/lane_keeping.h"
#include "icct/env/isolation/isolated_environment.h"
#include "icct/env/isolation/shared_memory.h"
#include "tests/complaint.h"

namespace icct {
namespace {

// What the environment below shall do wrong, shared with its workers.
struct Trouble {
  int abort_at_step = -1;  // in every episode
  int throw_at_step = -1;
  int hang_at_step = -1;
  int times = 1 << 30;     // before it works well again
  int resets = 0;          // counted
  int failing_starts = 0;  // after the first
  int begun = 0;           // counted
};

using SharedTrouble = SharedMemory<Trouble>;

// Lane keeping, for 30 steps, with trouble.
class Troubled final : public Environment {
 public:
  explicit Troubled(Trouble* trouble) : trouble_(trouble) {
    if (trouble_->begun++ > 0 && trouble_->failing_starts-- > 0) throw Error("no more roads");
  }
  const std::string& name() const override { return name_; }
  const Space& observations() const override { return inner_.observations(); }
  const Space& actions() const override { return inner_.actions(); }
  int max_steps() const override { return 30; }
  void reset(std::uint64_t seed, std::span<double> observation) override {
    steps_ = 0;
    ++trouble_->resets;
    inner_.reset(seed, observation);
  }
  Step step(std::span<const double> action, std::span<double> observation) override {
    if (trouble_->times > 0) misbehave();
    Step step = inner_.step(action, observation);
    step.truncated = ++steps_ == 30;
    return step;
  }
  std::vector<Metric> metrics() override { return {{"steps", static_cast<double>(steps_)}}; }
  Scene scene() override {
    return {.lanes = {{.centre = {{0, 0}, {1, 2}}, .width = 3}},
            .cars = {{.front = {1, 1}, .heading = 0.5, .length = 5, .width = 2, .speed = 3}}};
  }

 private:
  void misbehave() {
    const auto now = [this](int step) { return steps_ == step; };
    if (!now(trouble_->abort_at_step) && !now(trouble_->throw_at_step) &&
        !now(trouble_->hang_at_step))
      return;
    --trouble_->times;
    if (now(trouble_->abort_at_step)) kill(getpid(), SIGKILL);
    if (now(trouble_->throw_at_step)) throw Error("the road is gone");
    std::this_thread::sleep_for(std::chrono::hours(1));
  }

  std::string name_ = "troubled";
  LaneKeeping inner_;
  Trouble* trouble_;
  int steps_ = 0;
};

IsolatedEnvironment isolated(Trouble* trouble, int snapshots = 0) {
  return IsolatedEnvironment([trouble] { return std::make_unique<Troubled>(trouble); },
                             {.watchdog_seconds = 3, .snapshots = snapshots, .max_failures = 5});
}

Recording play(Environment& environment, std::uint64_t seed) {
  return record(environment, seed, random_actions(environment.actions(), 1), 30);
}

Recording without_trouble(std::uint64_t seed) {
  Trouble none;
  Troubled environment(&none);
  return play(environment, seed);
}

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
  EXPECT_NE(environment.incidents()[0].find("played again"), std::string::npos);
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
  *trouble = {.throw_at_step = 0};
  IsolatedEnvironment environment = isolated(&*trouble);
  const std::string text = complaint([&] {
    for (int episode = 0; episode < 10; ++episode) play(environment, 7);
  });
  EXPECT_NE(text.find("the road is gone"), std::string::npos) << text;
  EXPECT_NE(text.find("5 failures in a row"), std::string::npos) << text;
}

TEST(Isolation, AnEnvironmentThatCannotBeMadeIsToldAtOnce) {
  const std::string text = complaint([] {
    IsolatedEnvironment([]() -> std::unique_ptr<Environment> { throw Error("no such road"); });
  });
  EXPECT_NE(text.find("no such road"), std::string::npos) << text;
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

// Gone, or dead and waiting to be buried.
bool has_ended(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number, program, state;
  return !(status >> number >> program >> state) || state == "Z";
}

TEST(Isolation, AWorkerEndsWhenItsParentIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    Trouble none;
    IsolatedEnvironment environment = isolated(&none);
    const pid_t worker = environment.worker();
    if (write(ends[1], &worker, sizeof worker) != sizeof worker) _exit(1);
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
  pid_t worker = 0;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  EXPECT_FALSE(has_ended(worker));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (int i = 0; i < 200 && !has_ended(worker); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(has_ended(worker));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace icct
