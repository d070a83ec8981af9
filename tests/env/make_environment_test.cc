#include "icct/env/make_environment.h"

#include <gtest/gtest.h>

#include <limits>

#include "icct/base/error.h"
#include "icct/env/conformance/recording.h"
#include "icct/env/episode.h"
#include "tests/env/quick_environments.h"

namespace icct {
namespace {

TEST(MakeEnvironment, EveryListedNameMakesAnEnvironmentOfThatName) {
  for (const std::string& name : environment_names())
    EXPECT_EQ(make_environment(name)->name(), name);
}

TEST(MakeEnvironment, AnUnknownNameIsAnErrorThatListsTheKnownOnes) {
  try {
    make_environment("lunar_landr");
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("'lunar_landr'"), std::string::npos) << text;
    for (const std::string& name : environment_names())
      EXPECT_NE(text.find(name), std::string::npos) << text;
  }
}

TEST(MakeEnvironment, ObjectsShareNothing) {
  for (const std::string& name : quick_environments()) {
    const auto first = make_environment(name);
    const auto second = make_environment(name);
    const Space& actions = first->actions();
    const Recording alone = record(*first, 3, random_actions(actions, 4), 60);

    // The same run again, with another environment of the same kind stepped in between.
    Recording interleaved = record(*first, 3, random_actions(actions, 4), 0);
    Recording other = record(*second, 5, random_actions(actions, 6), 0);
    const auto choose = random_actions(actions, 4);
    const auto choose_other = random_actions(actions, 6);
    for (int steps = 1; steps <= 60; ++steps) {
      continue_recording(*first, interleaved, choose, steps);
      continue_recording(*second, other, choose_other, steps);
    }
    EXPECT_EQ(alone, interleaved) << name;
  }
}

TEST(MakeEnvironment, SteppingBeforeTheFirstResetIsABrokenPromise) {
  for (const std::string& name : quick_environments()) {
    const auto environment = make_environment(name);
    const std::vector<double> action(environment->actions().size());
    std::vector<double> observation(environment->observations().size());
    EXPECT_DEATH(environment->step(action, observation), "broken promise") << name;
  }
}

TEST(MakeEnvironment, SteppingAfterTheEndIsABrokenPromise) {
  for (const std::string& name : quick_environments()) {
    const auto environment = make_environment(name);
    const Recording episode = record(*environment, 1, random_actions(environment->actions(), 1),
                                     environment->max_steps());
    ASSERT_TRUE(episode.ended());
    const std::vector<double> action(environment->actions().size());
    std::vector<double> observation(environment->observations().size());
    EXPECT_DEATH(environment->step(action, observation), "broken promise") << name;
  }
}

TEST(EpisodeClock, TheTimeLimitTruncates) {
  EpisodeClock clock(2);
  clock.start();
  EXPECT_EQ(clock.finish_step(1, false), (Step{1, false, false}));
  EXPECT_EQ(clock.finish_step(2, false), (Step{2, false, true}));
  EXPECT_FALSE(clock.running());
}

TEST(EpisodeClock, AnEndAtTheTimeLimitIsNotATruncation) {
  EpisodeClock clock(1);
  clock.start();
  EXPECT_EQ(clock.finish_step(1, true), (Step{1, true, false}));
}

TEST(RequireValidAction, NamesTheEntryThatIsNotFinite) {
  const Space actions = {{"gas", "", -1, 1}, {"brake", "", -1, 1}};
  const std::vector<double> action = {0, std::numeric_limits<double>::quiet_NaN()};
  try {
    require_valid_action(action, actions, "car");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "car: action 'brake' is nan; give a finite number");
  }
}

}  // namespace
}  // namespace icct
