#include "icct/env/check_environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "icct/base/error.h"
#include "icct/base/rng.h"
#include "icct/env/episode.h"
#include "icct/env/make_environment.h"
#include "tests/env/quick_environments.h"

namespace icct {
namespace {

enum class Fault {
  None,
  DuplicateName,
  FailsInTheMiddle,
  LosesAnEpisode,
  LeavesEntryUnwritten,
  LeavesItsBounds,
  InfiniteReward,
  EndsForTwoReasons,
  IgnoresTheTimeLimit,
  TruncatesEarly,
  StartsAnywhere,
  KeepsItsRandomNumbers,
  RemembersTheLastEpisode,
  IgnoresTheSeed,
  BreaksBeyondTheBounds,
  RefusesItsBounds,
  AcceptsNan,
  IsDisturbedByNan,
  AcceptsAnySize,
};

// A point that is pushed along a line and shaken a little; sound but for one fault.
class FaultyEnvironment final : public Environment {
 public:
  explicit FaultyEnvironment(Fault fault) : fault_(fault) {
    if (has(Fault::DuplicateName)) observations_[1].name = observations_[0].name;
  }

  const std::string& name() const override { return name_; }
  const Space& observations() const override { return observations_; }
  const Space& actions() const override { return actions_; }
  int max_steps() const override { return 40; }

  void reset(std::uint64_t seed, std::span<double> observation) override {
    if (!has(Fault::KeepsItsRandomNumbers)) rng_ = Rng(has(Fault::IgnoresTheSeed) ? 0 : seed);
    position_ = has(Fault::RemembersTheLastEpisode) ? 0.01 * position_ : 0;
    if (has(Fault::StartsAnywhere)) position_ = 0.001 * ++resets_;
    steps_ = 0;
    observe(observation);
  }

  Step step(std::span<const double> action, std::span<double> observation) override {
    refuse_bad(action);
    const double limit = has(Fault::BreaksBeyondTheBounds) ? 1e9 : 1;
    const double push = std::clamp(action.empty() ? 0 : action[0], -limit, limit);
    position_ += 0.1 * std::sqrt(1 - push * push) + 0.01 * rng_.uniform();
    ++steps_;
    observe(observation);
    return result(push);
  }

 private:
  bool has(Fault fault) const { return fault_ == fault; }

  void refuse_bad(std::span<const double> action) {
    if (has(Fault::AcceptsNan) && action.size() == 1) return;
    if (has(Fault::AcceptsAnySize) && action.size() != 1) return;
    if (has(Fault::IsDisturbedByNan) && !std::isfinite(action[0])) rng_.next();
    require_valid_action(action, actions_, name_);
    if (has(Fault::RefusesItsBounds) && std::abs(action[0]) == 1 && steps_ == 0 && bounds_++ > 1)
      throw Error("no full push please");
    if (has(Fault::FailsInTheMiddle) && steps_ == 20) throw Error("lost the simulator");
  }

  void observe(std::span<double> observation) {
    observation[0] = has(Fault::LeavesItsBounds) ? position_ - 2 : position_;
    if (!has(Fault::LeavesEntryUnwritten)) observation[1] = rng_.uniform();
  }

  Step result(double push) {
    Step step{.reward = -push * push};
    if (has(Fault::InfiniteReward) && steps_ == 7)
      step.reward = -std::numeric_limits<double>::infinity();
    step.terminated = position_ > 3;
    step.truncated = steps_ == 40 && !step.terminated && !has(Fault::IgnoresTheTimeLimit);
    if (has(Fault::TruncatesEarly)) step.truncated = steps_ == 30;
    if (has(Fault::LosesAnEpisode)) step.truncated = step.lost = steps_ == 3;
    if (has(Fault::EndsForTwoReasons) && step.truncated) step.terminated = true;
    return step;
  }

  Fault fault_;
  std::string name_ = "faulty";
  Space observations_ = {{"position", "m", -1, 20}, {"shake", "", 0, 1}};
  Space actions_ = {{"push", "", -1, 1}};
  Rng rng_{0};
  double position_ = 0;
  int steps_ = 0;
  int resets_ = 0;
  int bounds_ = 0;
};

std::string describe(const std::vector<CheckResult>& results) {
  std::string text;
  for (const CheckResult& result : results) {
    text += (result.passed ? "pass " : "FAIL ") + result.name + ": " + result.explanation + "\n";
  }
  return text;
}

void expect_failure(Fault fault, const std::string& check) {
  FaultyEnvironment environment(fault);
  const auto results = check_environment(environment);
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const CheckResult& each) { return each.name == check; });
  ASSERT_NE(found, results.end()) << check;
  EXPECT_FALSE(found->passed) << describe(results);
  EXPECT_FALSE(found->explanation.empty());
  EXPECT_FALSE(all_passed(results));
}

TEST(CheckEnvironment, EveryEnvironmentOfTheLibraryPasses) {
  for (const std::string& name : quick_environments()) {
    const auto environment = make_environment(name);
    const auto results = check_environment(*environment);
    EXPECT_TRUE(all_passed(results)) << name << "\n" << describe(results);
    for (const CheckResult& result : results) EXPECT_FALSE(result.explanation.empty());
  }
}

TEST(CheckEnvironment, ASoundEnvironmentPasses) {
  FaultyEnvironment environment(Fault::None);
  const auto results = check_environment(environment);
  EXPECT_TRUE(all_passed(results)) << describe(results);
  EXPECT_EQ(results.size(), 14U);
}

TEST(CheckEnvironment, FindsInvalidSpacesAndRunsNothingElse) {
  expect_failure(Fault::DuplicateName, "spaces_are_valid");
  FaultyEnvironment environment(Fault::DuplicateName);
  const auto results = check_environment(environment);
  EXPECT_EQ(results.size(), 14U);
  for (std::size_t i = 1; i < results.size(); ++i)
    EXPECT_TRUE(results[i].explanation.starts_with("not run")) << results[i].explanation;
}

TEST(CheckEnvironment, FindsEpisodesThatFail) {
  expect_failure(Fault::FailsInTheMiddle, "episodes_run");
  expect_failure(Fault::LosesAnEpisode, "episodes_run");
}

TEST(CheckEnvironment, FindsObservationsThatAreNotWritten) {
  expect_failure(Fault::LeavesEntryUnwritten, "observations_are_finite");
}

TEST(CheckEnvironment, FindsObservationsOutsideTheirBounds) {
  expect_failure(Fault::LeavesItsBounds, "observations_are_in_bounds");
}

TEST(CheckEnvironment, FindsInfiniteRewards) {
  expect_failure(Fault::InfiniteReward, "rewards_are_finite");
}

TEST(CheckEnvironment, FindsEpisodesThatEndForTwoReasons) {
  expect_failure(Fault::EndsForTwoReasons, "episodes_end_for_one_reason");
}

TEST(CheckEnvironment, FindsTimeLimitsThatAreMissedOrEarly) {
  expect_failure(Fault::IgnoresTheTimeLimit, "time_limit_truncates");
  expect_failure(Fault::TruncatesEarly, "time_limit_truncates");
}

TEST(CheckEnvironment, FindsStartsThatTheSeedDoesNotDecide) {
  expect_failure(Fault::StartsAnywhere, "resets_are_deterministic");
}

TEST(CheckEnvironment, FindsStepsThatTheSeedDoesNotDecide) {
  expect_failure(Fault::KeepsItsRandomNumbers, "steps_are_deterministic");
}

TEST(CheckEnvironment, FindsTracesOfEarlierEpisodes) {
  expect_failure(Fault::RemembersTheLastEpisode, "episodes_are_independent");
}

TEST(CheckEnvironment, FindsSeedsThatChangeNothing) {
  expect_failure(Fault::IgnoresTheSeed, "seeds_differ");
}

TEST(CheckEnvironment, FindsActionsAtOrBeyondTheBoundsThatBreakIt) {
  expect_failure(Fault::BreaksBeyondTheBounds, "extreme_actions_are_handled");
  expect_failure(Fault::RefusesItsBounds, "extreme_actions_are_handled");
}

TEST(CheckEnvironment, FindsNanActionsThatAreAcceptedOrLeaveATrace) {
  expect_failure(Fault::AcceptsNan, "bad_numbers_are_refused");
  expect_failure(Fault::IsDisturbedByNan, "bad_numbers_are_refused");
}

TEST(CheckEnvironment, FindsActionsOfTheWrongSizeThatAreAccepted) {
  expect_failure(Fault::AcceptsAnySize, "wrong_sizes_are_refused");
}

}  // namespace
}  // namespace icct
