#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "icct/base/json.h"
#include "icct/train/learner.h"

namespace icct {

// Everything that decides what a distillation makes of its teacher. The same names serve as flags
// of the command line, as keys of options.json and as rows of the help.
struct DistillOptions {
  std::string environment;
  std::uint64_t seed = 0;
  std::string teacher;
  std::string method = "dagger";
  int leaves = 32;
  std::string features = "2";
  int depth = 1000;
  int leaf_samples = 1;
  double pruning = 0;
  int iterations = 100;
  int samples = 2'000;
  std::string weights = "equal";
  int validation_episodes = 100;
  int report_episodes = 100;

  bool operator==(const DistillOptions&) const = default;
};

// Calls visit(name, field, help) for every field but the environment.
template <class Options, class Visit>
requires(std::is_same_v<std::remove_const_t<Options>, DistillOptions>) void visit_fields(
    Options& o, const Visit& visit) {
  visit("seed", o.seed, "of everything random");
  visit("teacher", o.teacher, "policy file, folder of a run, or shared library FILE.so[:FUNCTION]");
  visit("method", o.method,
        "cart (constants, from the teacher's own episodes), dagger (constants, also from the "
        "tree's episodes) or linear (dagger with linear controllers)");
  visit("leaves", o.leaves, "of the tree, at most; linear: 8 if not given");
  visit("features", o.features, "linear: per leaf and action at most: 1, 2, ... or all");
  visit("depth", o.depth, "decisions on a path, at most");
  visit("leaf_samples", o.leaf_samples, "samples in a leaf, at least");
  visit("pruning", o.pruning, "cart, dagger: mean squared error that a leaf must save");
  visit("iterations", o.iterations,
        "trees made, each from all samples so far; cart makes one, "
        "from as many samples as all of them");
  visit("samples", o.samples,
        "environment steps per iteration, about; traffic: 15000, in 20 iterations");
  visit("weights", o.weights,
        "of the samples: equal, or critic (by how much the action matters there)");
  visit("validation_episodes", o.validation_episodes, "per validation; they choose what is kept");
  visit("report_episodes", o.report_episodes, "fresh episodes of the final report");
}

// What is usual for a method: 32 leaves of constants, or 8 linear ones; with fewer iterations and
// episodes in traffic, which is slow. Throws Error if there is no such method.
DistillOptions usual_distillation(const std::string& method, const std::string& environment);

// Throws Error naming the option, its value and what it may be.
void validate(const DistillOptions& options);

Json to_json(const DistillOptions& options);
DistillOptions distill_options_from(const JsonReader& json);  // throws Error saying what and where

// The command that repeats the run, without where to put it.
std::string command_of(const DistillOptions& options);

// A learner for the options. `workers` change nothing but the speed. Throws Error if the options
// are not valid, or the teacher cannot be loaded or does not fit the environment.
std::unique_ptr<Learner> make_distillation(const DistillOptions& options, Workers& workers);

}  // namespace icct
