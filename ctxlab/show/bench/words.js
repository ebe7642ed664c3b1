/* Words: every sentence of the bench, from the one table that travels with it. */

import { STAYS, cameAt, layerOf, reasonOf, stepsOf } from "./columns.js";

/** A number of tokens in a few characters, as `words.py` writes it. */
export function thousands(tokens) {
  if (tokens < 1000) return grouped(tokens);
  if (tokens < 1_000_000) {
    const tenths = Math.floor((tokens + 50) / 100);
    return `${grouped(Math.floor(tenths / 10))}.${tenths % 10}K`;
  }
  const hundredths = Math.floor((tokens + 5000) / 10_000);
  return `${grouped(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, "0")}M`;
}

/** The same without a fraction that says nothing: 20K, 1M. */
export const round = (tokens) => thousands(tokens).replace(/\.0+(?=[KM])/, "");

/** A whole number with its thousands apart. */
export const grouped = (number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : text);

/** Put values into the places of a sentence: `{}` in order, `{name}` by name. */
export function filled(sentence, values) {
  let at = 0;
  return sentence.replace(/\{(\w*)\}/g, (_, name) => String(name ? values[name] : [values].flat()[at++]));
}

/** The sentences of one bench: `say("freed", "3.1K")`, and `count("files", 2)`. */
export function makeWords(fixed) {
  const say = (name, values = []) => filled(fixed.bench[name], values);
  const count = (noun, number) => `${grouped(number)} ${fixed.nouns[noun][number === 1 ? 0 : 1]}`;
  return { say, count, layer: (name) => fixed.layers[name.split(" ")[0]] || name };
}

/** What happened at a step, in one sentence; the same as `title_of` in `picture.py`. */
export function titleOf(columns, step, fixed) {
  const layer = layerOf(columns, step),
    state = fixed.states[columns.steps.state[step]],
    request = columns.request[step];
  const [base, number] = layer.split(" "),
    name = [fixed.layers[base] || base, number].filter(Boolean).join(" "),
    blocks = touched(columns, step),
    outcome = step === stepsOf(columns, request)[1] ? fixed.outcomes[columns.requests.outcome[request]] : "";
  if (layer === "arrive") return arrivalTitle(columns, step, fixed) + outcome;
  if (base === "user") return filled(fixed.bench.by_hand, oneLine(reasonOf(columns, step), 80)) + outcome;
  if (state !== "acted") return `${name} ${fixed.state_words[state]}${outcome}`;
  if (!blocks && base in fixed.prepared) return `${name} ${fixed.prepared[base]}${outcome}`;
  return `${name} ${filled(fixed.acted[base], makeWords(fixed).count("blocks", blocks))}${outcome}`;
}

/** What came in: a user's text, how long after the last reply, or results. */
function arrivalTitle(columns, step, fixed) {
  const request = columns.request[step],
    [from, to] = cameAt(columns, step),
    { say, count } = makeWords(fixed);
  const results = columns.blocks.kind
    .slice(from, to)
    .filter((kind) => fixed.looks[kind][0].startsWith("result:")).length;
  if (columns.requests.asked[request]) return say("came_user", request + 1) + pauseBefore(columns, request, say, fixed);
  return results ? say("came_results", [request + 1, count("results", results)]) : say("came", request + 1);
}

const pauseBefore = (columns, request, say, { long_pause }) =>
  columns.requests.idle[request] >= long_pause ? say("after_minutes", grouped(columns.requests.idle[request])) : "";

/** How many blocks a step changed, without those that it put in. */
export function touched(columns, step) {
  const [from, to] = columns.changed.get(step) || [0, 0],
    blocks = new Set();
  for (let at = from; at < to; at++) if (columns.changes.before[at] === STAYS) blocks.add(columns.changes.block[at]);
  return blocks.size;
}

/** A text cut to a length, as `words.py` cuts it. */
export function oneLine(text, longest) {
  const letters = [...text];
  return letters.length <= longest
    ? text
    : letters
        .slice(0, longest - 1)
        .join("")
        .trimEnd() + "…";
}
