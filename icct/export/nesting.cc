#include "icct/export/nesting.h"

#include "icct/base/error.h"

namespace icct {

void require_nesting(const Tree& tree) {
  constexpr int kMaxDepth = 100;
  if (depth(tree) <= kMaxDepth) return;
  throw Error("the tree is " + std::to_string(depth(tree)) +
              " decisions deep; compilers take blocks nested " + std::to_string(kMaxDepth) +
              " deep. The formats json, js and onnx have no such limit");
}

}  // namespace icct
