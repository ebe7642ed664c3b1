/* Lamps: what just happened in one sentence, and one lamp for each layer with its reason and its cost. */

import { afterOf, beforeOf, cameAt, layerOf, reasonOf, stepsOf } from "./columns.js";
import { el, sign } from "./dom.js";
import { capital, grouped, thousands } from "./words.js";

/** The sentence: `node`, and `draw()`. The status speaks, unless the bench plays. */
export function makeSentence(bench) {
  const icon = el("div", { class: "icon" }),
    what = el("p", { class: "what" }),
    why = el("p", { class: "why" }),
    delta = el("div", { class: "delta" });
  const where = el("span", { class: "hidden" }),
    status = el("div", { role: "status", "aria-live": "polite" }, where, what, why),
    node = el("div", { class: "say pad" }, icon, status, delta);
  const draw = () => {
    const { columns, step, fixed } = bench,
      layer = layerOf(columns, step),
      state = fixed.states[columns.steps.state[step]];
    node.dataset.state = layer === "arrive" ? "arrive" : state;
    node.dataset.ending =
      columns.requests.outcome[columns.request[step]] !== "sent" && step === stepsOf(columns, columns.request[step])[1];
    where.textContent = `${bench.placeWords()}: `;
    icon.replaceChildren(sign(layer.split(" ")[0], 38));
    what.textContent = bench.before ? bench.say("held", bench.titleOf(step - 1)) : bench.titleOf(step);
    why.textContent = (layer.startsWith("user") ? String : capital)(reasonOf(columns, bench.before ? step - 1 : step));
    status.setAttribute("aria-live", bench.playing ? "off" : "polite");
    delta.replaceChildren(
      ...deltaRow(bench.say("row_view"), beforeOf(columns, step), afterOf(columns, step), bench.say("unchanged"), true),
      ...historyDelta(bench),
    );
  };
  return { node, draw };
}

function historyDelta(bench) {
  const { columns, step, say } = bench,
    [from, to] = cameAt(columns, step),
    first = columns.sums[columns.blocks.overhead];
  return deltaRow(say("row_history"), columns.sums[from] - first, columns.sums[to] - first, say("unchanged"), false);
}

function deltaRow(name, before, after, unchanged, less) {
  const same = before === after,
    size = thousands(before) === thousands(after) ? grouped : thousands;
  return [
    el("span", { class: "name" }, name),
    el("span", { class: same ? "from same" : "from" }, same ? unchanged : `${size(before)} →`),
    el("b", { class: less && after < before ? "less" : null }, same ? thousands(after) : size(after)),
  ];
}

/** The lamps: `node`, and `draw()`. */
export function makeLamps(bench) {
  const node = el("ol", { class: "lamps", "aria-label": bench.say("lamps") });
  let shown = "",
    lamps = [];
  const draw = () => {
    const names = lampNames(bench),
      key = names.join();
    if (key !== shown) {
      lamps = names.map((name, number) => makeLamp(bench, name, number));
      node.replaceChildren(...lamps.map((lamp) => el("li", {}, lamp.node)));
      node.style.setProperty("--lamps", names.length);
      node.classList.toggle("many", names.length > 5);
      shown = key;
    }
    for (const lamp of lamps) drawLamp(bench, lamp);
  };
  return { node, draw };
}

/** What a step is a try of: "recovery 2" is one more recovery. */
const baseOf = (name) => name.split(" ")[0];

/** The layers that look at this request, in order. */
function lampNames(bench) {
  const { columns, fixed } = bench,
    [first, last] = stepsOf(columns, columns.request[bench.step]),
    names = [];
  for (let step = first; step <= last; step++)
    if (baseOf(layerOf(columns, step)) in fixed.does) names.push(layerOf(columns, step));
  return names;
}

const numbered = (words, name) => name.replace(baseOf(name), words[baseOf(name)]);

function makeLamp(bench, name, number) {
  const { fixed, say } = bench,
    part = (tag, style, ...inside) => el(tag, { class: style }, ...inside);
  const state = part("span", "state"),
    size = part("b", "size"),
    reason = part("span", "reason"),
    cost = part("span", "");
  const bars = el(
    "span",
    { class: "bars", "aria-hidden": "true" },
    [1, 2, 3, 4, 5].map((at) => el("u", { class: at <= fixed.cost_bars[baseOf(name)] ? "on" : "" })),
  );
  const node = el(
    "button",
    { class: "lamp", type: "button", "data-layer": name, onclick: () => bench.goLayer(name) },
    part("span", "hidden", say("layer_number", number + 1)),
    part(
      "span",
      "first",
      part("span", "bulb"),
      part("span", "title", part("span", "long", numbered(fixed.lanes, name)), part("span", "brief", numbered(fixed.short, name))),
      part("span", "sign", sign(baseOf(name))),
    ),
    part("span", "second", state, size),
    reason,
    part("span", "costs", bars, part("span", "", say("costs")), cost),
  );
  return { name, node, state, size, reason, cost };
}

/** Off, idle, not yet reached, acted, no gain or failed, with the reason in words and numbers. */
function drawLamp(bench, lamp) {
  const { columns, fixed } = bench,
    step = bench.stepOf(lamp.name),
    reached = step <= bench.step,
    real = fixed.states[columns.steps.state[step]];
  const state = reached || real === "off" ? real : "wait",
    acted = state === "acted";
  lamp.node.dataset.state = state;
  if (step === bench.step) lamp.node.setAttribute("aria-current", "step");
  else lamp.node.removeAttribute("aria-current");
  lamp.state.textContent = fixed.lamps[state];
  lamp.size.textContent =
    !reached || state === "off"
      ? ""
      : acted
        ? `${thousands(beforeOf(columns, step))} → ${thousands(afterOf(columns, step))}`
        : thousands(afterOf(columns, step));
  const reason = reached || state === "off" ? capital(reasonOf(columns, step)) : fixed.does[baseOf(lamp.name)];
  lamp.reason.textContent = reason;
  lamp.node.title = reason;
  lamp.cost.parentNode.title = lamp.cost.textContent =
    (reached && costWords(bench, step)) || fixed.costs[baseOf(lamp.name)] || "";
}

/** What a step really asked of the outside, in words; empty where it asked nothing. */
function costWords(bench, step) {
  const [calls, tokensIn, , files, characters] = bench.columns.steps.cost[step] || [0, 0, 0, 0, 0],
    { say, count } = bench,
    out = [];
  if (calls) out.push(say("cost_call", { calls: count("model_calls", calls), tokens: thousands(tokensIn) }));
  if (files)
    out.push(
      say("cost_file", {
        files: count("files", files),
        characters: `${thousands(characters)} ${bench.fixed.nouns.characters[1]}`,
      }),
    );
  return out.join(", ");
}
