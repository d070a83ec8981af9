#pragma once

#include <string>
#include <vector>

namespace icct {

// Runs a program found on PATH and waits for it. Throws Error with what it printed unless it ends
// with code 0.
void run_program(const std::vector<std::string>& command);

}  // namespace icct
