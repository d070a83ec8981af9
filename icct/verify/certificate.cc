#include "icct/base/json.h"
#include "icct/verify/proof.h"

namespace icct {
namespace {

Json to_json(const std::vector<Term>& terms) {
  Json result = Json::array();
  for (const Term& term : terms) result.push_back({term.feature, term.gain});
  return result;
}

Json to_json(const Constraint& constraint) {
  return {{"observations", to_json(constraint.observations)},
          {"actions", to_json(constraint.actions)},
          {constraint.strict ? "below" : "at_most", constraint.bound}};
}

Json to_json(const Reason& reason) {
  if (reason.constraint >= 0) return {{"false", reason.constraint}};
  if (!reason.multipliers.empty()) return {{"add", reason.multipliers}};
  return {{"split", reason.feature},
          {"at", reason.at},
          {"below", to_json(reason.halves[0])},
          {"above", to_json(reason.halves[1])}};
}

Json to_json(const Case& constraints, const CaseProof& proof) {
  Json result = {{"constraints", Json::array()}, {"leaves", Json::array()}};
  for (const Constraint& constraint : constraints)
    result["constraints"].push_back(to_json(constraint));
  for (std::size_t i = 0; i < proof.leaves.size(); ++i)
    result["leaves"].push_back({{"leaf", proof.leaves[i]}, {"because", to_json(proof.reasons[i])}});
  return result;
}

}  // namespace

std::string certificate(const Property& property, const Proof& proof) {
  Json box = {{"lower", Json::array()}, {"upper", Json::array()}};
  for (const Range& range : proof.box) {
    box["lower"].push_back(range.lower);
    box["upper"].push_back(range.upper);
  }
  Json cases = Json::array();
  for (std::size_t i = 0; i < property.violations.size(); ++i)
    cases.push_back(to_json(property.violations[i], proof.cases[i]));
  const Json file = {{"format", "icct-certificate"},
                     {"version", 1},
                     {"property", property.text},
                     {"box", std::move(box)},
                     {"never", cases}};
  return write_json(file) + "\n";
}

}  // namespace icct
