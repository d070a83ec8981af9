#pragma once

#include <memory>
#include <string>

#include "icct/train/learner.h"

namespace icct {

inline void finish(Learner& learner) {
  while (!learner.finished()) learner.advance();
}

inline std::string bytes_of(Learner& learner) {
  StateArchive archive;
  learner.visit_state(archive);
  return archive.take_bytes();
}

inline void restore(Learner& learner, const std::string& bytes) {
  StateArchive archive(bytes);
  learner.visit_state(archive);
  archive.finish();
}

// Learns to the end, but after every `pieces` pieces of work goes on in a new learner that `make`
// makes, from what the old one saved.
template <class Make>
std::unique_ptr<Learner> finish_in_parts(const Make& make, int pieces) {
  std::unique_ptr<Learner> learner = make();
  while (!learner->finished()) {
    for (int i = 0; i < pieces && !learner->finished(); ++i) learner->advance();
    const std::string bytes = bytes_of(*learner);
    learner = make();
    restore(*learner, bytes);
  }
  return learner;
}

}  // namespace icct
