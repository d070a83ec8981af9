#include "icct/film/film.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "icct/base/check.h"
#include "icct/base/error.h"
#include "icct/base/number.h"
#include "icct/base/svg.h"

namespace icct {

Film record_film(Environment& environment, const Policy& policy, std::uint64_t seed,
                 int max_frames) {
  ICCT_CHECK(max_frames > 0);
  require_match(policy, environment);
  std::vector<double> x(environment.observations().size());
  std::vector<double> action(environment.actions().size());
  environment.reset(seed, x);
  Scene scene = environment.scene();
  if (scene.lanes.empty())
    throw Error(environment.name() + " does not describe its scene: there is nothing to draw");
  Film film{.title = environment.name(),
            .actions = {},
            .lanes = scene.lanes,
            .range = scene.range,
            .frames = {}};
  for (const Dimension& each : environment.actions()) film.actions.push_back(each.name);
  const int every = (environment.max_steps() + max_frames - 1) / max_frames;
  double total = 0;
  for (int step = 0;; ++step) {
    act(policy, x, action);
    if (step % every == 0) {
      if (step > 0) scene = environment.scene();
      film.frames.push_back({step, scene.cars, action, total});
    }
    const Step result = environment.step(action, x);
    total += result.reward;
    if (!result.terminated && !result.truncated) continue;
    if (!result.lost) film.frames.push_back({step + 1, environment.scene().cars, {}, total});
    return film;
  }
}

namespace {

constexpr double kWidth = 960, kMaxHeight = 600, kMargin = 20, kTitle = 30;  // pixels
constexpr double kReadable = 1;                         // pixels per metre: lanes can be told apart
constexpr double kCloseWidth = 260, kCloseHeight = 60;  // metres around the car

// A part of the world, from metres to pixels, y upwards.
struct View {
  double left, top, right, bottom;
  double scale = 1;

  double x(double metres) const { return (metres - left) * scale; }
  double y(double metres) const { return (top - metres) * scale; }
  double width() const { return (right - left) * scale; }
  double height() const { return (top - bottom) * scale; }
};

View whole_view(const std::vector<Scene::Lane>& lanes) {
  View view{1e300, -1e300, -1e300, 1e300};
  for (const Scene::Lane& lane : lanes) {
    for (const Scene::Point& point : lane.centre) {
      view.left = std::min(view.left, point.x - lane.width);
      view.right = std::max(view.right, point.x + lane.width);
      view.bottom = std::min(view.bottom, point.y - lane.width);
      view.top = std::max(view.top, point.y + lane.width);
    }
  }
  view.scale = std::min(kWidth / std::max(view.right - view.left, 1e-9),
                        kMaxHeight / std::max(view.top - view.bottom, 1e-9));
  return view;
}

View close_view(const Scene::Point& at) {
  return {at.x - kCloseWidth / 2, at.y + kCloseHeight / 2, at.x + kCloseWidth / 2,
          at.y - kCloseHeight / 2, kWidth / kCloseWidth};
}

std::string lane_svg(const Scene::Lane& lane, const View& view) {
  std::string points;
  for (const Scene::Point& point : lane.centre)
    points += svg_number(view.x(point.x)) + "," + svg_number(view.y(point.y)) + " ";
  return "<polyline points=\"" + points +
         "\" fill=\"none\" stroke=\"#c9ced6\" stroke-linecap=\"round\" stroke-width=\"" +
         svg_number(std::max(lane.width * 0.92 * view.scale, 0.8)) + "\"/>\n";
}

// Small roads still show their cars: none is drawn shorter than a few pixels.
std::string car_svg(const Scene::Car& car, const View& view) {
  const double length = std::max(car.length * view.scale, 5.0);
  const double width = std::max(car.width * view.scale, 2.5);
  return "<rect x=\"" + svg_number(-length) + "\" y=\"" + svg_number(-width / 2) + "\" width=\"" +
         svg_number(length) + "\" height=\"" + svg_number(width) + "\" rx=\"1\" fill=\"" +
         (car.controlled ? "#d62728" : "#3b6ea5") + "\" transform=\"translate(" +
         svg_number(view.x(car.front.x)) + " " + svg_number(view.y(car.front.y)) + ") rotate(" +
         svg_number(-car.heading * 180 / std::numbers::pi) + ")\"><title>" + svg_number(car.speed) +
         " m/s</title></rect>\n";
}

// A faint disc: how far the car sees.
std::string range_svg(const Scene::Car& car, double range, const View& view) {
  return "<circle cx=\"" + svg_number(view.x(car.front.x)) + "\" cy=\"" +
         svg_number(view.y(car.front.y)) + "\" r=\"" + svg_number(range * view.scale) +
         "\" fill=\"#e57373\" fill-opacity=\"0.1\" stroke=\"#e57373\" "
         "stroke-dasharray=\"4 4\"/>\n";
}

// Lanes and cars in a frame of its own, which cuts off what lies outside.
std::string part_svg(const Film& film, const Film::Frame& moment, const View& view, double y) {
  std::string svg = "<svg x=\"" + svg_number(kMargin + (kWidth - view.width()) / 2) + "\" y=\"" +
                    svg_number(y) + "\" width=\"" + svg_number(view.width()) + "\" height=\"" +
                    svg_number(view.height()) + "\">\n";
  for (const Scene::Lane& lane : film.lanes) svg += lane_svg(lane, view);
  for (const Scene::Car& car : moment.cars) {
    if (car.controlled && film.range > 0) svg += range_svg(car, film.range, view);
  }
  for (const bool controlled : {false, true}) {
    for (const Scene::Car& car : moment.cars) {
      if (car.controlled == controlled) svg += car_svg(car, view);
    }
  }
  return svg + "</svg>\n";
}

}  // namespace

std::string film_svg(const Film& film, std::size_t frame) {
  ICCT_CHECK(frame < film.frames.size());
  const Film::Frame& moment = film.frames[frame];
  const View whole = whole_view(film.lanes);
  double y = kTitle + kMargin;
  std::string parts = part_svg(film, moment, whole, y);
  y += whole.height() + kMargin;
  const auto own = std::ranges::find(moment.cars, true, &Scene::Car::controlled);
  if (whole.scale < kReadable && own != moment.cars.end()) {
    const View close = close_view(own->front);
    parts += part_svg(film, moment, close, y);
    y += close.height() + kMargin;
  }
  return svg_begin(kWidth + 2 * kMargin, y,
                   film.title + ", step " + std::to_string(moment.step) + ", return so far " +
                       rounded_text(moment.total_reward, 4) + "; red: the controlled car" +
                       (film.range > 0 ? " and how far it sees" : "")) +
         parts + "</svg>\n";
}

}  // namespace icct
