#include "icct/verify/verify.h"

#include "icct/base/error.h"
#include "icct/verify/case_search.h"
#include "icct/verify/constraint_range.h"
#include "icct/verify/range.h"

namespace icct {
namespace {

std::string open_reason(const Policy& policy, int leaf, bool gave_up) {
  const std::string name = name_of(tree_of(policy), {leaf, true});
  if (!gave_up)
    return name +
           ": the constraints meet within the rounding of a double, or far outside all "
           "bounds; narrow the observations";
  return name +
         ": no answer after looking at many parts of it; narrow the observations or allow "
         "more effort";
}

// Looks at every leaf; the first counterexample ends it.
void verify_case(const Policy& policy, const Case& constraints, Box part,
                 const ProofOptions& options, Verdict& verdict) {
  CaseProof proof;
  CaseSearch search(policy, constraints, options.effort);
  for_each_leaf(tree_of(policy), part, [&](int leaf, const Box& inside) {
    if (verdict.answer == Answer::Violated) return;
    std::optional<Reason> reason = search.refute(leaf, inside);
    if (reason) {
      if (!options.keep_proof) return;
      proof.leaves.push_back(leaf);
      proof.reasons.push_back(std::move(*reason));
      return;
    }
    verdict.leaf = leaf;
    if (search.found().empty()) {
      verdict.answer = Answer::Undecided;
      verdict.reason = open_reason(policy, leaf, search.gave_up());
    } else {
      verdict.answer = Answer::Violated;
      verdict.x = search.found();
      verdict.action = act(policy, verdict.x);
    }
  });
  verdict.proof.cases.push_back(std::move(proof));
}

}  // namespace

Verdict verify(const Policy& policy, const Property& property, const Box& box,
               const ProofOptions& options) {
  validate(property, policy);
  require_box(policy, box);
  Verdict verdict;
  verdict.proof.box = box;
  for (const Case& constraints : property.violations) {
    const Box part = narrowed(box, constraints);
    if (is_empty(part)) {
      verdict.proof.cases.emplace_back();
      continue;
    }
    verdict.violated_case = verdict.proof.cases.size();
    verify_case(policy, constraints, part, options, verdict);
    if (verdict.answer == Answer::Violated) break;
  }
  if (verdict.answer != Answer::Proven || !options.keep_proof) verdict.proof = {};
  return verdict;
}

}  // namespace icct
