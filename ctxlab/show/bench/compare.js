/* Compare: the same step of the same session under other settings, both Views on one scale, and their numbers. */

import { actsOf, afterOf, findStep, layerOf, rowsAt, stepsOf } from "./columns.js";
import { el, penOf } from "./dom.js";
import { hatch } from "./paint.js";
import { round, thousands } from "./words.js";

const BAR = { height: 30, gap: 12, top: 6 };
const OLD = "before";

/** The section: a choice of what to compare with, two bars, two lines of numbers: `node`, `draw()`. */
export function makeCompare(bench) {
  const choice = el("select", { "aria-label": bench.say("compare_with"), onchange: () => compareTo(bench, choice.value) });
  const canvas = el("canvas", { role: "img", "aria-label": bench.say("compare") }),
    words = [el("p"), el("p")],
    shown = el("div", { class: "two" }, words[0], canvas, words[1]);
  const head = el("div", { class: "title" }, el("h4", {}, bench.say("compare_with")), choice),
    compare = { choice, canvas, words, shown, node: el("section", { class: "compare pad" }, head, shown) };
  compare.draw = () => drawCompare(bench, compare);
  return compare;
}

/** The run before the reader's changes is here already; every other one is made by the kernel. */
function compareTo(bench, name) {
  bench.compareOld = name === OLD;
  if (name !== OLD) bench.compareWith(name);
  bench.parts.compare.draw();
}

/** What is compared with: its columns and its name, or nothing. */
function otherOf(bench) {
  const { columns, baseline, against } = bench;
  if (bench.compareOld) return baseline && baseline !== columns ? { columns: baseline, name: bench.say("before_changes") } : null;
  return against && against.columns ? against : null;
}

function drawCompare(bench, compare) {
  const other = otherOf(bench);
  fillChoice(bench, compare, other);
  compare.shown.hidden = !other;
  compare.node.hidden = !bench.live && !other;
  if (!other) return;
  const runs = [{ columns: bench.columns, name: bench.say("these_settings") }, other].map((run) => placed(bench, run)),
    room = bench.width - 2,
    perToken = room / Math.max(...runs.map(({ rows, columns }) => Math.max(rows.size, columns.lines.window)));
  const pen = penOf(compare.canvas, bench.width, 2 * BAR.height + BAR.gap + 2 * BAR.top);
  runs.forEach((run, at) => {
    drawBar(bench, pen, run, perToken, BAR.top + at * (BAR.height + BAR.gap));
    compare.words[at].replaceChildren(el("b", {}, run.name), ` ${numbersOf(bench, run)}`);
  });
}

/** The choices: nothing, the run before the changes, every profile, and what the notebook gave. */
function fillChoice(bench, { choice }, other) {
  const { baseline, columns, against, say } = bench,
    profiles = bench.settingsNow().profiles,
    names = [["", say("compare_none")]];
  if (baseline && baseline !== columns) names.push([OLD, say("before_changes")]);
  names.push(...profiles.map((name) => [name, name]));
  const { own } = bench.extra();
  if (own && !profiles.includes(own)) names.push([own, own]);
  if (against && ![own, ...profiles].includes(against.name)) names.push([against.name, against.name]);
  const wanted = names.map(([value]) => value).join("\n");
  if (choice.dataset.names !== wanted) {
    choice.dataset.names = wanted;
    choice.replaceChildren(...names.map(([value, text]) => el("option", { value }, text)));
  }
  choice.value = other ? (bench.compareOld ? OLD : against.name) : "";
  choice.disabled = !bench.live;
}

/** The same request and layer in a run; where it has no such layer, the end of the request. */
function placed(bench, run) {
  const step = findStep(run.columns, bench.columns.request[bench.step], layerOf(bench.columns, bench.step));
  return { ...run, step, rows: rowsAt(run.columns, step) };
}

/** One View in its window, with the line of autocompact. */
function drawBar({ brush, theme }, pen, { columns, rows }, perToken, top) {
  const { lines } = columns,
    items = [...rows.order].map((block) => ({
      kind: rows.kind[block],
      x0: rows.start[block] * perToken,
      x1: (rows.start[block] + rows.tokens[block]) * perToken,
      label: columns.blocks.label[block],
    })),
    reserve = lines.effective_window * perToken;
  hatch(pen, reserve, top, lines.window * perToken - reserve, BAR.height, theme.line);
  brush.row(pen, items, top, BAR.height, {});
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(1, top - 1, lines.window * perToken - 1, BAR.height + 2);
  pen.fillStyle = theme.ink;
  pen.fillRect(lines.autocompact * perToken - 1, top - 5, 2.5, BAR.height + 10);
}

/** Size, room below autocompact, and what every layer did up to here. */
function numbersOf(bench, { columns, step, rows }) {
  const { say } = bench,
    below = columns.lines.autocompact - rows.size,
    room = say(below >= 0 ? "below_line" : "above_line", thousands(Math.abs(below))),
    [, last] = stepsOf(columns, columns.request[step]),
    acts = Object.keys(bench.fixed.does)
      .map((layer) => [layer, actsOf(columns, layer, bench.fixed.states, last)])
      .filter(([, many]) => many)
      .map(([layer, many]) => say("acts_of", { layer: bench.layerName(layer), acts: many }));
  const window = say("of_window", round(columns.lines.window));
  return say("compared", { size: thousands(afterOf(columns, step)), window, room, acts: acts.join(", ") || say("no_acts") });
}
