#include "icct/policy/edit.h"

#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/episode_options.h"
#include "cli/progress_line.h"
#include "cli/property_file.h"
#include "cli/region_options.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/number.h"
#include "icct/env/make_environment.h"
#include "icct/export/policy_changes.h"
#include "icct/policy/policy_file.h"
#include "icct/rollout/workers.h"

namespace icct {
namespace {

struct EditOptions {
  std::string file, by_hand, out, keep, environment;
  std::vector<std::string> assignments;
  RegionOptions region;
  int episodes = 0;
  std::uint64_t seed = 0;
  int jobs = all_cores();
  bool json = false;
};

constexpr const char* kFooter =
    "\nWhat can be set: NODE.threshold, NODE.observation, LEAF.ACTION.bias, "
    "LEAF.ACTION.gain.OBSERVATION (0 drops the\n"
    "term), NODE.name, LEAF.name; nodes and leaves by the names that icct show gives them. Or edit "
    "a copy of the file by\n"
    "hand and name it with --by-hand. Without -o nothing is written.\n"
    "--keep refuses an edit after which a rule is no longer proven that was before.\n"
    "\nExit codes: 0 done, 1 refused (with a counterexample), 2 error, 3 refused because "
    "undecided.\n"
    "\nExamples:\n"
    "  icct edit policy.json --set node3.threshold=0.25 --set leaf2.main_engine.gain.angle=1.8 -o "
    "new.json\n"
    "  icct edit policy.json --by-hand mine.json --keep rules.txt --episodes 100 -o new.json";

// Says what was done, beside what made the policy.
std::string edited_command(const EditOptions& options, const std::string& before) {
  std::string command = before.empty() ? "icct edit" : before + "; icct edit";
  for (const std::string& assignment : options.assignments) command += " --set " + assignment;
  return command;
}

Policy edited_policy(const EditOptions& options, const Policy& before) {
  if (options.by_hand.empty() == options.assignments.empty())
    throw Error("what is to change? Give --set (as often as needed), or --by-hand FILE");
  if (!options.by_hand.empty()) return load_policy(options.by_hand);
  Policy policy = before;
  for (const std::string& assignment : options.assignments) apply_edit(policy, assignment);
  policy.provenance.command = edited_command(options, policy.provenance.command);
  return policy;
}

struct Gate {
  Answer answer = Answer::Proven;  // the worst of the rules that held before
  std::string text;
  Json rules = Json::array();
};

// Every rule that is proven before must be afterwards.
Gate check_rules(const EditOptions& options, const Policy& before, const Policy& after) {
  Gate gate;
  if (options.keep.empty()) return gate;
  const Box box_before = region_of(options.region, before);
  const Box box_after = region_of(options.region, after);
  const auto rules_before = read_property_file(options.keep, before);
  const auto rules_after = read_property_file(options.keep, after);
  for (std::size_t i = 0; i < rules_after.size(); ++i) {
    const std::string name =
        rules_after[i].name.empty() ? rules_after[i].text : rules_after[i].name;
    const Verdict old = verify(before, rules_before[i], box_before);
    const Verdict now = verify(after, rules_after[i], box_after);
    gate.text += name + ": " + answer_word(old.answer) + " -> " + answer_word(now.answer) + "\n";
    gate.rules.push_back(
        {{"rule", name}, {"before", answer_word(old.answer)}, {"after", answer_word(now.answer)}});
    if (now.answer == Answer::Violated) {
      gate.text += counterexample_text(after, now);
      gate.rules.back()["counterexample"] = {
          {"observation", values_json(after.observations, now.x)},
          {"action", values_json(after.actions, now.action)}};
    }
    if (old.answer != Answer::Proven || now.answer == Answer::Proven) continue;
    if (gate.answer != Answer::Violated) gate.answer = now.answer;
  }
  return gate;
}

struct Comparison {
  Evaluation before, after;
  double difference = 0, standard_error = 0;  // of the mean, episode by episode
  int lost = 0;                               // with either policy, and left out
};

Comparison compare(const std::vector<Episode>& before, const std::vector<Episode>& after) {
  Comparison result;
  std::vector<double> returns_before, returns_after, differences;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].lost || after[i].lost) {
      ++result.lost;
      continue;
    }
    returns_before.push_back(before[i].total_reward);
    returns_after.push_back(after[i].total_reward);
    differences.push_back(after[i].total_reward - before[i].total_reward);
  }
  result.before = summarise(std::move(returns_before));
  result.after = summarise(std::move(returns_after));
  const Evaluation paired = summarise(std::move(differences));
  result.difference = paired.mean_return;
  result.standard_error = paired.standard_error;
  return result;
}

// Both policies on the same episodes.
Comparison compare_returns(const EditOptions& options, const Policy& before, const Policy& after) {
  const std::string name = environment_name(options.environment, before.environment, options.file);
  Workers workers([&name] { return make_environment(name); },
                  std::min(options.jobs, options.episodes));
  ProgressLine line;
  workers.tell_incidents([&line](const std::string& incident) { line.tell("icct", incident); });
  const auto run = [&](const Policy& policy) {
    return play(workers, policy, Purpose::Report, options.seed, options.episodes);
  };
  Comparison result = compare(run(before), run(after));
  if (result.before.returns.empty()) throw all_lost(options.episodes, workers.environment());
  return result;
}

std::string to_text(const Comparison& returns) {
  const auto number = [](double value) { return rounded_text(value, 5); };
  return "return " + number(returns.before.mean_return) + " -> " +
         number(returns.after.mean_return) + ", a difference of " + number(returns.difference) +
         " +- " + number(returns.standard_error) + " (standard error) over " +
         std::to_string(returns.before.returns.size()) + " episodes, the same for both" +
         (returns.lost == 0 ? "" : "; " + std::to_string(returns.lost) + " more were lost") + "\n";
}

Json to_json(const Comparison& returns) {
  return {{"episodes", returns.before.returns.size()}, {"mean_before", returns.before.mean_return},
          {"mean_after", returns.after.mean_return},   {"difference", returns.difference},
          {"standard_error", returns.standard_error},  {"lost_episodes", returns.lost}};
}

int edit(const EditOptions& options) {
  const Policy before = load_policy(options.file);
  const Policy after = edited_policy(options, before);
  if (!options.out.empty()) require_writable(options.out);
  const std::vector<std::string> changes = policy_changes(before, after);
  const Gate gate = check_rules(options, before, after);
  const bool refused = gate.answer != Answer::Proven;
  Json json = {{"changes", changes}, {"rules", gate.rules}, {"refused", refused}};
  std::string text = changes.empty() ? "nothing changes\n" : "";
  for (const std::string& change : changes) text += change + "\n";
  text += gate.text;
  if (!refused && options.episodes > 0) {
    const Comparison returns = compare_returns(options, before, after);
    text += to_text(returns);
    json["returns"] = to_json(returns);
  }
  if (refused) {
    text += "refused: a rule that was proven before no longer is; nothing was written\n";
  } else if (!options.out.empty()) {
    save_policy(after, options.out);
    text += "Wrote " + options.out + "\n";
  }
  print(options.json ? write_json(json) + "\n" : text);
  return !refused ? 0 : gate.answer == Answer::Violated ? 1 : 3;
}

}  // namespace

void add_edit_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<EditOptions>();
  CLI::App* verb = program.add_subcommand("edit", "Change a policy, and see what that does");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  CLI::Option* set = verb->add_option("--set", options->assignments,
                                      "what to change: node3.threshold=0.25; may be repeated")
                         ->allow_extra_args(false);
  verb->add_option("--by-hand", options->by_hand, "a copy of FILE that was edited by hand")
      ->excludes(set);
  verb->add_option("-o,--out", options->out, "the file to write");
  verb->add_option("--keep", options->keep,
                   "a file of rules, as for icct verify: refuse the edit if one breaks");
  add_region_options(*verb, options->region);
  verb->add_option("--episodes", options->episodes,
                   "compare the returns before and after on so many episodes")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  verb->add_option("--env", options->environment, "to run them in; default: the policy's");
  verb->add_option("--seed", options->seed, "which episodes")->capture_default_str();
  verb->add_option("--jobs", options->jobs, "episodes at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options, &exit_code] { exit_code = edit(*options); });
}

}  // namespace icct
