#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace icct {

struct SimulationOptions {
  std::filesystem::path network;
  std::vector<std::filesystem::path> routes;  // files with vehicle types, routes, flows
  double step_length = 0.1;                   // s
  bool junction_collisions = false;           // vehicles also collide within junctions
  double scale = 1;                           // of the number of vehicles
};

// Of the SUMO that is loaded, such as "SUMO 1.15.0".
std::string sumo_version();

// Starts SUMO in this process, which holds one simulation at most; one that runs is replaced.
// Throws Error with SUMO's words.
void start_simulation(const SimulationOptions& options, int seed);

}  // namespace icct
