#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icct/base/state_archive.h"
#include "icct/train/selection.h"

namespace icct {

// Something that learns a policy piece by piece, so that a run can be watched, stopped, saved and
// continued. What it learns depends on its options and seed alone, never on when it was stopped or
// how many cores it had.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual bool finished() const = 0;

  // One piece of work. When its workers are told to stop it throws Interrupted; then only what was
  // saved before it can go on.
  virtual void advance() = 0;

  virtual std::int64_t steps() const = 0;   // environment steps spent on learning
  virtual std::int64_t budget() const = 0;  // of them in all
  virtual Selection& selection() = 0;

  // From now on tells what goes wrong with simulators of its own, beside those of its workers.
  virtual void tell_incidents(const TellIncident& /*tell*/) {}

  // Everything needed to continue exactly.
  virtual void visit_state(StateArchive& archive) = 0;
};

// What a run began with, if anything, as text. Reading throws Error if that has changed since.
void visit_start(StateArchive& archive, const std::string& start);

}  // namespace icct
