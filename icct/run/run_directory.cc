#include "icct/run/run_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/env/environment_spec.h"
#include "icct/policy/policy_file.h"
#include "icct/run/checkpoint.h"
#include "icct/run/learning_curve.h"
#include "icct/run/progress_csv.h"
#include "icct/run/report.h"

namespace icct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxOptionBytes = 1 << 20;
constexpr std::size_t kMaxRoadBytes = 1 << 24;
constexpr const char* kEvents = "events.out.tfevents.icct";
constexpr const char* kIncidents = "incidents.txt";
constexpr const char* kRoad = "road.json";

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// The first option that differs, for people.
std::string difference(const Json& theirs, const Json& ours) {
  for (const auto& [name, value] : theirs.items()) {
    const Json here = ours.contains(name) ? ours.at(name) : Json();
    if (here != value)
      return "'" + name + "' is " + value.dump() + " there and " + here.dump() + " here";
  }
  return "";
}

// The file that describes the environment; nothing where it needs none.
std::optional<fs::path> road_of(const Json& options) {
  const std::string name = parse_environment_spec(options.value("environment", "")).name;
  if (!name.ends_with(".json") || !fs::exists(name)) return {};
  return name;
}

std::vector<RunFile> run_files(bool with_road, bool with_incidents) {
  std::vector<RunFile> files = {{"policy.json", "the policy"},
                                {"options.json", "all options"},
                                {"progress.csv", "one row per validation"},
                                {"learning_curve.svg", "the same as a picture"},
                                {kEvents, "the same for TensorBoard"},
                                {"checkpoint", "the state of the run"}};
  if (with_road) files.push_back({kRoad, "the road as it was at the beginning"});
  if (with_incidents) files.push_back({kIncidents, "what went wrong with simulators"});
  return files;
}

}  // namespace

Json options_of_run(const fs::path& folder) {
  const fs::path path = folder / "options.json";
  if (!fs::exists(path)) {
    std::error_code nothing_there;
    for (const auto& entry : fs::directory_iterator(folder, nothing_there)) {
      if (fs::exists(entry.path() / "options.json"))
        throw Error(folder.string() +
                    ": holds the runs of several seeds; repeat their whole command with --resume");
    }
    throw Error(folder.string() + ": holds no run to resume (there is no options.json)");
  }
  Json json = parse_json(read_file(path, kMaxOptionBytes), path.string());
  if (!json.is_object()) throw Error(path.string() + ": expected an object");
  return json;
}

RunDirectory::RunDirectory(fs::path folder, const RunTask& task, bool resume)
    : folder_(std::move(folder)), task_(task), options_text_(write_json(task.options)) {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) throw Error(folder_.string() + ": cannot create the folder: " + problem.message());
  lock();
  try {
    check_options(resume);
    keep_road();
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

RunDirectory::~RunDirectory() {
  ::close(lock_);
}

// Held until the process ends, however it ends.
void RunDirectory::lock() {
  lock_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw Error(folder_.string() + ": cannot open: " + std::strerror(errno));
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(lock_);
  throw Error(folder_.string() + ": another process is training in this folder");
}

void RunDirectory::check_options(bool resume) {
  const fs::path path = folder_ / "options.json";
  if (!fs::exists(path)) return write_file_atomically(path, options_text_ + "\n");
  if (!resume) {
    throw Error(folder_.string() +
                ": holds a run already; continue it with --resume or choose another --out");
  }
  const std::string differs = difference(options_of_run(folder_), task_.options);
  if (!differs.empty())
    throw Error(folder_.string() + ": the run was begun with other options: " + differs);
}

// Two halves of a run on two roads would mean nothing.
void RunDirectory::keep_road() {
  const std::optional<fs::path> road = road_of(task_.options);
  if (!road) return;
  const std::string text = read_file(*road, kMaxRoadBytes);
  const fs::path kept = folder_ / kRoad;
  if (!fs::exists(kept)) return write_file_atomically(kept, text);
  if (read_file(kept, kMaxRoadBytes) != text)
    throw Error(road->string() + ": has changed since the run was begun; as it was then it is in " +
                kept.string());
}

void RunDirectory::restore(Learner& learner) {
  const fs::path path = folder_ / "checkpoint";
  if (fs::exists(path)) load_checkpoint(path, options_text_, learner);
  std::ifstream file(folder_ / kIncidents);
  for (std::string line; std::getline(file, line);) incidents_.push_back(line);
}

void RunDirectory::add_incident(const std::string& incident) {
  incidents_.push_back(incident);
  std::string lines;
  for (const std::string& each : incidents_) lines += each + "\n";
  write_file_atomically(folder_ / kIncidents, lines);
}

void RunDirectory::write_progress(Learner& learner) {
  const Selection& selection = learner.selection();
  const Progress& progress = selection.progress();
  if (selection.empty()) return;
  if (!written_ || !(*written_ == selection.best())) {
    save_policy(selection.best(), folder_ / "policy.json");
    written_ = selection.best();
  }
  if (rows_written_ == progress.rows.size() && events_) return;
  write_file_atomically(folder_ / "progress.csv", to_csv(progress));
  if (!events_) events_.emplace(folder_ / kEvents, wall_time());
  for (; rows_written_ < progress.rows.size(); ++rows_written_)
    add_row(*events_, wall_time(), progress, progress.rows[rows_written_]);
  events_->flush();
}

void RunDirectory::write_checkpoint(Learner& learner) {
  save_checkpoint(folder_ / "checkpoint", options_text_, learner);
}

void RunDirectory::write_report(Learner& learner, const RunResult& result) {
  const Selection& selection = learner.selection();
  write_file_atomically(
      folder_ / "learning_curve.svg",
      learning_curve_svg(selection.progress(),
                         {.title = task_.title, .final_return = result.fresh.mean_return}));
  const RunReport report = {
      .title = task_.title,
      .command = task_.command,
      .options_json = options_text_,
      .progress = selection.progress(),
      .policy = selection.best(),
      .validation_episodes = selection.episodes(),
      .final_episodes = selection.final_episodes(),
      .validation_mean = selection.best_validation(),
      .kept_after = selection.best_steps(),
      .fresh = result.fresh,
      .report_seed = task_.seed,
      .published_protocol = selection.published_protocol(),
      .seconds = result.seconds,
      .incidents = result.incidents,
      .files = run_files(road_of(task_.options).has_value(), !result.incidents.empty())};
  write_file_atomically(folder_ / "report.md", to_markdown(report));
}

}  // namespace icct
