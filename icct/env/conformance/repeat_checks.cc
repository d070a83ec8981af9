#include <algorithm>

#include "icct/env/conformance/checks.h"

namespace icct {
namespace {

constexpr int kShortRun = 100;
constexpr int kWholeRun = 5000;

Recording short_run(Environment& environment, std::uint64_t seed, std::uint64_t action_seed) {
  return record(environment, seed, random_actions(environment.actions(), action_seed), kShortRun);
}

// Where two recordings part, or nothing if they are equal.
std::optional<std::string> difference(const Recording& first, const Recording& second) {
  if (first == second) return std::nullopt;
  const std::size_t common = std::min(first.steps.size(), second.steps.size());
  for (std::size_t t = 0; t <= common; ++t) {
    if (first.observations[t] != second.observations[t])
      return "the observations differ " + describe_place(first, t);
    if (t < common && first.steps[t] != second.steps[t])
      return "rewards or ends differ " + describe_place(first, t + 1);
  }
  return "one of two runs is longer";
}

}  // namespace

Finding equal_runs(const Recording& first, const Recording& second, const std::string& otherwise) {
  const auto where = difference(first, second);
  if (where) return {false, *where + "; " + otherwise};
  const std::string length = std::to_string(first.observations.size());
  return {true, "equal to the last bit, observations compared: " + length};
}

Finding resets_are_deterministic(Environment& environment, const Survey&) {
  const auto nothing = constant_action(middle_action(environment.actions()));
  const Recording first = record(environment, 7, nothing, 0);
  return equal_runs(first, record(environment, 7, nothing, 0), "the seed must decide the start");
}

Finding steps_are_deterministic(Environment& environment, const Survey&) {
  const Recording first = short_run(environment, 8, 8);
  return equal_runs(first, short_run(environment, 8, 8), "seed and actions must decide the run");
}

Finding episodes_are_independent(Environment& environment, const Survey&) {
  const Recording before = short_run(environment, 9, 9);
  // Something else in between, the last of it abandoned in the middle.
  short_run(environment, 10, 11);
  record(environment, 12, random_actions(environment.actions(), 13), 3);
  return equal_runs(before, short_run(environment, 9, 9), "an earlier episode left something");
}

namespace {

// The number of the first seed whose run of so many steps is that of seed 1.
std::optional<std::uint64_t> same_run(Environment& environment, int steps) {
  const auto run = [&](std::uint64_t seed) {
    Recording recording =
        record(environment, seed, random_actions(environment.actions(), 14), steps);
    recording.seed = 0;
    return recording;
  };
  const Recording first = run(1);
  for (std::uint64_t seed = 2; seed <= 5; ++seed) {
    if (run(seed) == first) return seed;
  }
  return {};
}

}  // namespace

// What a seed decides may show late, e.g. traffic that is met after a while.
Finding seeds_differ(Environment& environment, const Survey&) {
  if (!same_run(environment, kShortRun)) return {true, "five seeds, five runs"};
  const auto seed = same_run(environment, std::min(environment.max_steps(), kWholeRun));
  if (seed) return {false, "seeds 1 and " + std::to_string(*seed) + " give the same run"};
  return {true, "five seeds, five runs, though alike in their first steps"};
}

}  // namespace icct
