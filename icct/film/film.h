#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "icct/rollout/rollout.h"

namespace icct {

// An episode as pictures from above, with what the policy did.
struct Film {
  struct Frame {
    int step = 0;
    std::vector<Scene::Car> cars;
    std::vector<double> action;  // none at the end
    double total_reward = 0;     // so far
  };
  std::string title;
  std::vector<std::string> actions;  // their names
  std::vector<Scene::Lane> lanes;
  double range = 0;  // m, as in Scene
  std::vector<Frame> frames;
};

// Plays one episode and keeps at most `max_frames` moments of it, evenly spread, and its end.
// Throws Error if the environment does not describe its scene.
Film record_film(Environment& environment, const Policy& policy, std::uint64_t seed,
                 int max_frames = 600);

// One HTML file that needs nothing else: plays the film, with a slider, and follows the controlled
// car or shows the whole road.
std::string film_page(const Film& film);

// The whole road at one moment, as SVG.
std::string film_svg(const Film& film, std::size_t frame);

}  // namespace icct
