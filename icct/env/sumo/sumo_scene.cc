#include "icct/env/sumo/sumo_scene.h"

#include <libsumo/libsumo.h>

#include <numbers>

namespace icct {

Scene sumo_scene(const std::string& controlled) {
  Scene scene;
  for (const std::string& id : libsumo::Lane::getIDList()) {
    Scene::Lane lane{.centre = {}, .width = libsumo::Lane::getWidth(id)};
    for (const auto& point : libsumo::Lane::getShape(id).value)
      lane.centre.push_back({point.x, point.y});
    scene.lanes.push_back(std::move(lane));
  }
  for (const std::string& id : libsumo::Vehicle::getIDList()) {
    if (libsumo::Vehicle::getRoadID(id).empty()) continue;  // not on the road at the moment
    const auto front = libsumo::Vehicle::getPosition(id);
    // SUMO counts clockwise from north, in degrees.
    const double heading = (90 - libsumo::Vehicle::getAngle(id)) * std::numbers::pi / 180;
    scene.cars.push_back({.front = {front.x, front.y},
                          .heading = heading,
                          .length = libsumo::Vehicle::getLength(id),
                          .width = libsumo::Vehicle::getWidth(id),
                          .speed = libsumo::Vehicle::getSpeed(id),
                          .controlled = id == controlled});
  }
  return scene;
}

}  // namespace icct
