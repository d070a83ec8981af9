#include <cmath>

#include "icct/base/json.h"
#include "icct/base/svg.h"
#include "icct/film/film.h"

namespace icct {
namespace {

// To so many parts of 1.
double rounded(double value, double parts) {
  return std::round(value * parts) / parts;
}

// [x, y, heading, speed, length, width, controlled], as short as a picture needs.
Json car_json(const Scene::Car& car) {
  const auto hundredths = [](double value) { return rounded(value, 100); };
  return {hundredths(car.front.x), hundredths(car.front.y), rounded(car.heading, 1000),
          hundredths(car.speed),   hundredths(car.length),  hundredths(car.width),
          car.controlled ? 1 : 0};
}

Json film_json(const Film& film) {
  Json lanes = Json::array();
  for (const Scene::Lane& lane : film.lanes) {
    Json points = Json::array();
    for (const Scene::Point& point : lane.centre) points.push_back({point.x, point.y});
    lanes.push_back({{"width", lane.width}, {"points", points}});
  }
  Json frames = Json::array();
  for (const Film::Frame& frame : film.frames) {
    Json cars = Json::array();
    for (const Scene::Car& car : frame.cars) cars.push_back(car_json(car));
    Json action = Json::array();
    for (const double value : frame.action) action.push_back(rounded(value, 1e4));
    frames.push_back({{"step", frame.step},
                      {"cars", cars},
                      {"action", action},
                      {"total", rounded(frame.total_reward, 1000)}});
  }
  return {{"title", film.title},
          {"actions", film.actions},
          {"lanes", lanes},
          {"range", film.range},
          {"frames", frames}};
}

// "</script>" cannot stand inside a script.
std::string for_script(std::string text) {
  for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos; at += 3)
    text.replace(at, 2, "<\\/");
  return text;
}

constexpr const char* kStyle = R"css(
  body { margin: 0; font: 15px/1.4 system-ui, sans-serif; color: #1c2733; background: #f5f6f8; }
  main { max-width: 1100px; margin: 0 auto; padding: 16px; }
  h1 { font-size: 20px; margin: 0 0 10px; }
  canvas { width: 100%; background: white; border: 1px solid #d5dae1; border-radius: 6px; display: block; }
  .controls { display: flex; gap: 12px; align-items: center; margin: 12px 0; }
  .controls input[type=range] { flex: 1; }
  button { font: inherit; min-width: 5em; padding: 3px 10px; }
  table { border-collapse: collapse; }
  td { padding: 2px 18px 2px 0; font-variant-numeric: tabular-nums; }
  td:first-child { color: #5a6675; }
)css";

constexpr const char* kScript = R"js(
const canvas = document.getElementById('view'), context = canvas.getContext('2d');
const slider = document.getElementById('time'), play = document.getElementById('play');
const follow = document.getElementById('follow');
const box = {left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity};
for (const lane of film.lanes) for (const [x, y] of lane.points) {
  box.left = Math.min(box.left, x); box.right = Math.max(box.right, x);
  box.bottom = Math.min(box.bottom, y); box.top = Math.max(box.top, y);
}
let fastest = 1;
for (const f of film.frames) for (const car of f.cars) fastest = Math.max(fastest, car[3]);
const aspect = (box.top - box.bottom + 20) / (box.right - box.left + 20);
let frame = 0, playing = false, last = 0;
slider.max = film.frames.length - 1;
follow.checked = box.right - box.left > 1000;

// The controlled car, or where it was before it was gone.
function last_seen() {
  for (let i = frame; i >= 0; --i) {
    const own = film.frames[i].cars.find(car => car[6]);
    if (own) return own;
  }
}
function view() {
  canvas.width = canvas.clientWidth * devicePixelRatio;
  canvas.height = canvas.width * (follow.checked ? 0.35 : Math.min(Math.max(aspect, 0.2), 0.75));
  canvas.style.height = canvas.height / devicePixelRatio + 'px';
  const own = last_seen();
  if (follow.checked && own) return {x: own[0], y: own[1], scale: canvas.width / 260};
  const scale = Math.min(canvas.width / (box.right - box.left + 20), canvas.height / (box.top - box.bottom + 20));
  return {x: (box.left + box.right) / 2, y: (box.bottom + box.top) / 2, scale};
}
function hue(speed) { return 220 - 160 * Math.min(speed / fastest, 1); }

function draw() {
  const v = view(), f = film.frames[frame];
  const X = x => canvas.width / 2 + (x - v.x) * v.scale, Y = y => canvas.height / 2 - (y - v.y) * v.scale;
  context.lineCap = 'round';
  context.strokeStyle = '#d3d8df';
  for (const lane of film.lanes) {
    context.lineWidth = Math.max(lane.width * 0.92 * v.scale, 1);
    context.beginPath();
    lane.points.forEach((p, i) => i ? context.lineTo(X(p[0]), Y(p[1])) : context.moveTo(X(p[0]), Y(p[1])));
    context.stroke();
  }
  const own = f.cars.find(car => car[6]);
  if (own && film.range > 0) {
    context.beginPath();
    context.arc(X(own[0]), Y(own[1]), film.range * v.scale, 0, 2 * Math.PI);
    context.fillStyle = '#e573731a';
    context.fill();
    context.lineWidth = devicePixelRatio;
    context.strokeStyle = '#e57373';
    context.setLineDash([4, 4]);
    context.stroke();
    context.setLineDash([]);
  }
  for (const car of [...f.cars].sort((a, b) => a[6] - b[6])) {
    const length = Math.max(car[4] * v.scale, 6), width = Math.max(car[5] * v.scale, 3);
    context.save();
    context.translate(X(car[0]), Y(car[1]));
    context.rotate(-car[2]);
    context.fillStyle = car[6] ? '#d62728' : `hsl(${hue(car[3])} 60% 45%)`;
    context.fillRect(-length, -width / 2, length, width);
    if (car[6]) { context.lineWidth = 1.5; context.strokeStyle = '#1c2733'; context.strokeRect(-length, -width / 2, length, width); }
    context.restore();
  }
  const rows = [['step', f.step], ['return so far', f.total], ['speed of the car', own ? own[3] + ' m/s' : 'gone']];
  f.action.forEach((value, i) => rows.push([film.actions[i], value]));
  document.getElementById('numbers').innerHTML =
    rows.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('');
  slider.value = frame;
}
function tick(now) {
  if (!playing) return;
  if (now - last > 33) { last = now; frame = (frame + 1) % film.frames.length; draw(); }
  requestAnimationFrame(tick);
}
play.onclick = () => { playing = !playing; play.textContent = playing ? 'Pause' : 'Play'; requestAnimationFrame(tick); };
slider.oninput = () => { frame = +slider.value; draw(); };
follow.onchange = draw;
window.onresize = draw;
frame = Math.min(+location.hash.slice(1) || 0, film.frames.length - 1);
draw();
)js";

}  // namespace

std::string film_page(const Film& film) {
  const std::string title = svg_escaped(film.title);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + title +
         "</title>\n<meta name=\"viewport\" content=\"width=device-width\"><style>" + kStyle +
         "</style></head>\n<body><main><h1>" + title +
         "</h1>\n<canvas id=\"view\"></canvas>\n<div class=\"controls\"><button id=\"play\">Play"
         "</button><input id=\"time\" type=\"range\" min=\"0\" value=\"0\" aria-label=\"time\">"
         "<label><input id=\"follow\" type=\"checkbox\"> follow the car</label></div>\n"
         "<p>Red: the controlled car" +
         (film.range > 0 ? " and how far it sees" : "") +
         ". Others: blue stands, yellow is fast.</p>\n"
         "<table id=\"numbers\"></table></main>\n<script>\nconst film = " +
         for_script(film_json(film).dump()) + ";\n" + kScript + "</script></body></html>\n";
}

}  // namespace icct
