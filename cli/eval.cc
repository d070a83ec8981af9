#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/episode_options.h"
#include "cli/progress_line.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/json.h"
#include "icct/base/number.h"
#include "icct/env/environment_spec.h"
#include "icct/env/make_environment.h"
#include "icct/film/film.h"
#include "icct/policy/policy_file.h"
#include "icct/rollout/workers.h"

namespace icct {
namespace {

struct EvalOptions {
  std::string file;
  std::string environment;
  int episodes = 100;
  std::uint64_t seed = 0;
  int jobs = all_cores();
  bool json = false;
  std::string film, svg;  // files to draw the first episode into
};

constexpr const char* kFooter =
    "\nRuns the deployed policy, without exploration noise, on episodes that no training or "
    "selection has seen: their\n"
    "seeds belong to reports alone. The same seed gives the same numbers, whatever --jobs is.\n"
    "\nAn environment in the place of the policy file, or --env alone, runs without a policy: "
    "every action stays in the\n"
    "middle of its bounds. With the option sumo_drives=on, traffic is driven by SUMO, a baseline.\n"
    "\nExamples:\n"
    "  icct eval examples/policies/lunar_lander.json --episodes 100 --seed 1\n"
    "  icct eval i94:sumo_drives=on --episodes 20 --film sumo.html";

Json to_json(const Evaluation& evaluation, const EvalOptions& options,
             const std::string& environment) {
  Json json = {{"environment", environment},
               {"episodes", evaluation.returns.size()},
               {"seed", options.seed},
               {"mean_return", evaluation.mean_return},
               {"std_return", evaluation.std_return},
               {"standard_error", evaluation.standard_error},
               {"worst_return", evaluation.worst_return},
               {"best_return", evaluation.best_return},
               {"returns", evaluation.returns},
               {"lost_episodes", evaluation.lost}};
  for (const Metric& metric : evaluation.metrics) json["metrics"][metric.name] = metric.value;
  for (const std::vector<Metric>& episode : evaluation.episode_metrics) {
    for (const Metric& metric : episode)
      json["episode_metrics"][metric.name].push_back(metric.value);
  }
  return json;
}

// "collisions 0, hard brakes 2"
std::string to_text(const std::vector<Metric>& metrics) {
  std::string text;
  for (const Metric& metric : metrics)
    text += (text.empty() ? "" : ", ") + metric.name + " " + rounded_text(metric.value, 6);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string to_text(const Evaluation& evaluation, const std::string& environment) {
  const auto number = [](double value) { return rounded_text(value, 6); };
  return environment + ", " + std::to_string(evaluation.returns.size()) +
         (evaluation.returns.size() == 1 ? " fresh episode: return " : " fresh episodes: return ") +
         number(evaluation.mean_return) + " +- " + number(evaluation.standard_error) +
         " (mean and its standard error), standard deviation " + number(evaluation.std_return) +
         ", worst " + number(evaluation.worst_return) + ", best " + number(evaluation.best_return) +
         "\n" +
         (evaluation.metrics.empty()
              ? ""
              : "in all of them together: " + to_text(evaluation.metrics) + "\n") +
         (evaluation.lost == 0 ? ""
                               : "lost, because the simulator failed: " +
                                     std::to_string(evaluation.lost) + " more\n");
}

// Whether a file describes a road instead of a policy.
bool is_road(const std::string& file) {
  constexpr std::size_t kMaxBytes = std::size_t(16) << 20;  // of such a file
  if (!std::filesystem::is_regular_file(file) || std::filesystem::file_size(file) > kMaxBytes)
    return false;
  const Json document = Json::parse(read_file(file, kMaxBytes), nullptr, false);
  const auto is_road_format = [](const Json& format) {
    return format.is_string() && format.get<std::string>().starts_with("icct-highway-");
  };
  return document.is_object() && document.contains("format") && is_road_format(document["format"]);
}

// Where the file names an environment it is one, and there is no policy.
EvalOptions sorted_out(EvalOptions options) {
  if (options.file.empty()) return options;
  const bool exists = std::filesystem::exists(options.file);
  const std::string name = exists ? options.file : parse_environment_spec(options.file).name;
  if (exists && !is_road(name)) return options;
  if (!is_road(name) && std::ranges::count(environment_names(), name) == 0) {
    if (std::filesystem::path(name).has_extension()) return options;
    throw Error("'" + options.file +
                "' is neither a policy file nor an environment; known: " + known_environments());
  }
  if (!options.environment.empty())
    throw Error("'" + options.file + "' and '" + options.environment +
                "' are both environments; name a policy file and one of them");
  options.environment = std::move(options.file);
  options.file.clear();
  return options;
}

Policy nobody(const Environment& environment) {
  Policy policy;
  policy.name = "nobody";
  policy.observations = environment.observations();
  policy.actions = environment.actions();
  policy.controller = make_leaf(std::vector<Controller>(policy.actions.size()));
  return policy;
}

// The first of the episodes, played again.
void draw(const EvalOptions& options, const Policy& policy, Environment& environment) {
  if (options.film.empty() && options.svg.empty()) return;
  const Film film =
      record_film(environment, policy, episode_seed(options.seed, Purpose::Report, 0));
  if (!options.film.empty()) write_file_atomically(options.film, film_page(film));
  if (!options.svg.empty())
    write_file_atomically(options.svg, film_svg(film, film.frames.size() / 2));
}

// Evaluates, and tells on standard error how far it is once that takes long.
Evaluation evaluate(Workers& workers, const Policy& policy, const EvalOptions& options,
                    ProgressLine& line) {
  constexpr std::chrono::seconds kPatience(3);
  const auto begin = std::chrono::steady_clock::now();
  workers.stop_when([&] {
    if (std::chrono::steady_clock::now() - begin > kPatience)
      line.show(grouped_text(workers.episodes_played()) + " of " + grouped_text(options.episodes) +
                " episodes");
    return false;
  });
  Evaluation evaluation =
      evaluate(workers, policy, Purpose::Report, options.seed, options.episodes);
  workers.stop_when([] { return false; });
  line.end();
  return evaluation;
}

void eval(const EvalOptions& given) {
  const EvalOptions options = sorted_out(given);
  if (options.file.empty() && options.environment.empty())
    throw Error("name a policy file, or an environment");
  std::optional<Policy> loaded;
  if (!options.file.empty()) loaded = load_policy(options.file);
  const std::string name =
      environment_name(options.environment, loaded ? loaded->environment : "", options.file);
  for (const std::string& picture : {options.film, options.svg}) {
    if (!picture.empty()) require_writable(picture);
  }
  Workers workers([&name] { return make_environment(name); },
                  std::min(options.jobs, options.episodes));
  const Policy policy = loaded ? *loaded : nobody(workers.environment());
  ProgressLine line;
  workers.tell_incidents([&line](const std::string& incident) { line.tell("icct", incident); });
  const Evaluation evaluation = evaluate(workers, policy, options, line);
  print(options.json ? write_json(to_json(evaluation, options, name)) + "\n"
                     : to_text(evaluation, name));
  draw(options, policy, workers.environment());
}

}  // namespace

void add_eval_command(CLI::App& program, int& /*exit_code*/) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* verb = program.add_subcommand("eval", "The return of a policy on fresh episodes");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file; or an environment, for no policy");
  verb->add_option("--env", options->environment,
                   "environment to run in; default: the one the policy names");
  verb->add_option("--episodes", options->episodes, "how many")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--seed", options->seed, "which episodes")->capture_default_str();
  verb->add_option("--jobs", options->jobs, "episodes at the same time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  verb->add_option("--film", options->film,
                   "write the first episode as a page that plays it (traffic only)");
  verb->add_option("--svg", options->svg,
                   "write the middle of the first episode as a picture (traffic only)");
  verb->add_flag("--json", options->json, "print one JSON object");
  verb->callback([options] { eval(*options); });
}

}  // namespace icct
