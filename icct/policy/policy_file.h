#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "icct/base/state_archive.h"
#include "icct/policy/policy.h"

namespace icct {

// The policy file, described in docs/policy_format.md. Reading what was written gives an equal
// policy, bit for bit (but for the layout of provenance.options and names that only repeat the
// position, as "leaf1" of the second leaf, which come back empty), and writing it again the same
// bytes. Every function throws Error saying what
// is wrong and where; a policy that is returned or written is valid.
Policy load_policy(const std::filesystem::path& path);
void save_policy(const Policy& policy,
                 const std::filesystem::path& path);  // replaces the file in one step

// The policy file that people mean by a path: the file itself, policy.json in the folder of a run,
// or that of the run with this seed in a folder of several. Throws Error if there is none.
std::filesystem::path find_policy_file(const std::filesystem::path& path, std::uint64_t seed);

// `source` stands for the file name in messages.
Policy parse_policy(std::string_view text, const std::string& source);
std::string write_policy(const Policy& policy);

// A policy as part of a saved state.
void visit_policy(StateArchive& archive, const std::string& name, Policy& policy);

}  // namespace icct
