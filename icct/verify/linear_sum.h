#pragma once

#include <gmpxx.h>

#include <map>
#include <optional>
#include <string_view>

#include "icct/verify/normal_form.h"

namespace icct {

// constant + factors times observations and actions, by their index; in exact arithmetic.
struct LinearSum {
  std::map<int, mpq_class> observations = {};
  std::map<int, mpq_class> actions = {};
  mpq_class constant = 0;

  bool is_constant() const { return observations.empty() && actions.empty(); }
};

// sum += factor * other
void add(LinearSum& sum, const LinearSum& other, const mpq_class& factor);

// a * b, of which at least one must be constant. Nothing if one of its numbers is no double: so
// they stay short, however many factors there are.
std::optional<LinearSum> product(const LinearSum& a, const LinearSum& b);

// The double that equals the number, if there is one.
std::optional<double> exact_double(const mpq_class& number);

// The comparison "left relation right" with one of < <= > >= =, the constants moved to the right.
// Nothing if one of its numbers is then no double: constraints never round.
std::optional<Formula> comparison(const LinearSum& left, std::string_view relation,
                                  const LinearSum& right);

}  // namespace icct
