#include "cli/observation_source.h"

#include <fstream>
#include <memory>

#include "cli/table_reader.h"
#include "icct/base/error.h"
#include "icct/env/make_environment.h"
#include "icct/rollout/rollout.h"

namespace icct {

std::vector<std::vector<double>> met_observations(const Policy& policy,
                                                  const std::string& environment, int episodes,
                                                  std::uint64_t seed) {
  const std::unique_ptr<Environment> made = make_environment(environment);
  require_match(policy, *made);
  std::vector<std::vector<double>> observations;
  for (int i = 0; i < episodes; ++i) {
    run_episode(*made, policy, episode_seed(seed, Purpose::Report, static_cast<std::uint64_t>(i)),
                [&](std::span<const double> x) { observations.emplace_back(x.begin(), x.end()); });
  }
  if (observations.empty()) throw all_lost(episodes, *made);
  return observations;
}

std::vector<std::vector<double>> read_observations(const std::string& path, const Policy& policy) {
  std::ifstream file(path);
  if (!file) throw Error("cannot read '" + path + "'");
  TableReader reader(file, policy.observations, path);
  std::vector<std::vector<double>> observations;
  while (const std::optional<Row> row = reader.next()) observations.push_back(row->values);
  if (observations.empty()) throw Error("'" + path + "' has no observations");
  return observations;
}

}  // namespace icct
