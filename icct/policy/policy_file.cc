#include "icct/policy/policy_file.h"

#include "icct/base/error.h"
#include "icct/base/file.h"
#include "icct/policy/policy_layout.h"

namespace icct {

std::filesystem::path find_policy_file(const std::filesystem::path& path, std::uint64_t seed) {
  if (!std::filesystem::is_directory(path)) return path;
  const std::filesystem::path of_seed = path / ("seed" + std::to_string(seed)) / "policy.json";
  for (const std::filesystem::path& file : {path / "policy.json", of_seed}) {
    if (std::filesystem::exists(file)) return file;
  }
  throw Error(path.string() + ": there is neither policy.json nor seed" + std::to_string(seed) +
              "/policy.json in this folder");
}

Policy load_policy(const std::filesystem::path& path) {
  return parse_policy(read_file(path, kMaxPolicyBytes), path.string());
}

void save_policy(const Policy& policy, const std::filesystem::path& path) {
  write_file_atomically(path, write_policy(policy));
}

void visit_policy(StateArchive& archive, const std::string& name, Policy& policy) {
  std::string text = archive.reading() ? "" : write_policy(policy);
  archive.text(name, text);
  if (archive.reading()) policy = parse_policy(text, "saved state");
}

}  // namespace icct
