#include "icct/env/sumo/simulation.h"

#include <libsumo/libsumo.h>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

void start_simulation(const SimulationOptions& options, int seed) {
  std::vector<std::string> arguments = {"sumo", "--net-file", options.network};
  std::string routes;
  for (const auto& file : options.routes) routes += (routes.empty() ? "" : ",") + file.string();
  if (!routes.empty()) arguments.insert(arguments.end(), {"--route-files", routes});
  arguments.insert(arguments.end(),
                   {"--step-length", exact_text(options.step_length), "--begin", "0", "--seed",
                    std::to_string(seed), "--time-to-teleport", "-1", "--collision.check-junctions",
                    options.junction_collisions ? "true" : "false", "--no-step-log", "true",
                    "--no-warnings", "true", "--duration-log.disable", "true"});
  arguments.insert(arguments.end(), options.more.begin(), options.more.end());
  try {
    if (libsumo::Simulation::isLoaded()) libsumo::Simulation::close();
    libsumo::Simulation::start(arguments);
  } catch (const std::exception& problem) {
    throw Error(std::string("SUMO does not start: ") + problem.what());
  }
}

}  // namespace icct
