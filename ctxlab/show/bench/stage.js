/* Stage: the History above, the View below, on one scale, and between them what became of each block. */

import { el, penOf } from "./dom.js";
import { phasesOf, threadEnd, viewItems } from "./motion.js";
import { hatch } from "./paint.js";
import { drawThreads, threadsOf } from "./ribbons.js";
import { makeRows } from "./rows.js";
import { historyX, scaleOf } from "./scale.js";
import { drawEdges, drawNow, drawPicked, drawSign, drawSigns } from "./signs.js";
import { placeTags } from "./tags.js";
import { HISTORY_FOOT, TOPS, VIEW_FOOT } from "./tops.js";

/** The stage: `node`, and `draw()` for the step that the bench shows. */
export function makeStage(bench) {
  const canvas = el("canvas", { "aria-hidden": "true" }),
    tags = el("div");
  const stage = { canvas, tags, node: el("div", { class: "stage" }, canvas), rowCount: 2 };
  stage.rows = makeRows(bench, stage);
  stage.node.append(...stage.rows.nodes, tags);
  stage.draw = () => drawStage(bench, stage);
  return stage;
}

function drawStage(bench, stage) {
  const { columns, rows, width } = bench,
    { tween } = bench;
  const scale = (stage.scale = scaleOf(columns, rows, bench));
  const phases = tween ? phasesOf(tween.time) : phasesOf(1),
    from = tween && tween.from;
  const items = viewItems(from, rows, phases).map((item) => ({
    ...item,
    x0: item.x0 * scale.perToken,
    x1: item.x1 * scale.perToken,
    label: columns.blocks.label[item.block],
  }));
  placeTags(bench, stage);
  const pen = penOf(stage.canvas, width, VIEW_FOOT + stage.rowCount * 15 + 8);
  const draw = {
    bench,
    stage,
    pen,
    scale,
    columns,
    rows,
    theme: bench.theme,
    above: (block) => historyX(scale, columns.sums[block]),
    items,
    from,
    phases,
  };
  drawOverview(draw);
  drawRibbons(draw);
  drawHistory(draw);
  drawView(draw);
  drawLines(draw);
  drawNow(draw);
  drawSigns(draw);
  drawPicked(draw);
  drawEdges(draw);
}

const isNow =
  ({ bench, rows }) =>
  (block) =>
    !bench.before && rows.fresh[block] === 1;
const isFaded = (rows, block) => rows.verb[block] >= 0 || (rows.target[block] < 0 && rows.place[block] < 0);

/** The whole session on its own small scale, with a frame around what is shown below. */
function drawOverview({ bench, pen, columns, rows, theme, scale }) {
  const all = columns.sums[columns.scrolled],
    small = bench.width / Math.max(all, bench.width / scale.perToken, 1),
    items = [];
  pen.fillStyle = theme.soft;
  pen.fillRect(0, TOPS.overview, bench.width, TOPS.overviewHeight);
  for (let block = columns.blocks.overhead; block < rows.stop; block++)
    items.push({
      kind: columns.blocks.kind[block],
      x0: columns.sums[block] * small,
      x1: columns.sums[block + 1] * small,
      faded: isFaded(rows, block),
    });
  bench.brush.row(pen, items, TOPS.overview, TOPS.overviewHeight, { words: false });
  pen.fillStyle = theme.ink;
  for (const block of boundaries(bench))
    pen.fillRect(columns.sums[block] * small - 1, TOPS.overview - 1, 2.5, TOPS.overviewHeight + 3);
  const left = (scale.scroll / scale.perToken) * small,
    right = Math.min(bench.width, ((scale.scroll + bench.width) / scale.perToken) * small);
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 2;
  pen.strokeRect(left + 1, TOPS.overview, Math.max(4, right - left - 2), TOPS.overviewHeight);
}

/** The compact boundaries that have come in by now. */
export function boundaries({ columns, rows, fixed }) {
  const kind = fixed.looks.findIndex(([key]) => key === "compact_boundary");
  return columns.blocks.put_in.filter((block) => block < rows.stop && columns.blocks.kind[block] === kind);
}

function drawRibbons(draw) {
  const { bench, pen, columns, rows, scale, above, from, phases, theme } = draw,
    end = threadEnd(from, rows, phases);
  const below = (block) => end(block).map((token) => token * scale.perToken);
  const threads = threadsOf(columns, rows, isNow(draw), above, below);
  drawThreads(pen, threads, {
    top: HISTORY_FOOT + 1,
    bottom: TOPS.view - 1,
    verbs: bench.fixed.verbs,
    theme,
    width: bench.width,
  });
}

/** The tape: every block of the History, solid where the model has it whole. */
function drawHistory({ bench, stage, pen, columns, rows, theme, scale, above }) {
  const items = [],
    start = historyX(scale, scale.from);
  if (start > 0) hatch(pen, 0, TOPS.history, Math.min(start, bench.width), TOPS.historyHeight, theme.line);
  for (let block = columns.blocks.overhead; block < rows.stop; block++) {
    const x0 = above(block),
      x1 = above(block + 1);
    if (x1 > -1 && x0 < bench.width + 1)
      items.push({
        block,
        kind: columns.blocks.kind[block],
        x0,
        x1,
        faded: isFaded(rows, block),
        label: columns.blocks.label[block],
      });
  }
  bench.brush.row(pen, items, TOPS.history, TOPS.historyHeight, { clear: stage.chip });
  for (const { block, x0, x1 } of items)
    if (rows.verb[block] >= 0 && Math.min(x1, bench.width) - Math.max(x0, stage.chip) > 34)
      drawSign(
        pen,
        bench.fixed.verbs[rows.fate[block]],
        Math.min(x1, bench.width) - 16,
        TOPS.history + 3,
        12,
        !bench.before && rows.fresh[block] ? theme.now_text : theme.muted,
      );
  boundaries(bench).forEach((block, at, all) => drawFlag(pen, above(block), theme, at === all.length - 1));
}

/** A boundary: a mark for code, drawn as a flag; the newest one is where the View starts. */
function drawFlag(pen, x, theme, newest) {
  pen.strokeStyle = theme.ink;
  pen.fillStyle = newest ? theme.ink : theme.back;
  pen.lineWidth = newest ? 2.5 : 1.5;
  pen.setLineDash(newest ? [] : [3, 2]);
  pen.beginPath();
  pen.moveTo(x, TOPS.flag + 3);
  pen.lineTo(x, HISTORY_FOOT + 5);
  pen.stroke();
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(x, TOPS.flag + 2);
  pen.lineTo(x + 9, TOPS.flag + 7);
  pen.lineTo(x, TOPS.flag + 12);
  pen.closePath();
  pen.fill();
  pen.stroke();
}

/** The vessel of fixed size, its reserve hatched, and the blocks in it. */
function drawView({ bench, pen, columns, scale, theme, items }) {
  const { lines } = columns,
    x = (tokens) => tokens * scale.perToken;
  hatch(
    pen,
    x(lines.effective_window),
    TOPS.view,
    x(lines.window - lines.effective_window),
    TOPS.viewHeight,
    theme.line,
  );
  pen.fillStyle = theme.soft;
  pen.fillRect(
    x(lines.autocompact),
    TOPS.view,
    Math.max(0, x(lines.effective_window - lines.autocompact)),
    TOPS.viewHeight,
  );
  bench.brush.row(
    pen,
    items.filter((item) => item.alpha > 0.01),
    TOPS.view,
    TOPS.viewHeight,
    {
      lines: Object.entries(lines)
        .filter(([name]) => name !== "window")
        .map(([, tokens]) => x(tokens))
        .sort((a, b) => a - b),
    },
  );
  pen.strokeStyle = theme.ink;
  pen.lineWidth = 2;
  pen.strokeRect(1, TOPS.view - 1, x(lines.window) - 1, TOPS.viewHeight + 2);
}

const DASHES = { warning: [1.5, 3], autocompact: [], blocking: [6, 2, 1.5, 2], effective_window: [5, 3] };

function drawLines({ pen, stage, columns, scale, theme }) {
  for (const [name, dash] of Object.entries(DASHES)) {
    const x = columns.lines[name] * scale.perToken,
      wide = name === "autocompact" ? 3 : 1.5;
    for (const [colour, width, dashes] of [
      [theme.back, wide + 2, []],
      [theme.ink, wide, dash],
    ]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.setLineDash(dashes);
      pen.beginPath();
      pen.moveTo(x, TOPS.view - 6);
      pen.lineTo(x, VIEW_FOOT + 2);
      pen.stroke();
    }
  }
  pen.setLineDash([]);
  pen.strokeStyle = theme.faint;
  pen.lineWidth = 1;
  for (const { x, y } of stage.leaders) {
    pen.beginPath();
    pen.moveTo(x, VIEW_FOOT + 2);
    pen.lineTo(x, y);
    pen.stroke();
  }
}
