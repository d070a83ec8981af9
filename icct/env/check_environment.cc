#include "icct/env/check_environment.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "icct/env/conformance/checks.h"

namespace icct {
namespace {

constexpr int kLongestEpisode = 5000;

Survey survey(Environment& environment) {
  const Space& actions = environment.actions();
  std::vector<double> lowest = middle_action(actions);
  std::vector<double> highest = lowest;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (std::isfinite(actions[i].lower)) lowest[i] = actions[i].lower;
    if (std::isfinite(actions[i].upper)) highest[i] = actions[i].upper;
  }
  const int limit = std::min(environment.max_steps(), kLongestEpisode);
  Survey episodes;
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    episodes.push_back(record(environment, seed, random_actions(actions, seed), limit));
  for (const auto& action : {middle_action(actions), lowest, highest})
    episodes.push_back(record(environment, 6, constant_action(action), limit));
  return episodes;
}

Finding spaces_are_valid(const Environment& environment) {
  if (environment.name().empty()) return {false, "the environment has no name"};
  validate_space(environment.observations(), "observation");
  validate_space(environment.actions(), "action");
  if (environment.observations().empty()) return {false, "there are no observations"};
  if (environment.actions().empty()) return {false, "there are no actions"};
  if (environment.max_steps() < 1) {
    return {false, "max_steps is " + std::to_string(environment.max_steps()) + "; at least 1"};
  }
  return {true, std::to_string(environment.observations().size()) + " observations, " +
                    std::to_string(environment.actions().size()) + " actions, at most " +
                    std::to_string(environment.max_steps()) + " steps"};
}

Finding none_is_lost(const Survey& episodes) {
  for (const Recording& episode : episodes) {
    if (episode.steps.back().lost)
      return {false, "its simulator failed " + describe_place(episode, episode.steps.size())};
  }
  return {true, describe_amount(episodes)};
}

struct Check {
  const char* name;
  Finding (*run)(Environment&, const Survey&);
};

constexpr std::array kChecks = {
    Check{"observations_are_finite", observations_are_finite},
    Check{"observations_are_in_bounds", observations_are_in_bounds},
    Check{"rewards_are_finite", rewards_are_finite},
    Check{"episodes_end_for_one_reason", episodes_end_for_one_reason},
    Check{"time_limit_truncates", time_limit_truncates},
    Check{"resets_are_deterministic", resets_are_deterministic},
    Check{"steps_are_deterministic", steps_are_deterministic},
    Check{"episodes_are_independent", episodes_are_independent},
    Check{"seeds_differ", seeds_differ},
    Check{"extreme_actions_are_handled", extreme_actions_are_handled},
    Check{"bad_numbers_are_refused", bad_numbers_are_refused},
    Check{"wrong_sizes_are_refused", wrong_sizes_are_refused},
};

template <class Run>
CheckResult run_check(const char* name, Run run) {
  try {
    const Finding finding = run();
    return {name, finding.passed, finding.explanation};
  } catch (const std::exception& problem) {
    return {name, false, problem.what()};
  }
}

}  // namespace

std::vector<CheckResult> check_environment(Environment& environment) {
  Survey episodes;
  std::vector<CheckResult> results;
  results.push_back(run_check("spaces_are_valid", [&] { return spaces_are_valid(environment); }));
  if (all_passed(results)) {
    results.push_back(run_check("episodes_run", [&] {
      episodes = survey(environment);
      return none_is_lost(episodes);
    }));
  } else {
    results.push_back({"episodes_run", false, "not run: " + results.back().name + " failed"});
  }
  const bool usable = all_passed(results);
  for (const Check& check : kChecks) {
    if (usable) {
      results.push_back(run_check(check.name, [&] { return check.run(environment, episodes); }));
    } else {
      results.push_back({check.name, false, "not run: an earlier check failed"});
    }
  }
  return results;
}

bool all_passed(const std::vector<CheckResult>& results) {
  return std::all_of(results.begin(), results.end(),
                     [](const CheckResult& result) { return result.passed; });
}

}  // namespace icct
