#pragma once

#include "icct/tree/tree.h"

namespace icct {

// Throws Error if the tree is deeper than compilers can nest blocks.
void require_nesting(const Tree& tree);

}  // namespace icct
