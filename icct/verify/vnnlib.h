#pragma once

#include <string>
#include <string_view>

#include "icct/policy/policy.h"
#include "icct/verify/property.h"

namespace icct {

// Properties in the format of the neural network verification competition (VNN-LIB, a subset of
// SMT-LIB). X_i is observation i, Y_j action j. The assertions together describe a violation: a
// point that fulfils all of them is a counterexample.

// Reads declare-const (or declare-fun without arguments) of every X_i and Y_j as Real, and assert
// with and, or, not, true, false, < <= > >= = and linear sums of + - *. Every number is the double
// nearest to it; sums that would round are refused. Throws Error with the line for anything else.
Property read_vnnlib(std::string_view text, const Policy& policy);

// Reads back as the same violations: every number is the shortest decimal, without an exponent,
// whose nearest double it is. Comments give the names of the variables. `property` must be valid.
std::string write_vnnlib(const Property& property, const Policy& policy);

}  // namespace icct
