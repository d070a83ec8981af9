#include "icct/env/make_environment.h"

#include <algorithm>

#include "icct/base/error.h"
#include "icct/env/box2d/lunar_lander.h"
#include "icct/env/highway/lane_keeping.h"
#include "icct/env/mujoco/inverted_pendulum.h"
#include "icct/env/traffic.h"

namespace icct {

std::unique_ptr<Environment> make_environment(const std::string& name) {
  if (name == "inverted_pendulum") return std::make_unique<InvertedPendulum>();
  if (name == "lane_keeping") return std::make_unique<LaneKeeping>();
  if (name == "lunar_lander") return std::make_unique<LunarLander>();
  if (is_traffic(name)) return make_traffic(name);
  throw Error("unknown environment '" + name + "'; known: " + known_environments());
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names = {"inverted_pendulum", "lane_keeping", "lunar_lander"};
  for (const std::string& each : traffic_names()) names.push_back(each);
  std::ranges::sort(names);
  return names;
}

std::string known_environments() {
  std::string known;
  for (const std::string& each : environment_names()) known += each + ", ";
  return known + "or FILE.json, a highway of your own";
}

}  // namespace icct
