/* Columns: all steps of a replay as numbers, and the two rows at any of them.

The same marks as `picture.py` makes from the same columns; a test holds the two against each other, block for block.
Blocks are numbered: the overhead, then the History in the order in which it came, then digests. Steps are numbered too. */

import { grouped } from "./words.js";

export const STAYS = -2; // a block that a change leaves in its place

const OWN_SIZE = "\u0001",
  END = -1,
  KEPT_ROWS = 24;

/** The columns from the bytes that travelled: gzip of JSON. */
export async function unpack(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return prepare(await new Response(stream).json());
}

/** Numbers that travel as what each is more than the one before. */
const summed = (rises) => {
  let sum = 0;
  return rises.map((rise) => (sum += rise));
};

function unrisen({ steps, changes, requests, ...rest }) {
  return {
    ...rest,
    steps: { ...steps, after: summed(steps.after), stop: summed(steps.stop) },
    changes: { ...changes, step: summed(changes.step), block: summed(changes.block), into: summed(changes.into) },
    requests: { ...requests, first: summed(requests.first) },
  };
}

/** Work out once what every step needs: sums of tokens, the request of a step, the changes of a step. */
export function prepare(travelled) {
  const plain = unrisen(travelled);
  const { blocks, steps, changes, requests } = plain,
    count = blocks.kind.length;
  const sums = new Float64Array(count + 1),
    request = new Int32Array(steps.layer.length);
  for (let block = 0; block < count; block++) sums[block + 1] = sums[block] + blocks.tokens[block];
  requests.first.forEach((first, number) => request.fill(number, first));
  const changed = new Map();
  changes.step.forEach((step, at) => {
    if (!changed.has(step)) changed.set(step, [at, at]);
    changed.get(step)[1] = at + 1;
  });
  const base = {
    kind: Int16Array.from(blocks.kind),
    tokens: Int32Array.from(blocks.tokens),
    verb: new Int8Array(count).fill(-1),
    into: Int32Array.from(blocks.kind, (_, block) => block),
  };
  return {
    ...plain,
    count,
    scrolled: steps.stop.at(-1) ?? blocks.overhead,
    sums,
    request,
    changed,
    base,
    putIn: new Set(blocks.put_in),
    kept: new Map(),
  };
}

export const layerOf = (columns, step) => columns.steps.layers[columns.steps.layer[step]];
/** Why, in words and numbers; the size of the step itself was left out to travel. */
export const reasonOf = (columns, step) =>
  columns.steps.reasons[columns.steps.reason[step]].replaceAll(OWN_SIZE, grouped(beforeOf(columns, step)));
export const afterOf = (columns, step) => columns.steps.after[step];
export const beforeOf = (columns, step) => (step ? afterOf(columns, step - 1) : columns.sums[columns.blocks.overhead]);
export const stepCount = (columns) => columns.steps.layer.length;

/** The first block that had not come in before a step, and the first that comes later. */
export function cameAt(columns, step) {
  return [step ? columns.steps.stop[step - 1] : columns.blocks.overhead, columns.steps.stop[step]];
}

/** The first and the last step of a request. */
export function stepsOf(columns, request) {
  const { first } = columns.requests;
  return [first[request], (request + 1 < first.length ? first[request + 1] : stepCount(columns)) - 1];
}

/** The step of a layer in a request; where that layer has none, the last. */
export function findStep(columns, request, layer) {
  const [first, last] = stepsOf(columns, request);
  for (let step = first; step <= last; step++) if (layerOf(columns, step) === layer) return step;
  return last;
}

/** The two rows at a step: how the model gets each block, in which order, and what stands for those it does not get. */
export function rowsAt(columns, step) {
  if (columns.kept.has(step)) return columns.kept.get(step);
  const forms = fold(columns, step),
    stop = columns.steps.stop[step];
  const start = new Float64Array(columns.count),
    place = new Int32Array(columns.count).fill(-1);
  let tokens = 0;
  forms.order.forEach((block, at) => {
    place[block] = at;
    start[block] = tokens;
    tokens += forms.tokens[block];
  });
  const rows = { step, stop, ...forms, start, place, size: tokens, now: nowAt(columns, step) };
  shareOut(columns, rows);
  columns.kept.set(step, rows);
  if (columns.kept.size > KEPT_ROWS) columns.kept.delete(columns.kept.keys().next().value);
  return rows;
}

/** The newest change of every block, and the blocks of the View in order: a ring, so that no other block is moved. */
function fold(columns, step) {
  const size = columns.count,
    { overhead } = columns.blocks,
    { changes } = columns;
  const kind = columns.base.kind.slice(),
    tokens = columns.base.tokens.slice(),
    verb = columns.base.verb.slice(),
    into = columns.base.into.slice();
  const next = Int32Array.from({ length: size + 1 }, (_, block) => block),
    last = next.slice();
  const put = (block, before) => {
    const behind = last[before];
    next[behind] = last[before] = block;
    last[block] = behind;
    next[block] = before;
  };
  const takeOut = (block) => {
    next[last[block]] = next[block];
    last[next[block]] = last[block];
    next[block] = last[block] = block;
  };
  for (let block = 0; block < overhead; block++) put(block, size);
  let came = overhead;
  const take = (stop) => {
    for (; came < stop; came++) if (!columns.putIn.has(came)) put(came, size);
  };
  for (const [at, [from, to]] of columns.changed) {
    if (at > step) break;
    take(columns.steps.stop[at]);
    for (let change = from; change < to; change++) {
      const block = changes.block[change],
        before = changes.before[change];
      kind[block] = changes.kind[change];
      tokens[block] = changes.tokens[change];
      verb[block] = changes.verb[change];
      into[block] = changes.into[change];
      if (before !== STAYS) put(block, before === END ? size : before);
      if (kind[block] < 0) takeOut(block);
    }
  }
  take(columns.steps.stop[step]);
  const order = [];
  for (let block = next[size]; block !== size; block = next[block]) order.push(block);
  return { kind, tokens, verb, into, order: Int32Array.from(order) };
}

/** The blocks that a step changed, put in or brought. */
function nowAt(columns, step) {
  const now = new Set(),
    [from, to] = columns.changed.get(step) || [0, 0],
    [first, stop] = cameAt(columns, step);
  for (let change = from; change < to; change++) now.add(columns.changes.block[change]);
  for (let block = first; block < stop; block++) now.add(block);
  return now;
}

/** Follow from one stand-in to the next until one is in the View; -1 where none is. */
export function standsFor(rows, block) {
  for (let step = 0; rows.place[block] < 0 && step < rows.into.length; step++) {
    const into = rows.into[block];
    if (into === block || into < 0) return -1;
    block = into;
  }
  return rows.place[block] < 0 ? -1 : block;
}

/** Where the thread of each block of the History ends in the View, in tokens: many that one block stands for share it. */
function shareOut(columns, rows) {
  const { overhead } = columns.blocks,
    low = new Float64Array(rows.stop).fill(NaN),
    high = low.slice();
  const weight = new Map(),
    target = new Int32Array(rows.stop).fill(-1);
  for (let block = overhead; block < rows.stop; block++) {
    target[block] = standsFor(rows, block);
    if (target[block] >= 0 && target[block] !== block)
      weight.set(target[block], (weight.get(target[block]) || 0) + columns.blocks.tokens[block]);
  }
  Object.assign(rows, latestFates(columns, rows, target));
  const used = new Map();
  for (let block = overhead; block < rows.stop; block++) {
    const into = target[block];
    if (into < 0) continue;
    const share = into === block ? 1 : columns.blocks.tokens[block] / (weight.get(into) || 1),
      done = into === block ? 0 : used.get(into) || 0;
    low[block] = rows.start[into] + done * rows.tokens[into];
    high[block] = rows.start[into] + (done + share) * rows.tokens[into];
    if (into !== block) used.set(into, done + share);
  }
  Object.assign(rows, { low, high, target });
}

/** What became of each block lately: a block whose digest was summarised is summarised. And whether that was at this step. */
function latestFates(columns, rows, target) {
  const fate = rows.verb.slice(0, rows.stop),
    fresh = new Uint8Array(rows.stop);
  for (let block = columns.blocks.overhead; block < rows.stop; block++) {
    if (rows.now.has(block)) fresh[block] = 1;
    for (
      let at = block, hops = 0;
      at !== target[block] && hops < rows.into.length && rows.into[at] >= 0 && rows.into[at] !== at;
      at = rows.into[at], hops++
    ) {
      fate[block] = rows.verb[at];
      if (rows.now.has(at)) fresh[block] = 1;
    }
  }
  return { fate, fresh };
}

/** True where something happened: a layer acted, failed, or would have gained nothing. */
export const isAct = (columns, step, states) =>
  !["off", "idle"].includes(states[columns.steps.state[step]]) && layerOf(columns, step) !== "arrive";

/** How often a layer acted, up to a step. */
export function actsOf(columns, layer, states, until = Infinity) {
  let acts = 0;
  columns.steps.state.forEach(
    (state, step) => (acts += step <= until && states[state] === "acted" && layerOf(columns, step) === layer),
  );
  return acts;
}

/** The next or previous act, or -1. */
export function actFrom(columns, step, way, states) {
  for (let at = step + way; at >= 0 && at < stepCount(columns); at += way) if (isAct(columns, at, states)) return at;
  return -1;
}

/** Where a reader comes to rest in a request: its last act, or its end. */
export function restOf(columns, request, states) {
  const [first, last] = stepsOf(columns, request);
  for (let step = last; step >= first; step--) if (isAct(columns, step, states)) return step;
  return last;
}

/** The number of a block in other columns of the same session, or -1 for one that only these Edits made. */
export function sameBlock(columns, block, other) {
  const { overhead } = columns.blocks;
  if (block == null || block >= columns.scrolled || columns.putIn.has(block)) return -1;
  if (block < overhead) return other.blocks.overhead === overhead ? block : -1;
  let left = block - overhead - [...columns.putIn].filter((put) => put < block).length;
  for (let at = other.blocks.overhead; at < other.scrolled; at++) if (!other.putIn.has(at) && left-- === 0) return at;
  return -1;
}

/** Every step that did something to a block, oldest first. */
export function lifeOf(columns, block, until) {
  const out = [],
    { changes } = columns;
  for (let at = 0; at < changes.step.length && changes.step[at] <= until; at++) {
    if (changes.block[at] === block)
      out.push({
        step: changes.step[at],
        verb: changes.verb[at],
        kind: changes.kind[at],
        tokens: changes.tokens[at],
        put: changes.before[at] !== STAYS,
      });
  }
  return out;
}

/** The step at which a block came in. */
export function arrivalOf(columns, block) {
  if (block >= columns.scrolled) return columns.changes.step[columns.changes.block.indexOf(block)] ?? 0; // a digest
  let low = 0,
    high = stepCount(columns) - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns.steps.stop[middle] > block) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Size before and after the layers of a request. */
export function sizesOf(columns, request) {
  const [first, last] = stepsOf(columns, request);
  return { before: afterOf(columns, first), after: afterOf(columns, last) };
}
