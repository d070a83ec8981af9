#include "icct/run/report.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "icct/base/number.h"
#include "icct/export/to_text.h"
#include "icct/policy/parameter_count.h"

namespace icct {
namespace {

std::string number(double value) {
  return rounded_text(value, 4);
}

// "1 leaf", "8 leaves"
std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
  return grouped_text(count) + " " + (count == 1 ? one : several);
}

std::string wall_clock(double seconds) {
  return seconds < 59.5 ? rounded_text(seconds, 3) + " s" : duration_text(seconds);
}

// A block of code. Its fence is longer than any row of backticks inside.
std::string fenced(const std::string& language, std::string content) {
  std::string fence = "```";
  while (content.find(fence) != std::string::npos) fence += "`";
  if (!content.ends_with('\n')) content += "\n";
  return fence + language + "\n" + content + fence + "\n";
}

// The text below the policy's name, which the report has as its title.
std::string without_headline(const std::string& text) {
  return text.substr(text.find("\n\n") + 2);
}

std::string episodes(std::size_t count) {
  return counted(static_cast<std::int64_t>(count), "fresh episode", "fresh episodes");
}

std::string headline(const Evaluation& fresh) {
  if (fresh.returns.empty()) return "No fresh episodes were run: there is no result to report.\n";
  if (fresh.returns.size() == 1)
    return "**Return " + number(fresh.mean_return) + "** in a single fresh episode.\n";
  return "**Return " + number(fresh.mean_return) + " ± " + rounded_text(fresh.standard_error, 2) +
         "** on " + episodes(fresh.returns.size()) +
         " (mean ± standard error).\nPer episode: " + "standard deviation " +
         number(fresh.std_return) + ", worst " + number(fresh.worst_return) + ", best " +
         number(fresh.best_return) + ".\n";
}

std::string selection(const RunReport& report) {
  const std::vector<ProgressRow>& rows = report.progress.rows;
  if (rows.empty()) return "";
  std::string text = "\nThe policy was chosen on other episodes, the validation episodes: " +
                     counted(std::ssize(rows), "validation", "validations") + " of " +
                     counted(report.validation_episodes, "episode", "episodes");
  if (report.final_episodes > 0) {
    text += ", the best of which met again on up to " +
            counted(report.final_episodes, "other", "others");
  }
  return text + ". It was met after " + counted(report.kept_after, "step", "steps") + ".\n";
}

std::string comparison(const RunReport& report) {
  std::string lines;
  if (!report.fresh.returns.empty()) {
    lines += "| fresh episodes, seed " + std::to_string(report.report_seed) + " | " +
             number(report.fresh.mean_return) +
             " | what to expect: used neither to learn nor to choose |\n";
  }
  if (!report.progress.rows.empty()) {
    lines += "| validation episodes | " + number(report.validation_mean) +
             " | a little optimistic: the policy was chosen on them |\n";
  }
  if (report.published_protocol) {
    lines += "| published protocol | " + number(*report.published_protocol) +
             " | optimistic: the best mean of 5 episodes at any time of training; only for "
             "comparison with published tables |\n";
  }
  return lines.empty() ? "" : "\n| measured on | mean return | |\n|---|---:|---|\n" + lines;
}

// Whether the tree is of the form that CART makes: every split asks the same way round, every leaf
// is constant.
bool is_cart(const Tree& tree) {
  const auto constant = [](const Leaf& leaf) {
    return std::ranges::all_of(leaf.controllers,
                               [](const Controller& c) { return c.terms.empty(); });
  };
  return !tree.splits.empty() && std::ranges::all_of(tree.splits, &Split::less) &&
         std::ranges::all_of(tree.leaves, constant);
}

// Without the signs that such trees do not need, for comparison with published tables.
std::string cart_parameters(const Policy& policy) {
  const Tree& tree = tree_of(policy);
  if (!is_cart(tree)) return "";
  const int count = count_cart_parameters(static_cast<int>(tree.leaves.size()),
                                          static_cast<int>(policy.actions.size()));
  return " (" + grouped_text(count) + " as the paper counts those of CART: 2 per split, not 3)";
}

std::string policy_section(const Policy& policy) {
  const std::string parameters = counted(count_parameters(policy), "parameter", "parameters");
  if (!std::holds_alternative<Tree>(policy.controller)) {
    return "\n## The policy\n\n" + without_headline(to_text(policy, {})) + "It has " + parameters +
           ".\n";
  }
  const auto leaves = std::ssize(tree_of(policy).leaves);
  return "\n## The policy\n\nA tree with " + counted(leaves, "leaf", "leaves") + " and " +
         parameters + cart_parameters(policy) + ".\n\n" +
         fenced("", without_headline(to_text(policy, {}))) + "\nThe same in words:\n\n" +
         without_headline(to_paragraphs(policy, {}));
}

std::string cost(const RunReport& report) {
  std::string text = "\n## How it was made\n\n";
  if (!report.progress.rows.empty()) {
    const ProgressRow& last = report.progress.rows.back();
    text += counted(last.steps, "environment step", "environment steps") + " in " +
            counted(last.episodes, "training episode", "training episodes") + ", ";
  }
  return text + wall_clock(report.seconds) + " of wall-clock time.\n\n" +
         fenced("sh", report.command) + "\n" + fenced("json", report.options_json);
}

std::string incident_list(const std::vector<std::string>& incidents) {
  if (incidents.empty()) return "";
  std::string text = "\n## What went wrong\n\n";
  for (const std::string& incident : incidents) text += "- " + incident + "\n";
  return text;
}

std::string lost(const Evaluation& fresh) {
  if (fresh.lost == 0) return "";
  return "Left out, because the simulator failed: " +
         counted(fresh.lost, "more episode", "more episodes") + ".\n";
}

// What was counted beside the return.
std::string counts(const Evaluation& fresh) {
  if (fresh.metrics.empty()) return "";
  std::string text = "In all of them together:";
  for (const Metric& metric : fresh.metrics)
    text += (text.ends_with(':') ? " " : ", ") + metric.name + " " + number(metric.value);
  std::ranges::replace(text, '_', ' ');
  return text + ".\n";
}

std::string file_table(const std::vector<RunFile>& files) {
  if (files.empty()) return "";
  std::string text = "\n## Files in this folder\n\n| file | content |\n|---|---|\n";
  for (const RunFile& file : files)
    text += "| [" + file.name + "](" + file.name + ") | " + file.content + " |\n";
  return text;
}

}  // namespace

std::string to_markdown(const RunReport& report) {
  return "# " + report.title + "\n\n" + headline(report.fresh) + counts(report.fresh) +
         lost(report.fresh) + selection(report) + comparison(report) +
         "\n![learning curve](learning_curve.svg)\n" + policy_section(report.policy) +
         cost(report) + incident_list(report.incidents) + file_table(report.files);
}

}  // namespace icct
