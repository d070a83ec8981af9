// The drawing: boxes that fold, search and zoom. A place is a node's index or -1 - leaf, as in the policy's links.

const parents = new Map(); // place -> the node above it
policy.nodes.forEach((node, i) => { parents.set(node.yes, i); parents.set(node.no, i); });
const folded = new Set(texts.folded);
let zoom = 1;
const shown = new Map(); // place -> {box, line}; what is drawn now

function element(kind, className, text) {
  const made = document.createElement(kind);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function share(place) {
  return place < 0 ? texts.leaves[-1 - place].share : texts.nodes[place].share;
}

function leafBox(place) {
  const leaf = texts.leaves[-1 - place];
  const box = element("div", "box leaf");
  box.append(element("div", "name", leaf.name + (leaf.use ? " · " + leaf.use : "")));
  for (const line of leaf.lines) box.append(element("div", "formula", line));
  box.title = leaf.exact;
  if (leaf.share === 0) box.classList.add("dead");
  return box;
}

function splitBox(place) {
  const node = texts.nodes[place];
  const box = element("div", "box split");
  const closed = folded.has(place);
  box.append(element("div", "name", (closed ? "▸ " : "▾ ") + node.name + (node.use ? " · " + node.use : "")));
  box.append(element("div", "condition", node.condition));
  if (closed) box.append(element("div", "name", node.leaves + " leaves, folded"));
  box.classList.toggle("folded", closed);
  box.classList.toggle("dead", node.share === 0);
  box.title = node.exact + "\nClick to fold or unfold.";
  box.onclick = () => { closed ? folded.delete(place) : folded.add(place); drawTree(); };
  return box;
}

function branch(place) {
  const made = element("div", "branch");
  const box = place < 0 ? leafBox(place) : splitBox(place);
  made.append(box);
  shown.set(place, { box });
  if (place < 0 || folded.has(place)) return made;
  const children = element("div", "children");
  for (const answer of ["yes", "no"]) {
    const child = element("div", "child " + answer);
    child.append(element("span", "answer", answer), branch(policy.nodes[place][answer]));
    children.append(child);
  }
  made.append(children);
  return made;
}

// Lines from the boxes to their branches, as wide as they are used. Zooming moves boxes by fractions of letters, so they
// are drawn anew then.
function drawEdges() {
  const tree = document.getElementById("tree");
  document.getElementById("edges")?.remove();
  const origin = tree.getBoundingClientRect();
  const edges = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  edges.id = "edges";
  const side = (box, edge) => {
    const rect = box.getBoundingClientRect();
    return [(rect[edge] - origin.left) / zoom, ((rect.top + rect.bottom) / 2 - origin.top) / zoom];
  };
  for (const [place, drawn] of shown) {
    if (!parents.has(place)) continue;
    const [x1, y1] = side(shown.get(parents.get(place)).box, "right");
    const [x2, y2] = side(drawn.box, "left");
    const line = document.createElementNS(edges.namespaceURI, "path");
    line.setAttribute("d", `M${x1} ${y1}C${x1 + 22} ${y1} ${x1 + 22} ${y2} ${x1 + 44} ${y2}H${x2}`);
    line.setAttribute("stroke-width", share(place) === null ? 1.5 : 0.7 + 8 * share(place));
    if (share(place) === 0) line.setAttribute("stroke-dasharray", "3 3");
    edges.append(line);
    drawn.line = line;
  }
  tree.append(edges);
}

// The path of the current observation; a folded part stands for what is inside.
function lightPath() {
  for (const { box, line } of shown.values()) {
    box.classList.remove("active");
    if (line) line.classList.remove("active");
  }
  const { nodes, leaf } = path(observation);
  for (const place of [...nodes, -1 - leaf]) {
    const drawn = shown.get(place);
    if (!drawn) break;
    drawn.box.classList.add("active");
    if (drawn.line) drawn.line.classList.add("active");
  }
}

function drawTree() {
  shown.clear();
  document.getElementById("tree").replaceChildren(branch(policy.root));
  drawEdges();
  lightPath();
  markFound();
}

// Search.

let matches = [];
let current = 0;

function textOf(place) {
  if (place < 0) return [texts.leaves[-1 - place].name, ...texts.leaves[-1 - place].lines].join("\n");
  return texts.nodes[place].name + "\n" + texts.nodes[place].condition;
}

function markFound() {
  for (const [place, { box }] of shown) box.classList.toggle("found", matches.includes(place));
}

function search(words) {
  const wanted = words.trim().toLowerCase();
  const places = [...policy.nodes.keys(), ...policy.leaves.keys()].map((i, n) => (n < policy.nodes.length ? i : -1 - i));
  matches = wanted === "" ? [] : places.filter((place) => textOf(place).toLowerCase().includes(wanted));
  current = 0;
  for (const match of matches)
    for (let up = parents.get(match); up !== undefined; up = parents.get(up)) folded.delete(up);
  drawTree();
  document.getElementById("found").textContent = wanted === "" ? "" : matches.length + " found";
  goToMatch();
}

function goToMatch() {
  if (matches.length > 0) shown.get(matches[current % matches.length]).box.scrollIntoView({ block: "center", inline: "center" });
}

// Zoom.

function setZoom(value) {
  zoom = Math.min(Math.max(value, 0.2), 3);
  document.getElementById("tree").style.zoom = zoom;
  drawEdges();
  lightPath();
}

// All of it, if that is not too small to read: at least `smallest`.
function fit(smallest) {
  setZoom(1);
  const view = document.getElementById("view");
  const tree = document.getElementById("tree");
  const whole = Math.min((view.clientWidth - 40) / tree.offsetWidth, (view.clientHeight - 40) / tree.offsetHeight);
  setZoom(Math.min(1, Math.max(whole, smallest)));
  shown.get(policy.root).box.scrollIntoView({ block: "center" });
  view.scrollLeft = 0;
}

function connectTools() {
  const on = (id, event, action) => document.getElementById(id).addEventListener(event, action);
  on("search", "input", (event) => search(event.target.value));
  on("search", "keydown", (event) => { if (event.key === "Enter") { ++current; goToMatch(); } });
  on("fold", "click", () => { policy.nodes.forEach((_, i) => folded.add(i)); folded.delete(policy.root); drawTree(); });
  on("unfold", "click", () => { folded.clear(); drawTree(); });
  on("smaller", "click", () => setZoom(zoom / 1.25));
  on("larger", "click", () => setZoom(zoom * 1.25));
  on("fit", "click", () => fit(0.2));
  document.getElementById("view").addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    setZoom(zoom * (event.deltaY < 0 ? 1.1 : 1 / 1.1));
  }, { passive: false });
}
