// Sliders for the observation, and the action that the policy answers.

const observation = texts.observations.map((o) => o.start);

function rounded(value) {
  return Number(value.toPrecision(texts.digits)).toString().replace("-", "−");
}

function withUnit(text, dimension) {
  return dimension.unit ? text + " " + dimension.unit : text;
}

function slider(i) {
  const { name, unit } = policy.observations[i];
  const { from, to } = texts.observations[i];
  const row = element("div", "row");
  const label = element("span", "name", name + " ");
  label.append(element("span", "unit", unit));
  const number = element("input");
  Object.assign(number, { type: "number", step: "any", value: observation[i] });
  const range = element("input");
  Object.assign(range, { type: "range", min: from, max: to, step: "any", value: observation[i] });
  range.setAttribute("aria-label", name);
  number.setAttribute("aria-label", name);
  range.oninput = () => set(i, Number(range.value), range);
  number.oninput = () => { if (number.value !== "" && Number.isFinite(Number(number.value))) set(i, Number(number.value), number); };
  row.append(label, number, range);
  row.show = (except) => {
    if (except !== range) range.value = observation[i];
    if (except !== number) number.value = Number(observation[i].toPrecision(6));
  };
  return row;
}

const rows = policy.observations.map((_, i) => slider(i));

function set(i, value, source) {
  observation[i] = value;
  rows[i].show(source);
  refresh();
}

function drawSliders() {
  const used = element("div");
  const others = element("details");
  others.append(element("summary", "", "not used by the tree"));
  policy.observations.forEach((_, i) => (texts.observations[i].used ? used : others).append(rows[i]));
  document.getElementById("sliders").append(used);
  if (others.children.length > 1) document.getElementById("sliders").append(others);
}

function wordFor(a, value) {
  let name = "";
  for (const word of texts.words[a] || []) if (value >= word.lower && value <= word.upper) name = word.name;
  return name;
}

function actionLine(value, a) {
  const action = policy.actions[a];
  const made = element("div", "action");
  const line = element("div", "line");
  const name = element("span", "", action.name + " ");
  name.append(element("span", "phrase", wordFor(a, value)));
  const number = element("span", "value", withUnit(rounded(value), action));
  number.title = String(value);
  line.append(name, number);
  // The bar begins at 0, or at the end nearest to it.
  const place = (v) => (100 * (v - action.lower)) / (action.upper - action.lower);
  const zero = place(Math.min(Math.max(0, action.lower), action.upper));
  const bar = element("div", "bar");
  const fill = element("i");
  fill.style.left = Math.min(zero, place(value)) + "%";
  fill.style.width = Math.abs(place(value) - zero) + "%";
  bar.append(fill);
  made.append(line, bar);
  return made;
}

function refresh() {
  document.getElementById("actions").replaceChildren(...act(observation).map(actionLine));
  document.getElementById("sentence").textContent = texts.leaves[path(observation).leaf].paragraph;
  lightPath();
  drawSlice();
}
