#include "icct/train/learner.h"

#include "icct/base/error.h"

namespace icct {

void visit_start(StateArchive& archive, const std::string& start) {
  std::string saved = start;
  archive.text("learner.start", saved);
  if (saved != start) throw Error("the policy to begin with has changed since the run was begun");
}

}  // namespace icct
