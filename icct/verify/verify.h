#pragma once

#include <string>
#include <vector>

#include "icct/verify/proof.h"

namespace icct {

enum class Answer { Proven, Violated, Undecided };

struct ProofOptions {
  int effort = 5'000;       // parts of a leaf to look at before giving up on it
  bool keep_proof = false;  // for a certificate
};

// About the deployed function, as act() computes it.
struct Verdict {
  Answer answer = Answer::Proven;
  Proof proof;                    // if proven, and asked for
  std::vector<double> x, action;  // if violated: a counterexample, and what act() answers to it
  std::size_t violated_case = 0;  // of the property
  int leaf = -1;                  // that answers the counterexample, or that stays undecided
  std::string reason = {};        // if undecided
};

// Decides whether the policy keeps the property for every observation in the box. Never guesses: a
// counterexample has been replayed, a proof can be checked (see certificate()), and what stays
// open after so much effort is undecided. Properties with one constraint beyond bounds
// of single observations in each case are always decided, in time per leaf. Throws Error if the
// property or the box does not fit the policy, or the policy is no tree.
Verdict verify(const Policy& policy, const Property& property, const Box& box,
               const ProofOptions& options = {});

}  // namespace icct
