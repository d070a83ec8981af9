#include "icct/verify/verify.h"

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/property_file.h"
#include "cli/region_options.h"
#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/policy/policy_file.h"
#include "icct/verify/property_text.h"
#include "icct/verify/vnnlib.h"

namespace icct {
namespace {

struct VerifyOptions {
  std::string file, property_file, when, then, certificate, vnnlib;
  RegionOptions region;
  int effort = ProofOptions().effort;
  bool json = false;
};

constexpr const char* kFooter =
    "\nA rule: when distance_to_human < 5 and speed > 0 then acceleration <= 5\n"
    "Conditions: comparisons of sums (2 speed - gap <= 3), chains (0 < speed <= 5), 'x between a "
    "and b', joined by\n"
    "and, or, not, parentheses. A file holds several rules; a file that ends in .vnnlib is read as "
    "VNN-LIB.\n"
    "The answer is about the function as deployed, in double arithmetic.\n"
    "\nExit codes: 0 proven, 1 violated (with a counterexample), 2 error, 3 undecided.\n"
    "\nExamples:\n"
    "  icct verify policy.json --when 'distance_to_human < 5 m' --then 'acceleration <= 5'\n"
    "  icct verify policy.json --property rules.txt --certificate proof.json\n"
    "  tools/check_certificate policy.json proof.json";

std::vector<Property> read_properties(const VerifyOptions& options, const Policy& policy) {
  if (options.property_file.empty()) {
    if (options.then.empty())
      throw Error("nothing to verify: give --then (and --when), or --property FILE");
    return {parse_rule(options.when, options.then, policy)};
  }
  if (!options.then.empty() || !options.when.empty())
    throw Error("--property brings its own rules; leave out --when and --then");
  return read_property_file(options.property_file, policy);
}

// FILE for a single property, FILE.1, FILE.2, ... for several.
std::string numbered(const std::string& file, std::size_t index, std::size_t count) {
  return count == 1 ? file : file + "." + std::to_string(index + 1);
}

Json to_json(const Policy& policy, const Property& property, const Verdict& verdict) {
  Json json = {{"name", property.name},
               {"property", property.text},
               {"verdict", answer_word(verdict.answer)}};
  if (verdict.answer == Answer::Violated) {
    json["counterexample"] = {{"observation", values_json(policy.observations, verdict.x)},
                              {"action", values_json(policy.actions, verdict.action)},
                              {"leaf", name_of(tree_of(policy), {verdict.leaf, true})}};
  }
  if (verdict.answer == Answer::Undecided) json["reason"] = verdict.reason;
  return json;
}

std::string to_text(const Policy& policy, const Property& property, const Verdict& verdict,
                    const RegionOptions& region) {
  const std::string name = property.name.empty() ? "" : property.name + ": ";
  std::string text = answer_word(verdict.answer) + ": " + name + property.text + "\n";
  if (verdict.answer == Answer::Proven) text += "  " + region_text(region) + "\n";
  if (verdict.answer == Answer::Undecided) text += "  " + verdict.reason + "\n";
  if (verdict.answer == Answer::Violated) text += counterexample_text(policy, verdict);
  return text;
}

int exit_code_of(const std::vector<Verdict>& verdicts) {
  const auto any = [&](Answer answer) {
    return std::ranges::any_of(verdicts, [&](const Verdict& v) { return v.answer == answer; });
  };
  return any(Answer::Violated) ? 1 : any(Answer::Undecided) ? 3 : 0;
}

int verify_rules(const VerifyOptions& options) {
  const Policy policy = load_policy(options.file);
  const Box box = region_of(options.region, policy);
  const std::vector<Property> properties = read_properties(options, policy);
  if (!options.certificate.empty())
    require_writable(numbered(options.certificate, 0, properties.size()));
  std::vector<Verdict> verdicts;
  Json results = Json::array();
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const Property& property = properties[i];
    if (!options.vnnlib.empty()) {
      write_file_atomically(numbered(options.vnnlib, i, properties.size()),
                            write_vnnlib(property, policy));
    }
    verdicts.push_back(
        verify(policy, property, box,
               {.effort = options.effort, .keep_proof = !options.certificate.empty()}));
    const Verdict& verdict = verdicts.back();
    if (!options.certificate.empty() && verdict.answer == Answer::Proven) {
      write_file_atomically(numbered(options.certificate, i, properties.size()),
                            certificate(property, verdict.proof));
    }
    if (options.json)
      results.push_back(to_json(policy, property, verdict));
    else
      print(to_text(policy, property, verdict, options.region));
  }
  const int code = exit_code_of(verdicts);
  if (options.json) {
    const std::string overall = answer_word(code == 0   ? Answer::Proven
                                            : code == 1 ? Answer::Violated
                                                        : Answer::Undecided);
    print(write_json({{"verdict", overall}, {"properties", results}}) + "\n");
  }
  return code;
}

}  // namespace

void add_verify_command(CLI::App& program, int& exit_code) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verb = program.add_subcommand("verify", "Prove what a policy can never do");
  verb->footer(kFooter);
  verb->add_option("FILE", options->file, "the policy file")->required();
  verb->add_option("--property", options->property_file, "a file of rules, or a .vnnlib file");
  verb->add_option("--when", options->when, "condition of a single rule; without it: always");
  verb->add_option("--then", options->then, "what must then be");
  add_region_options(*verb, options->region);
  verb->add_option("--certificate", options->certificate,
                   "write the proof to this file (FILE.1, FILE.2, ... for several rules)");
  verb->add_option("--write-vnnlib", options->vnnlib, "write the rule as VNN-LIB to this file");
  verb->add_option("--effort", options->effort, "parts of a leaf to look at before giving up")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  verb->add_flag("--json", options->json, "answer as JSON");
  verb->callback([options, &exit_code] { exit_code = verify_rules(*options); });
}

}  // namespace icct
