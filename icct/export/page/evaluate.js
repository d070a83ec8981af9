// The deployed function. Every operation is the one of the policy in double precision, in the same order: the same bits.

// 2^(j / 32)
const powers = @POWERS@;
const word = new DataView(new ArrayBuffer(8));

// 1 / (1 + e^-x); never decreases in x.
function logistic(x) {
  if (x < -@LARGEST@) return 0;
  const y = Math.max(-x, -@LARGEST@);
  const step = Math.floor(y * @STEPS_PER_UNIT@);
  const r = Math.max(0, y - step * @STEP_HIGH@ - step * @STEP_LOW@);
  let p = 1 / 5040;
  for (const factorial of [720, 120, 24, 6, 2, 1, 1]) p = p * r + 1 / factorial;
  const k = Math.floor(step / 32);
  const j = step - 32 * k;
  word.setUint32(0, (k + 1023) << 20);
  const powerOfTwo = word.getFloat64(0);
  return 1 / (1 + Math.min(powers[j] * p, powers[j + 1]) * powerOfTwo);
}

function decidesYes(node, x) {
  return node.at_most ? x[node.feature] <= node.threshold : x[node.feature] >= node.threshold;
}

// Where x leads: the indices of the nodes it passes, then the leaf. Links: a node, or -1 - leaf.
function path(x) {
  const nodes = [];
  let at = policy.root;
  while (at >= 0) {
    nodes.push(at);
    const node = policy.nodes[at];
    at = decidesYes(node, x) ? node.yes : node.no;
  }
  return { nodes, leaf: -1 - at };
}

function output(controller, x) {
  const largest = Number.MAX_VALUE;
  let value = controller.bias;
  for (const [feature, gain] of controller.terms)
    value += Math.min(Math.max(gain * x[feature], -largest), largest);
  return value;
}

function squash(value, action) {
  if (policy.squashing === "tanh")
    value = action.lower + logistic(2 * value) * (action.upper - action.lower);
  return Math.min(Math.max(value, action.lower), action.upper);
}

// The actions for an observation, a list of finite numbers. Others get the safe action, or an error if there is none.
function act(x) {
  if (x.length !== policy.observations.length)
    throw new Error("expected " + policy.observations.length + " observations, got " + x.length);
  if (!Array.prototype.every.call(x, Number.isFinite)) {
    if (policy.safe_action === null) throw new Error("an observation is NaN or infinite, and there is no safe action");
    return policy.safe_action.slice();
  }
  const leaf = policy.leaves[path(x).leaf];
  return policy.actions.map((action, a) => squash(output(leaf.controllers[a], x), action));
}
