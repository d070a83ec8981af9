// CART on a million samples of 8 features and 2 outputs, beside scikit-learn.
//
//   benchmark_cart [rounds] [python script]   both in turn, best processor time of the rounds
//   benchmark_cart fit FILE LEAVES            one fit in a process of its own, for the above

#include "icct/imitation/cart.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "icct/base/rng.h"

namespace icct {
namespace {

constexpr int kRows = 1'000'000;
constexpr int kFeatures = 8;
constexpr int kOutputs = 2;

struct Cost {
  double seconds = HUGE_VAL;  // of the processor
  double megabytes = 0;       // at the peak, beyond the samples
  double error = 0;           // mean squared, of the samples
};

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double size = 0;
  double resident = 0;
  file >> size >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

double peak_megabytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Normal features; one output saturates along a slope of all of them, one waves along two. Features
// first, then outputs, as doubles that floats can hold.
void write_samples(const std::string& file) {
  Rng rng(1);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < kRows; ++i) {
    double slope = 0;
    for (int j = 0; j < kFeatures; ++j) {
      x.push_back(static_cast<double>(static_cast<float>(rng.normal())));
      slope += j * x.back() / kFeatures;
    }
    const double* row = x.data() + x.size() - kFeatures;
    y.push_back(std::tanh(slope) + 0.1 * rng.normal());
    y.push_back(std::sin(2 * row[0]) * row[1]);
  }
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(x.data()), static_cast<std::streamsize>(x.size() * 8));
  out.write(reinterpret_cast<const char*>(y.data()), static_cast<std::streamsize>(y.size() * 8));
}

void fit(const std::string& file, int leaves) {
  std::vector<double> x(static_cast<std::size_t>(kRows) * kFeatures);
  std::vector<double> y(static_cast<std::size_t>(kRows) * kOutputs);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(x.size() * 8));
  in.read(reinterpret_cast<char*>(y.data()), static_cast<std::streamsize>(y.size() * 8));
  const Samples samples{{x.data(), kRows, kFeatures}, {y.data(), kRows, kOutputs}};
  const double before = resident_megabytes();
  const double start = processor_seconds();
  const Tree tree = fit_cart(samples, {.max_leaves = leaves});
  const double seconds = processor_seconds() - start;
  const double megabytes = peak_megabytes() - before;
  double error = 0;
  for (int i = 0; i < kRows; ++i) {
    const Leaf& leaf = tree.leaves[static_cast<std::size_t>(find_leaf(tree, samples.x.row(i)))];
    for (int k = 0; k < kOutputs; ++k)
      error += std::pow(leaf.controllers[static_cast<std::size_t>(k)].bias - samples.y(i, k), 2);
  }
  std::printf("%.17g %.17g %.17g\n", seconds, megabytes, error / kRows / kOutputs);
}

// Runs a command that prints a cost, and keeps the better of it and the old one.
void measure(const std::string& command, Cost& best) {
  FILE* pipe = ::popen(command.c_str(), "r");
  Cost cost;
  const bool read = pipe != nullptr && std::fscanf(pipe, "%lf %lf %lf", &cost.seconds,
                                                   &cost.megabytes, &cost.error) == 3;
  if (pipe != nullptr) ::pclose(pipe);
  if (!read) {
    std::fprintf(stderr, "no numbers from: %s\n", command.c_str());
    std::exit(1);
  }
  if (cost.seconds < best.seconds) best = cost;
}

void compare(const std::string& self, int rounds, const std::string& script) {
  const std::string file = std::filesystem::temp_directory_path() / "benchmark_cart_samples";
  write_samples(file);
  std::printf("%-8s %10s %10s %8s %10s %10s %12s %12s\n", "leaves", "here, s", "sklearn, s",
              "ratio", "here, MB", "sklearn", "error here", "sklearn");
  for (const int leaves : {32, 256, 0}) {
    const std::string arguments = file + " " + std::to_string(leaves);
    Cost here;
    Cost there;
    for (int round = 0; round < rounds; ++round) {
      measure(self + " fit " + arguments, here);
      measure("/usr/bin/python3 " + script + " " + arguments, there);
    }
    std::printf("%-8d %10.2f %10.2f %8.1f %10.0f %10.0f %12.6g %12.6g\n", leaves, here.seconds,
                there.seconds, there.seconds / here.seconds, here.megabytes, there.megabytes,
                here.error, there.error);
    std::fflush(stdout);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace icct

int main(int count, char** arguments) {
  if (count == 4 && std::string(arguments[1]) == "fit") {
    icct::fit(arguments[2], std::atoi(arguments[3]));
    return 0;
  }
  icct::compare(arguments[0], count > 1 ? std::atoi(arguments[1]) : 3,
                count > 2 ? arguments[2] : "benchmarks/cart_sklearn.py");
}
