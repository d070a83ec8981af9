#pragma once

#include <string>
#include <vector>

#include "icct/policy/policy.h"
#include "icct/verify/verify.h"

namespace icct {

// The rules of a file; one that ends in .vnnlib is read as VNN-LIB. Errors name the file.
std::vector<Property> read_property_file(const std::string& path, const Policy& policy);

// "proven", "violated", "undecided"
std::string answer_word(Answer answer);

// Where a rule is violated, and what the policy answers there: two lines.
std::string counterexample_text(const Policy& policy, const Verdict& verdict);

}  // namespace icct
