#include "icct/env/sumo/simulation.h"

#include <libsumo/libsumo.h>

#include "icct/base/error.h"
#include "icct/base/number.h"

namespace icct {

namespace {

const std::string& one_file(const std::filesystem::path& path) {
  if (path.native().find(',') != std::string::npos)
    throw Error(path.string() + ": SUMO takes no comma in the name of a file");
  return path.native();
}

}  // namespace

std::string sumo_version() {
  return libsumo::Simulation::getVersion().second;
}

void start_simulation(const SimulationOptions& options, int seed) {
  std::vector<std::string> arguments = {"sumo", "--net-file", one_file(options.network)};
  std::string routes;
  for (const auto& file : options.routes) routes += (routes.empty() ? "" : ",") + one_file(file);
  if (!routes.empty()) arguments.insert(arguments.end(), {"--route-files", routes});
  arguments.insert(arguments.end(),
                   {"--step-length", exact_text(options.step_length), "--begin", "0", "--seed",
                    std::to_string(seed), "--time-to-teleport", "-1", "--collision.check-junctions",
                    options.junction_collisions ? "true" : "false", "--no-step-log", "true",
                    "--no-warnings", "true", "--duration-log.disable", "true"});
  if (options.scale != 1) arguments.insert(arguments.end(), {"--scale", exact_text(options.scale)});
  try {
    if (libsumo::Simulation::isLoaded()) libsumo::Simulation::close();
    libsumo::Simulation::start(arguments);
  } catch (const std::exception& problem) {
    throw Error(std::string("SUMO does not start: ") + problem.what());
  }
}

}  // namespace icct
