#include "icct/env/scene.h"

#include "icct/base/json.h"

namespace icct {

std::string write_scene(const Scene& scene) {
  Json lanes = Json::array();
  for (const Scene::Lane& lane : scene.lanes) {
    Json centre = Json::array();
    for (const Scene::Point& point : lane.centre) centre.push_back({point.x, point.y});
    lanes.push_back({{"width", lane.width}, {"centre", centre}});
  }
  Json cars = Json::array();
  for (const Scene::Car& car : scene.cars) {
    cars.push_back({{"front", {car.front.x, car.front.y}},
                    {"heading", car.heading},
                    {"length", car.length},
                    {"width", car.width},
                    {"speed", car.speed},
                    {"controlled", car.controlled}});
  }
  return Json({{"lanes", lanes}, {"range", scene.range}, {"cars", cars}}).dump();
}

Scene read_scene(std::string_view text) {
  const Json json = parse_json(text, "scene");
  const JsonReader reader(json, "scene");
  const auto point = [](const JsonReader& at) {
    const std::vector<double> xy = at.numbers();
    if (xy.size() != 2) at.fail("expected two numbers");
    return Scene::Point{xy[0], xy[1]};
  };
  Scene scene;
  scene.range = reader.at("range").number();
  for (const JsonReader& lane : reader.at("lanes").elements()) {
    scene.lanes.push_back({.centre = {}, .width = lane.at("width").number()});
    for (const JsonReader& each : lane.at("centre").elements())
      scene.lanes.back().centre.push_back(point(each));
  }
  for (const JsonReader& car : reader.at("cars").elements()) {
    scene.cars.push_back({.front = point(car.at("front")),
                          .heading = car.at("heading").number(),
                          .length = car.at("length").number(),
                          .width = car.at("width").number(),
                          .speed = car.at("speed").number(),
                          .controlled = car.at("controlled").value().get<bool>()});
  }
  return scene;
}

}  // namespace icct
