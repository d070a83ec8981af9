// The regions of the leaves over two observations, in their true places.

// Light, so that letters are readable, and told apart by colour-blind people too; the second round is paler.
const leafColours = [
  "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#aaaa00", "#dddddd",
  "#c9ddf1", "#f8cfc2", "#f8f1cf", "#ffdde4", "#d6f1ff", "#b4e4d6", "#e4ebad", "#dddd99", "#f1f1f1",
];
const slice = { x: 0, y: 0, colour: -1 };
const plot = { left: 96, right: 628, top: 12, bottom: 404 };

// Calls visit(leaf, [x1, x2], [y1, y2]) for every part of the slice.
function eachRegion(place, xs, ys, visit) {
  if (!(xs[0] < xs[1] && ys[0] < ys[1])) return;
  if (place < 0) return visit(-1 - place, xs, ys);
  const node = policy.nodes[place];
  const [low, high] = node.at_most ? [node.yes, node.no] : [node.no, node.yes];
  if (node.feature !== slice.x && node.feature !== slice.y)
    return eachRegion(decidesYes(node, observation) ? node.yes : node.no, xs, ys, visit);
  const below = ([a, b]) => [a, Math.min(b, node.threshold)];
  const above = ([a, b]) => [Math.max(a, node.threshold), b];
  if (node.feature === slice.x) {
    eachRegion(low, below(xs), ys, visit);
    eachRegion(high, above(xs), ys, visit);
  } else {
    eachRegion(low, xs, below(ys), visit);
    eachRegion(high, xs, above(ys), visit);
  }
}

function ends(i) { return [texts.observations[i].from, texts.observations[i].to]; }

function placeX(v) { const [a, b] = ends(slice.x); return plot.left + ((v - a) / (b - a)) * (plot.right - plot.left); }
function placeY(v) { const [a, b] = ends(slice.y); return plot.bottom - ((v - a) / (b - a)) * (plot.bottom - plot.top); }

// Blue at the lower bound, white at 0 or in the middle, red at the upper bound.
function actionColour(value, { lower, upper }) {
  const middle = lower < 0 && upper > 0 ? 0 : 0.5 * (lower + upper);
  const t = value < middle ? (value - middle) / (middle - lower) : (value - middle) / (upper - middle);
  const mix = (end) => end.map((c) => Math.round(255 + (c - 255) * Math.abs(t)));
  return "rgb(" + mix(t < 0 ? [33, 99, 168] : [192, 57, 43]).join() + ")";
}

function paintRegion(draw, leaf, xs, ys) {
  const [x1, x2, y1, y2] = [placeX(xs[0]), placeX(xs[1]), placeY(ys[1]), placeY(ys[0])];
  if (slice.colour < 0) {
    draw.fillStyle = leafColours[leaf % leafColours.length];
    draw.fillRect(x1, y1, x2 - x1, y2 - y1);
    return;
  }
  const cell = 6;
  const at = observation.slice();
  for (let px = x1; px < x2; px += cell)
    for (let py = y1; py < y2; py += cell) {
      const [w, h] = [Math.min(cell, x2 - px), Math.min(cell, y2 - py)];
      at[slice.x] = xs[0] + ((px + w / 2 - x1) / (x2 - x1)) * (xs[1] - xs[0]);
      at[slice.y] = ys[1] - ((py + h / 2 - y1) / (y2 - y1)) * (ys[1] - ys[0]);
      const action = policy.actions[slice.colour];
      draw.fillStyle = actionColour(squash(output(policy.leaves[leaf].controllers[slice.colour], at), action), action);
      draw.fillRect(px, py, w + 0.5, h + 0.5);
    }
}

function outlineRegion(draw, leaf, xs, ys) {
  const [x1, x2, y1, y2] = [placeX(xs[0]), placeX(xs[1]), placeY(ys[1]), placeY(ys[0])];
  draw.strokeStyle = "#55606c";
  draw.lineWidth = 1;
  draw.strokeRect(x1, y1, x2 - x1, y2 - y1);
  const name = texts.leaves[leaf].name;
  draw.font = "26px Helvetica, Arial, sans-serif";
  if (draw.measureText(name).width + 10 > x2 - x1 || y2 - y1 < 34) return;
  draw.lineWidth = 5;
  draw.strokeStyle = "rgba(255, 255, 255, 0.85)";
  draw.strokeText(name, (x1 + x2) / 2, (y1 + y2) / 2);
  draw.fillStyle = "#222";
  draw.fillText(name, (x1 + x2) / 2, (y1 + y2) / 2);
}

function drawAxes(draw) {
  const end = (v) => rounded(v);
  const name = (i) => policy.observations[i].name + (policy.observations[i].unit ? " [" + policy.observations[i].unit + "]" : "");
  draw.fillStyle = "#222";
  draw.font = "25px Helvetica, Arial, sans-serif";
  const [[x1, x2], [y1, y2]] = [ends(slice.x), ends(slice.y)];
  draw.textAlign = "left";
  draw.fillText(end(x1), plot.left, plot.bottom + 20);
  draw.textAlign = "right";
  draw.fillText(end(x2), plot.right, plot.bottom + 20);
  draw.fillText(end(y2), plot.left - 6, plot.top + 10);
  draw.fillText(end(y1), plot.left - 6, plot.bottom - 8);
  draw.textAlign = "center";
  draw.fillText(name(slice.x), (plot.left + plot.right) / 2, plot.bottom + 54);
  draw.save();
  draw.translate(22, (plot.top + plot.bottom) / 2);
  draw.rotate(-Math.PI / 2);
  draw.fillText(name(slice.y), 0, 0);
  draw.restore();
}

function drawSlice() {
  if (slice.x === slice.y) return;
  const draw = document.getElementById("slice").getContext("2d");
  draw.clearRect(0, 0, 640, 480);
  draw.textBaseline = "middle";
  draw.textAlign = "center";
  for (const paint of [paintRegion, outlineRegion])
    eachRegion(policy.root, ends(slice.x), ends(slice.y), (leaf, xs, ys) => paint(draw, leaf, xs, ys));
  drawAxes(draw);
  const inside = (v, a, b) => Math.min(Math.max(v, a), b);
  draw.beginPath();
  draw.arc(inside(placeX(observation[slice.x]), plot.left, plot.right), inside(placeY(observation[slice.y]), plot.top, plot.bottom), 7, 0, 7);
  draw.lineWidth = 4;
  draw.strokeStyle = "#fff";
  draw.fillStyle = "#e09b00";
  draw.stroke();
  draw.fill();
}

function option(value, text) { return Object.assign(element("option", "", text), { value }); }

function connectSlice() {
  const choose = (id, options, start, key) => {
    const select = document.getElementById(id);
    select.append(...options);
    select.value = start;
    select.onchange = () => { slice[key] = Number(select.value); drawSlice(); };
    slice[key] = Number(start);
  };
  const names = () => policy.observations.map((o, i) => option(i, o.name));
  choose("slice-x", names(), texts.slice[0], "x");
  choose("slice-y", names(), texts.slice[1], "y");
  choose("slice-colour", [option(-1, "by leaf"), ...policy.actions.map((a, i) => option(i, "by " + a.name))], -1, "colour");
  const canvas = document.getElementById("slice");
  canvas.onclick = (event) => {
    const scale = canvas.width / canvas.clientWidth;
    const part = (v, a, b) => Math.min(Math.max((v - a) / (b - a), 0), 1);
    const [[x1, x2], [y1, y2]] = [ends(slice.x), ends(slice.y)];
    set(slice.x, x1 + part(event.offsetX * scale, plot.left, plot.right) * (x2 - x1));
    set(slice.y, y1 + part(event.offsetY * scale, plot.bottom, plot.top) * (y2 - y1));
  };
}
