// How long the exported C takes per call, and how large it is, beside act() and others.
//
//   benchmark_export [rounds=5] [seconds=0.2] [with="<command>"]...
//
// Every round measures every variant once, so that all see the same disturbances; the best round
// counts. The exported source is compiled by `cc -O2` when the program starts. A command given by
// `with` is another implementation: it is run with the arguments <tables.json> <seconds> and prints
// lines of the microseconds of one call and a name.

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/base/rng.h"
#include "icct/export/to_c.h"
#include "icct/export/to_json.h"
#include "icct/tree/crispify.h"
#include "icct/tree/initialise.h"

namespace icct {
namespace {

constexpr int kObservations = 8;
constexpr int kActions = 2;
constexpr int kRows = 512;  // few enough to stay in the cache, as a fresh observation would

struct Settings {
  int rounds = 5;
  double seconds = 0.2;
  std::vector<std::string> commands;
};

Settings read_settings(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = std::min(argument.find('='), argument.size() - 1);
    const std::string name = argument.substr(0, equals), value = argument.substr(equals + 1);
    if (name == "rounds")
      settings.rounds = std::stoi(value);
    else if (name == "seconds")
      settings.seconds = std::stod(value);
    else if (name == "with")
      settings.commands.push_back(value);
    else
      throw Error("unknown argument '" + argument + "'; see the top of benchmarks/export.cc");
  }
  return settings;
}

// Every node splits near the median of what reaches it, so that branches are hard to predict.
Policy make_policy(int leaves, std::vector<double>& rows) {
  Rng rng(1);
  rows.resize(kRows * kObservations);
  for (double& value : rows) value = rng.normal();
  FuzzyTree<double> tree({.observations = kObservations, .actions = kActions, .leaves = leaves});
  initialise_balanced(tree, MatrixView<const double>{rows.data(), kRows, kObservations}, rng);
  Policy policy;
  policy.name = "benchmark";
  policy.observations = numbered_space("x", kObservations);
  policy.actions = numbered_space("a", kActions);
  for (Dimension& action : policy.actions) action.lower = -1, action.upper = 1;
  policy.controller = crispify(tree);
  validate(policy);
  return policy;
}

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("cannot run " + command);
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  if (::pclose(pipe) != 0) throw Error("failed: " + command);
  return text;
}

// The exported function, compiled and loaded, and the bytes of its code and constants.
struct Exported {
  void* function = nullptr;
  int bytes = 0;
};

Exported compile(const Policy& policy, const std::filesystem::path& folder, bool single) {
  const std::string name =
      "tree" + std::to_string(tree_of(policy).leaves.size()) + (single ? "_float" : "_double");
  const CSource c = to_c(policy, name, single);
  const std::string base = (folder / name).string();
  write_file_atomically(base + ".h", c.header);
  write_file_atomically(base + ".c", c.source);
  output_of("cc -std=c99 -O2 -ffp-contract=off -fPIC -c " + base + ".c -o " + base + ".o");
  output_of("cc -shared -o " + base + ".so " + base + ".o");
  void* library = ::dlopen((base + ".so").c_str(), RTLD_NOW);
  if (library == nullptr) throw Error("cannot load " + base + ".so");
  return {::dlsym(library, (name + "_act").c_str()),
          std::stoi(output_of("size " + base + ".o | tail -1"))};
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Nanoseconds of one call, over observations in an order that does not repeat.
double nanoseconds(double seconds, const std::function<void(std::size_t)>& calls) {
  constexpr std::size_t kCalls = 20'000;
  double best = 1e9, spent = 0;
  while (spent < seconds) {
    const double start = processor_seconds();
    calls(kCalls);
    const double time = processor_seconds() - start;
    spent += time;
    best = std::min(best, 1e9 * time / static_cast<double>(kCalls));
  }
  return best;
}

template <class Real, class Call>
std::function<void(std::size_t)> over_rows(const std::vector<double>& rows, const Call& call) {
  return [values = std::vector<Real>(rows.begin(), rows.end()), call](std::size_t calls) {
    Real action[kActions] = {};
    volatile Real sink = 0;
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < calls; ++i) {
      state = 1664525 * state + 1013904223;
      call(values.data() + (state >> 16) % kRows * kObservations, action);
      sink = action[0];
    }
    static_cast<void>(sink);
  };
}

template <class Real>
std::function<void(std::size_t)> exported_calls(const Exported& exported,
                                                const std::vector<double>& rows) {
  auto* function = reinterpret_cast<int (*)(const Real*, Real*)>(exported.function);
  return over_rows<Real>(rows, [function](const Real* x, Real* action) { function(x, action); });
}

using Results = std::map<std::string, double>;  // the best nanoseconds of each variant

void keep_best(Results& results, const std::string& name, double value) {
  const auto [at, is_new] = results.emplace(name, value);
  if (!is_new) at->second = std::min(at->second, value);
}

void run_command(const std::string& command, const std::string& tables, double seconds,
                 Results& results) {
  const std::string text = output_of(command + " " + tables + " " + std::to_string(seconds));
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    const std::size_t blank = line.find(' ');
    if (blank != std::string::npos)
      keep_best(results, line.substr(blank + 1), 1e3 * std::stod(line));
    start = end + 1;
  }
}

void measure(int leaves, const Settings& settings, const std::filesystem::path& folder) {
  std::vector<double> rows;
  const Policy policy = make_policy(leaves, rows);
  const std::string tables = (folder / "tables.json").string();
  write_file_atomically(tables, to_json(policy));
  const Exported in_double = compile(policy, folder, false),
                 in_float = compile(policy, folder, true);
  const auto library = over_rows<double>(rows, [&policy](const double* x, double* action) {
    act(policy, std::span(x, kObservations), std::span(action, kActions));
  });
  Results results;
  for (int round = 0; round < settings.rounds; ++round) {
    keep_best(results, "act()", nanoseconds(settings.seconds, library));
    keep_best(results, "exported C, double",
              nanoseconds(settings.seconds, exported_calls<double>(in_double, rows)));
    keep_best(results, "exported C, float",
              nanoseconds(settings.seconds, exported_calls<float>(in_float, rows)));
    for (const std::string& command : settings.commands)
      run_command(command, tables, settings.seconds, results);
  }
  std::printf("%d leaves; code and constants: %d bytes in double, %d in float\n", leaves,
              in_double.bytes, in_float.bytes);
  const double exported = results.at("exported C, double");
  for (const auto& [name, time] : results)
    std::printf("  %-32s %10.1f ns  %8.1f times the exported C\n", name.c_str(), time,
                time / exported);
}

int run(int count, char** arguments) {
  const Settings settings = read_settings(count, arguments);
  std::string name = (std::filesystem::temp_directory_path() / "icct_export_XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(name.data());
  for (const int leaves : {2, 8, 16, 64}) measure(leaves, settings, folder);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace icct

int main(int count, char** arguments) {
  try {
    return icct::run(count, arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "benchmark_export: %s\n", error.what());
    return 2;
  }
}
