// How long one SAC update takes, and which share of the processor's peak it reaches.
//
//   benchmark_update [rounds=5] [seconds=0.3] [batch=64,256,1024] [hidden=64,128,256]
//                    [with="<command>"]...
//
// Every round measures every variant once, so that all see the same disturbances; the best round
// counts. Columns: processor time of one update (two threads: time on the wall), time on the wall,
// share of the measured peak of one core, and time relative to our single thread. A command given
// by `with` is another implementation: it is run with the arguments <batch> <hidden> <tree|mlp>
// <seconds> and prints the milliseconds of one update.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "icct/base/error.h"
#include "icct/nn/simd.h"
#include "icct/nn/tile.h"
#include "icct/rl/mlp_actor.h"
#include "icct/rl/sac.h"
#include "icct/rl/tree_actor.h"
#include "icct/tree/initialise.h"

namespace icct {
namespace {

constexpr int kObservations = 8;
constexpr int kActions = 2;

struct Settings {
  int rounds = 5;
  double seconds = 0.3;
  std::vector<int> batches = {64, 256, 1024};
  std::vector<int> hidden = {64, 128, 256};
  std::vector<std::string> commands;
};

std::vector<int> read_list(const std::string& text) {
  std::vector<int> values;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    values.push_back(std::stoi(text.substr(start, end - start)));
    start = end + 1;
  }
  return values;
}

Settings read_settings(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    const std::size_t equals = std::min(argument.find('='), argument.size() - 1);
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(equals + 1);
    if (name == "rounds")
      settings.rounds = std::stoi(value);
    else if (name == "seconds")
      settings.seconds = std::stod(value);
    else if (name == "batch")
      settings.batches = read_list(value);
    else if (name == "hidden")
      settings.hidden = read_list(value);
    else if (name == "with")
      settings.commands.push_back(value);
    else
      throw Error("unknown argument '" + argument + "'; see the top of benchmarks/update.cc");
  }
  return settings;
}

// Time of the processor on this thread, which waiting for others on a busy machine does not count.
double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Multiply-adds in registers only: the most that one core can do.
double measure_peak_flops() {
  constexpr int kSums = 12;
  constexpr int kSteps = 1000000;
  volatile float source = 1.0f;
  Simd<float> sum[kSums];  // all different, or the compiler computes one for all
  for (int i = 0; i < kSums; ++i) sum[i] = Simd<float>{} + source * static_cast<float>(i);
  const Simd<float> factor = Simd<float>{} + source;
  const Simd<float> term = Simd<float>{} + source * 1e-9f;
  double best = 1e9;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double start = processor_seconds();
    for (int step = 0; step < kSteps; ++step)
      unrolled<kSums>([&](auto i) { add_product(sum[i], factor, term); });
    best = std::min(best, processor_seconds() - start);
  }
  for (const auto& s : sum) source = sum_of_lanes<float>(s);
  return 2.0 * kLanes<float> * kSums * kSteps / best;
}

// Floating-point operations of one update that no implementation can leave out.
double flops_per_update(int batch, int hidden, bool is_mlp) {
  const double h = hidden, in = kObservations + kActions;
  const double forward = in * h + h * h + h;
  const double critics = 2 * (3 * forward + forward + (h * h + h)) + (h * h + h + kActions * h);
  const double heads = 2 * kActions * h;
  const double actor_forward = kObservations * h + h * h + heads;
  const double actor = is_mlp ? 3 * actor_forward + h * h + heads : 0;
  return 2.0 * batch * (critics + actor);
}

Batch random_batch(int size, Rng& rng) {
  Batch batch(size, kObservations, kActions);
  for (auto* values : {&batch.observations, &batch.next_observations, &batch.rewards})
    for (float& value : *values) value = static_cast<float>(rng.normal());
  for (float& value : batch.actions) value = static_cast<float>(rng.uniform(-1, 1));
  for (float& value : batch.terminated) value = rng.uniform() < 0.05 ? 1.0f : 0.0f;
  return batch;
}

std::unique_ptr<Actor<float>> make_actor(bool is_mlp, int hidden, int batch, Rng& rng) {
  if (is_mlp) {
    auto actor = std::make_unique<MlpActor<float>>(kObservations, std::vector{hidden, hidden},
                                                   kActions, batch);
    initialise(actor->network(), rng);
    return actor;
  }
  TreeOptions options;
  options.observations = kObservations;
  options.actions = kActions;
  FuzzyTree<float> tree(options);
  initialise_published(tree, rng);
  return std::make_unique<TreeActor<float>>(std::move(tree), batch);
}

struct Variant {
  std::string name;
  bool is_mlp;
  int threads;               // of ours
  std::string command = {};  // of others
};

// Seconds of one update: of the processor on the calling thread, and on the wall.
struct Times {
  double processor = 1e9, wall = 1e9;
};

// Nine of ten in a run take longer: an undisturbed one.
double undisturbed(std::vector<double>& times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 10];
}

Times measure_ours(const Variant& variant, int batch_size, int hidden, double seconds) {
  Rng rng(1);
  const auto actor = make_actor(variant.is_mlp, hidden, batch_size, rng);
  SacOptions options;
  options.batch_size = batch_size;
  options.critic_hidden = {hidden, hidden};
  options.threads = variant.threads;
  Sac sac(*actor, options, rng);
  const Batch batch = random_batch(batch_size, rng);
  for (int i = 0; i < 5; ++i) sac.update(batch, rng);
  std::vector<double> processor, wall;
  for (const double end = wall_seconds() + seconds; wall_seconds() < end || wall.size() < 5;) {
    const double start = wall_seconds(), processor_start = processor_seconds();
    sac.update(batch, rng);
    processor.push_back(processor_seconds() - processor_start);
    wall.push_back(wall_seconds() - start);
  }
  return {undisturbed(processor), undisturbed(wall)};
}

Times measure_other(const Variant& variant, int batch, int hidden, double seconds) {
  const std::string command = variant.command + " " + std::to_string(batch) + " " +
                              std::to_string(hidden) + (variant.is_mlp ? " mlp " : " tree ") +
                              std::to_string(seconds);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw Error("cannot run '" + command + "'");
  double milliseconds = 0;
  const int read = std::fscanf(pipe, "%lf", &milliseconds);
  if (pclose(pipe) != 0 || read != 1) throw Error("'" + command + "' failed");
  return {milliseconds / 1e3, 1e9};
}

std::vector<Variant> all_variants(const Settings& settings) {
  std::vector<Variant> variants = {{"tree", false, 1},
                                   {"tree, 2 threads", false, 2},
                                   {"mlp", true, 1},
                                   {"mlp, 2 threads", true, 2}};
  for (const std::string& command : settings.commands) {
    const std::string name = command.substr(command.find_last_of('/') + 1);
    variants.push_back({"tree, " + name, false, 1, command});
    variants.push_back({"mlp, " + name, true, 1, command});
  }
  return variants;
}

void print_row(int batch, int hidden, const Variant& v, const Times& times, double ours,
               double peak) {
  // A second thread's time shows on the wall only.
  const double seconds = v.threads == 2 ? times.wall : times.processor;
  const double share = flops_per_update(batch, hidden, v.is_mlp) / seconds / peak;
  std::printf("| %5d | %4d | %-36s | %8.3f | ", batch, hidden, v.name.c_str(), seconds * 1e3);
  if (v.command.empty())
    std::printf("%8.3f", times.wall * 1e3);
  else
    std::printf("%8s", "");
  std::printf(" | %6.1f | %6.2f |\n", 100 * share, seconds / ours);
  std::fflush(stdout);
}

void measure_case(const Settings& settings, int batch, int hidden) {
  const std::vector<Variant> variants = all_variants(settings);
  std::vector<Times> best(variants.size());
  double peak = 0;
  for (int round = 0; round < settings.rounds; ++round) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const Variant& v = variants[i];
      peak = std::max(peak, measure_peak_flops());
      const Times times = v.command.empty() ? measure_ours(v, batch, hidden, settings.seconds)
                                            : measure_other(v, batch, hidden, settings.seconds);
      best[i].processor = std::min(best[i].processor, times.processor);
      best[i].wall = std::min(best[i].wall, times.wall);
    }
  }
  for (std::size_t i = 0; i < variants.size(); ++i)
    print_row(batch, hidden, variants[i], best[i], best[variants[i].is_mlp ? 2 : 0].processor,
              peak);
}

}  // namespace
}  // namespace icct

int main(int count, char** arguments) {
  try {
    const icct::Settings settings = icct::read_settings(count, arguments);
    std::printf("peak of one core: %.1f GFLOP/s; best of %d rounds\n\n",
                icct::measure_peak_flops() / 1e9, settings.rounds);
    std::printf("| batch | size | %-36s | %8s | %8s | %% peak | x ours |\n", "actor", "ms",
                "wall ms");
    std::printf("|---|---|---|---|---|---|---|\n");
    for (const int hidden : settings.hidden)
      for (const int batch : settings.batches) icct::measure_case(settings, batch, hidden);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
