#pragma once

#include <optional>
#include <vector>

#include "icct/verify/proof.h"

namespace icct {

// Looks inside one leaf for an observation that fulfils all constraints of a case, or for the
// reason why there is none.
class CaseSearch {
 public:
  // `effort`: parts of boxes to look at in each leaf before giving up.
  CaseSearch(const Policy& policy, const Case& constraints, int effort);

  // The reason, or nothing: then found() has an observation or, if it is empty too, it is open.
  // `part`: of a box, with constraints about single observations already taken into account, that
  // reaches `leaf`.
  std::optional<Reason> refute(int leaf, const Box& part);
  const std::vector<double>& found() const { return found_; }
  bool gave_up() const { return left_ <= 0; }

 private:
  std::optional<Reason> refute_part(const Box& part);
  bool impossible(std::size_t constraint, const Box& part) const;
  bool try_candidate(const std::vector<double>& x);
  std::optional<Reason> ask_linear_program(const Box& part);
  std::optional<Reason> refute_halves(const Box& part);
  std::size_t feature_to_split(const Box& part) const;

  const Policy& policy_;
  const Case& constraints_;
  int effort_;
  int left_ = 0;  // of it, in this leaf
  // Of constraints about one action alone: what the action may be.
  std::vector<std::optional<Range>> action_values_;
  std::vector<std::optional<Range>> outputs_;  // and the output; only for linear programs
  std::vector<std::size_t> beyond_bounds_;     // constraints not about single observations
  const Leaf* leaf_ = nullptr;
  std::vector<double> found_;
};

}  // namespace icct
